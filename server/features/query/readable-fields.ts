import { safeParseExactly } from '../../http/exact-values.ts';
import { z } from 'zod';
import { ApiError, fail } from '../../errors.ts';
import { timeZone } from '../../lib/time-zone.ts';
import { validate } from '../../http/validation.ts';
import { compileFilter, patternsOf, type PropertyLeaf } from '../property-filters/index.ts';
import { checkedItems } from './breakdown.ts';
import { isCompareTo, readDateWord } from './dates.ts';
import { metadataOperand, queryFilters, type QueryFilter, type QueryOnlyLeaf } from './filters.ts';
import { isFields, type Fields } from './legacy-filters.ts';
import { valueProblem } from './kinds/hogql/fill-placeholders.ts';
import { pathRule } from './kinds/paths/schema.ts';
import {
  patternProblem,
  valueRules,
  filterList,
  propertyList,
  propertyNodes,
  breakdownFilter,
  compareTo,
  dateFrom,
  dateTo,
  dashboardFilters,
} from './node-schema.ts';
import { problemOf } from './query-errors.ts';
import { partsOf, schemaOfKind, unsupportedIn } from './unsupported-fields.ts';

type Rule = (value: unknown) => string | null;

/** Relative dates are read against some moment; which one does not matter here. */
const DATES = { zone: timeZone('UTC'), weekStart: 'sunday', now: 0 } as const;
const COMPARED = { rows: 'events', alias: 'e', projectId: 0, now: 0, timezone: 'UTC' } as const;
const NO_DATE =
  'is not a valid date: use a date such as 2026-03-04, a date and time, or a relative date such as -7d or mStart.';

/**
 * What readers demand of values beyond their type, by the schema of the field: they refuse it when they read it, so it is
 * refused when it is written. What depends on the project, such as the id of a cohort, may change and is not looked at.
 */
const RULES: ReadonlyMap<unknown, Rule> = new Map<unknown, Rule>([
  [dateFrom, (value) => (value === 'all' ? null : dateProblem(value))],
  [dateTo, dateProblem],
  [
    compareTo,
    (value) =>
      value === '' || isCompareTo(String(value)) ? null : 'is not a relative date such as -1w, -1m or -1y.',
  ],
  [breakdownFilter, (value) => refusalOf(() => checkedItems(breakdownFilter.parse(value)))],
  ...[propertyNodes, propertyList, filterList].map((schema): [unknown, Rule] => [schema, filtersProblem]),
]);

function dateProblem(value: unknown): string | null {
  return value === '' || readDateWord(String(value), DATES) !== null ? null : NO_DATE;
}

/** The problem of property filters that cannot be compiled; null: none. */
function filtersProblem(properties: unknown): string | null {
  return refusalOf(() => checkNode(validate(queryFilters('event'), { properties }).properties));
}

function refusalOf(check: () => unknown): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof ApiError) return `is not valid: ${error.message}`;
    throw error;
  }
}

function checkNode(node: QueryFilter | PropertyLeaf | QueryOnlyLeaf): void {
  if ('values' in node) for (const part of node.values) checkNode(part);
  else checkLeaf(node);
}

function checkLeaf(leaf: PropertyLeaf | QueryOnlyLeaf): void {
  switch (leaf.type) {
    case 'event':
    case 'feature':
    case 'person':
    case 'element':
    case 'group':
      return checkComparison(leaf);
    case 'event_metadata':
      metadataOperand(leaf.key, { path: (...chain) => chain });
      return checkComparison({ ...leaf, type: 'event' });
    case 'session':
      return checkComparison({ ...leaf, type: 'event' });
    default:
  }
}

function checkComparison(leaf: PropertyLeaf): void {
  const problem = patternsOf(leaf)
    .map(patternProblem)
    .find((one) => one !== null);
  if (problem !== undefined) throw fail('invalid_input', { detail: `A regular expression ${problem}` });
  compileFilter({ type: 'AND', values: [leaf] }, COMPARED);
}

/** Throws invalid_input for the first value of a query that its reader would refuse; its detail names the field. */
export function refuseUnreadable(query: Fields): void {
  const schema = schemaOfKind(query);
  if (schema !== undefined) refuseIn(schema, query);
}

function refuseIn(schema: Parameters<typeof partsOf>[0], value: unknown, attr?: string): void {
  for (const part of partsOf(schema, value)) {
    const rule = RULES.get(part.schema) ?? valueRules.get(part.schema as z.ZodType)?.problemOf;
    const problem = rule?.(part.value) ?? null;
    if (problem === null) continue;
    const shown = typeof part.value === 'string' ? `'${part.value.slice(0, 40)}' ` : '';
    const detail = `"${part.path.join('.')}": ${shown}${problem}`;
    throw fail('invalid_input', { detail, ...(attr === undefined ? {} : { attr }) });
  }
}

/**
 * Checks filters with which a dashboard, a tile or one request overrides those of queries. Throws invalid_input for `attr`,
 * whose detail names the field.
 */
export function checkDashboardFilters(filters: Fields, attr: string): void {
  checkPart(dashboardFilters, filters, attr);
}

/** Checks property filters over events, such as those of an action step. Throws invalid_input for `attr`. */
export function checkPropertyFilters(properties: readonly unknown[], attr: string): void {
  checkPart(propertyList, properties, attr);
}

/** Checks a value of a variable of SQL. Throws invalid_input for `attr` if no query can use it. */
export function checkVariableValue(value: unknown, attr: string): void {
  const detail = valueProblem(value);
  if (detail !== null) throw fail('invalid_input', { attr, detail });
}

/** Checks variables of a dashboard or request. Throws invalid_input for `attr`, whose detail names the variable. */
export function checkVariables(variables: Fields, attr: string): void {
  for (const [id, variable] of Object.entries(variables)) {
    const problem = isFields(variable)
      ? valueProblem(variable['value'] ?? null)
      : 'A variable must be an object such as {"code_name": "plan", "value": "pro"}.';
    if (problem !== null) throw fail('invalid_input', { attr, detail: `'${id.slice(0, 60)}': ${problem}` });
  }
}

/** The settings of a project that queries read. */
const SETTINGS = { test_account_filters: propertyList, path_cleaning_filters: z.array(pathRule) };

/** Throws invalid_input for the first setting, by its name, that queries could not read. */
export function checkQuerySettings(settings: Fields): void {
  for (const [name, schema] of Object.entries(SETTINGS)) {
    const value = settings[name];
    if (value !== undefined && value !== null) checkPart(schema, value, name);
  }
}

function checkPart(schema: z.ZodType, value: unknown, attr: string): void {
  const parsed = safeParseExactly(schema, value);
  if (!parsed.success) throw fail('invalid_input', { attr, detail: problemOf(parsed.error.issues) });
  const [first] = unsupportedIn(schema, value);
  if (first !== undefined) throw fail('invalid_input', { attr, detail: first.message });
  refuseIn(schema, value, attr);
}
