import { z } from 'zod';
import type { Statements } from '../../db/db.ts';
import { validate } from '../../http/validation.ts';
import {
  propertyFilters,
  type FilterGroup,
  type PropertyGroup,
  type PropertyLeaf,
} from '../property-filters/index.ts';
import type { Action } from './action-row.ts';
import type { ActionStep } from './actions.contract.ts';
import { findAction } from './actions.store.ts';

const stepProperties = z.object({ properties: propertyFilters('event') });

/** What steps call a comparison, as filters call it. */
const OPERATORS = { contains: 'icontains', regex: 'regex', exact: 'exact' } as const;

/**
 * The filter of the events that an action means: one of its steps fits. Null where no event does: the action is unknown or
 * deleted, or has no steps. Throws invalid_input for `properties` when a step filters by what is not available.
 */
export async function findActionFilter(
  db: Statements,
  projectId: number,
  id: number,
): Promise<PropertyGroup | null> {
  const action = isActionId(id) ? await findAction(db, projectId, id) : null;
  return action === null || action.deleted ? null : actionFilter(action, readProperties);
}

/** Whether a number can be the id of an action: a 32-bit integer. */
export function isActionId(id: number): boolean {
  return Number.isInteger(id) && id >= 1 && id <= 2_147_483_647;
}

/** Reads the properties of a step, which are stored as they were sent. Throws invalid_input. */
type ReadProperties<L> = (properties: ActionStep['properties']) => FilterGroup<L>;

const readProperties: ReadProperties<never> = (properties) =>
  validate(stepProperties, { properties }).properties;

/** The same of an action that is known, with filters as the caller reads them; null where it has no steps. */
export function actionFilter<L>(
  { steps }: Pick<Action, 'steps'>,
  read: ReadProperties<L>,
): FilterGroup<L> | null {
  return steps.length === 0 ? null : { type: 'OR', values: steps.map((step) => stepFilter(step, read)) };
}

function stepFilter<L>(step: ActionStep, read: ReadProperties<L>): FilterGroup<L> {
  const element = (
    key: 'tag_name' | 'selector' | 'text' | 'href',
    matching: ActionStep['text_matching'] = null,
  ): PropertyLeaf[] => leaf('element', key, step[key], matching ?? 'exact');
  return {
    type: 'AND',
    values: [
      ...leaf('event_name', 'event', step.event, 'exact'),
      ...leaf('event', '$current_url', step.url, step.url_matching ?? 'contains'),
      ...element('tag_name'),
      ...element('selector'),
      ...element('text', step.text_matching),
      ...element('href', step.href_matching),
      read(step.properties),
    ],
  };
}

/** An empty field of a step adds no condition. */
function leaf(
  type: 'event_name' | 'event' | 'element',
  key: string,
  value: string | null,
  matching: keyof typeof OPERATORS,
): PropertyLeaf[] {
  return value === null || value === '' ? [] : [{ type, key, value, operator: OPERATORS[matching] }];
}
