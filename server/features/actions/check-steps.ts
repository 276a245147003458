import { ApiError, fail } from '../../errors.ts';
import { compileFilter, type PropertyGroup } from '../property-filters/index.ts';
import { actionFilter } from './action-filter.ts';
import type { ActionStep } from './actions.contract.ts';

const NOTHING: ActionStep = {
  event: null,
  properties: [],
  selector: null,
  tag_name: null,
  text: null,
  text_matching: null,
  href: null,
  href_matching: null,
  url: null,
  url_matching: null,
};
const EVENTS = { rows: 'events', alias: 'e', projectId: 0, now: 0, timezone: 'UTC' } as const;

/** Checks the property filters of a step by the rules of queries, which know most of them. */
export type CheckFilters = (properties: readonly unknown[], attr: string) => void;

/**
 * Refuses steps that the lists of events, cohorts and queries would refuse when they read them, such as a selector with a
 * comma. Throws invalid_input for the field of the step.
 */
export function checkSteps(steps: readonly ActionStep[], checkFilters: CheckFilters): void {
  for (const [at, step] of steps.entries()) {
    const { selector, tag_name, text, text_matching, href, href_matching, url, url_matching } = step;
    const parts: Record<string, Partial<ActionStep>> = {
      selector: { selector },
      tag_name: { tag_name },
      text: { text, text_matching },
      href: { href, href_matching },
      url: { url, url_matching },
    };
    for (const [field, part] of Object.entries(parts)) {
      checkPart({ ...NOTHING, ...part }, `steps__${at}__${field}`);
    }
    checkFilters(step.properties, `steps__${at}__properties`);
  }
}

function checkPart(step: ActionStep, attr: string): void {
  const nothing = (): PropertyGroup => ({ type: 'AND', values: [] });
  try {
    compileFilter(actionFilter({ steps: [step] }, nothing)!, EVENTS);
  } catch (error) {
    if (error instanceof ApiError) throw fail('invalid_input', { attr, detail: error.message });
    throw error;
  }
}
