import type { ActionStep } from '../../../server/features/actions/actions.contract.ts';
import { wordsOf, type PropertyFilter } from '../../ui/property-filter.ts';

/** How a step compares a text. */
export type Matching = NonNullable<ActionStep['url_matching']>;
/** A text of a step that an event must have. */
export type StepText = 'url' | 'text' | 'href' | 'selector' | 'tag_name';

/** The texts of a step: what they are called, and how they are compared when nothing is said about it. */
export const STEP_TEXTS: readonly {
  id: StepText;
  label: string;
  /** Where its comparison is kept; without it, it is compared in one way only. */
  matching: 'url_matching' | 'text_matching' | 'href_matching' | null;
  usual: Matching;
}[] = [
  { id: 'url', label: 'URL', matching: 'url_matching', usual: 'contains' },
  { id: 'text', label: 'Element text', matching: 'text_matching', usual: 'exact' },
  { id: 'href', label: 'Element link', matching: 'href_matching', usual: 'exact' },
  { id: 'selector', label: 'CSS selector', matching: null, usual: 'exact' },
  { id: 'tag_name', label: 'Element tag', matching: null, usual: 'exact' },
];

export const MATCHINGS: readonly { id: Matching; label: string }[] = [
  { id: 'contains', label: 'contains' },
  { id: 'exact', label: 'is' },
  { id: 'regex', label: 'matches regex' },
];

/** The label of a step: `$autocapture where text of the element is “Pay” and amount is more than 10`. */
export function stepLabel(step: ActionStep): string {
  const conditions = [...STEP_TEXTS.flatMap((text) => textLabel(step, text)), ...propertyLabel(step)];
  const event = step.event || 'any event';
  return conditions.length === 0 ? event : `${event} where ${conditions.join(' and ')}`;
}

/** What an action is, in words; steps are alternatives. Nothing for one without steps. */
export function actionLabel(steps: readonly ActionStep[]): string {
  return steps.map(stepLabel).join(', or ');
}

function textLabel(step: ActionStep, { id, label, matching, usual }: (typeof STEP_TEXTS)[number]): string[] {
  const value = step[id];
  if (value === null || value === '') return [];
  const how = (matching && step[matching]) ?? usual;
  const name = id === 'url' ? label : label.charAt(0).toLowerCase() + label.slice(1);
  if (id === 'selector') return [`the element matches ${value}`];
  return [`${name} ${MATCHINGS.find((one) => one.id === how)!.label} “${value}”`];
}

function propertyLabel({ properties }: ActionStep): string[] {
  return properties.map((property) => {
    const filter = property as unknown as PropertyFilter;
    const { field, relation, value } = wordsOf({ ...filter, operator: filter.operator ?? 'exact' });
    return [field, relation, value].filter(Boolean).join(' ');
  });
}
