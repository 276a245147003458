import { fail } from '../../errors.ts';
import { jsonText } from '../../lib/json-text.ts';
import { checkDashboardFilters, checkVariables } from '../query/index.ts';
import type { UpdateDashboardBody } from './dashboards.contract.ts';
import type { DashboardContent } from './dashboards.store.ts';

type Json = Readonly<Record<string, unknown>>;

/** Throws permission_denied when a caller who may not restrict sends a restriction, even an unchanged one (3.3). */
export function checkRestriction(sent: unknown, { canRestrict }: { canRestrict: boolean }): void {
  const level = (sent as { restriction_level?: unknown } | null | undefined)?.restriction_level;
  if (level === undefined || canRestrict) return;
  throw fail('permission_denied', {
    detail: 'Only the creator and project admins can change the restriction of a dashboard.',
  });
}

/** A dashboard of which nothing was said. */
export const EMPTY_DASHBOARD: DashboardContent = {
  name: '',
  description: '',
  pinned: false,
  filters: '{}',
  variables: '{}',
  tags: '[]',
  restrictionLevel: 21,
  deleted: false,
};

/** The columns that a body sets; `old`: as it was before. Throws invalid_input for `filters` and `variables`. */
export function writtenOf(
  body: Partial<Omit<UpdateDashboardBody, 'tiles' | 'duplicate_tiles'>>,
  old: Pick<DashboardContent, 'filters' | 'variables'> = EMPTY_DASHBOARD,
): Partial<DashboardContent> {
  const { name, description, pinned, filters, variables, tags, restriction_level: level, deleted } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(filters === undefined ? {} : { filters: filtersText(filters as Json, 'filters', old.filters) }),
    ...(variables === undefined ? {} : { variables: variablesText(variables ?? {}, old.variables) }),
    ...(tags === undefined ? {} : { tags: jsonText(tags) }),
    ...(level === undefined ? {} : { restrictionLevel: level }),
    ...(deleted === undefined ? {} : { deleted }),
  };
}

/** Filters to store. Filters that are already stored are not refused. */
export function filtersText(filters: Json, attr: string, old: string | null): string {
  const text = jsonText(filters);
  if (text !== old) checkDashboardFilters(filters, attr);
  return text;
}

function variablesText(variables: Json, old: string): string {
  const text = jsonText(variables);
  if (text !== old) checkVariables(variables, 'variables');
  return text;
}

/** Logged fields of a dashboard, by their API names. */
export function logFieldsOf(row: DashboardContent): Record<string, unknown> {
  return {
    name: row.name,
    description: row.description,
    pinned: row.pinned,
    filters: JSON.parse(row.filters) as unknown,
    variables: JSON.parse(row.variables) as unknown,
    tags: JSON.parse(row.tags) as unknown,
    restriction_level: row.restrictionLevel,
    deleted: row.deleted,
  };
}
