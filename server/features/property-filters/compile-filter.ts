import type { Param, Params } from '../../db/db.ts';
import { elementExpr } from '../../conditions/elements.ts';
import { matchesMissing, takesPattern } from '../../conditions/operators.contract.ts';
import { compareOperand } from '../../conditions/operators.ts';
import { textOperand, type PropertyComparison } from '../../conditions/to-hogql.ts';
import { fail, type ApiError } from '../../errors.ts';
import type { Expr } from '../../hogql/ast.ts';
import { call, field } from '../../hogql/build.ts';
import { compileCondition, compileValue } from '../../hogql/compile.ts';
import { HogqlError } from '../../hogql/errors.ts';
import { isVirtual } from '../../hogql/tables/table.ts';
import { TABLES } from '../../hogql/tables/tables.ts';
import { PROMOTED_PROPERTIES, propertyPointer } from '../../warehouse/duckdb/promoted-properties.ts';
import { quoteIdentifier } from '../../lib/quote-sql.ts';
import type { PropertyGroup, PropertyLeaf } from './property-filters.contract.ts';

/** Binds a value to a statement; returns its place in the text. */
export type Bind = (value: Param) => string;

/** Cohorts as conditions on persons. */
export interface CohortConditions {
  has(cohortId: number): boolean;
  /**
   * SQL for whether a person, a row of the view `persons` that is called `alias`, is in the cohort; null when the project
   * has none with this id.
   */
  of(cohortId: number, alias: string, bind: Bind): string | null;
}

/** Cohorts of a project as they are now. */
export type CohortsOf = (projectId: number) => Promise<CohortConditions>;

/** Which rows are filtered, and what must be known of them. */
export interface FilterContext {
  /** The view or table that the statement reads: `all_events` and its parts, `persons`, or `groups`. */
  rows: 'events' | 'persons' | 'groups';
  /** The name of those rows in the statement. */
  alias: string;
  projectId: number;
  /** Unix milliseconds; spans such as `-7d` count from here. */
  now: number;
  /** The project's, by its IANA name: dates without a time zone are in it. */
  timezone: string;
  /** Absent where no filter can name a cohort. */
  cohorts?: CohortConditions;
}

/** A condition, and the values that it binds; their names begin with `filter`. */
export interface CompiledFilter {
  sql: string;
  params: Params;
}

const PROMOTED: ReadonlySet<string> = new Set(PROMOTED_PROPERTIES);

/**
 * Turns filters into a condition of a DuckDB statement. Throws invalid_input for `properties` when a filter does not fit
 * the rows or names no date where it must. An event's person is the one that it belongs to now, after merges.
 */
export function compileFilter(filter: PropertyGroup, context: FilterContext): CompiledFilter {
  const params: Record<string, Param> = {};
  const bind: Bind = (value) => {
    const name = `filter${Object.keys(params).length}`;
    params[name] = value;
    return `$${name}`;
  };
  return { sql: filterSql(filter, context, bind), params };
}

/** The same as a part of a statement whose values `bind` keeps. */
export function filterSql(filter: PropertyGroup, context: FilterContext, bind: Bind): string {
  const sqlOf = (node: PropertyGroup | PropertyLeaf): string => {
    if ('values' in node) return join(node.type, node.values.map(sqlOf));
    if (node.type === 'cohort') return cohortSql(node, context, bind);
    const { now, timezone } = context;
    const comparison = { operator: node.operator, values: listOf(node.value), now, timezone };
    return leafSql(node, comparison, context, bind);
  };
  return sqlOf(filter);
}

/** The regular expressions of a filter. */
export function patternsOf(node: PropertyGroup | PropertyLeaf): string[] {
  if ('values' in node) return node.values.flatMap(patternsOf);
  return takesPattern(node.operator) ? listOf(node.value).map(String) : [];
}

/** SQL for the text of a property in a column of JSON text; NULL when it is absent or null. */
export function propertyText(column: string, key: string, bind: Bind): string {
  return `json_extract_string(${column}, ${bind(propertyPointer(key))})`;
}

/** SQL for the text of an event's property, from its column where it has one, or as it is computed where it is virtual. */
export function eventPropertyText(alias: string, key: string, bind: Bind): string {
  const virtual = virtualPropertyText('events', alias, key, bind);
  if (virtual !== null) return virtual;
  if (PROMOTED.has(key)) return `${alias}.${quoteIdentifier(key)}`;
  return propertyText(`${alias}.properties`, key, bind);
}

function join(type: 'AND' | 'OR', conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : `(${conditions.join(` ${type} `)})`;
}

function listOf(value: PropertyLeaf['value']): PropertyComparison['values'] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

type CohortLeaf = Extract<PropertyLeaf, { type: 'cohort' }>;

function leafSql(
  leaf: Exclude<PropertyLeaf, CohortLeaf>,
  comparison: PropertyComparison,
  context: FilterContext,
  bind: Bind,
): string {
  const { rows, alias } = context;
  const own = { events: 'event', persons: 'person', groups: 'group' }[rows];
  if (leaf.type === own) return compareProperty(rows, alias, leaf.key, comparison, bind);
  if (rows !== 'events') {
    throw refusal(`Filters of type ${leaf.type} are not supported here: use the type ${own}.`);
  }
  if (leaf.type === 'event_name') {
    return `${alias}.event IN (${comparison.values.map((value) => bind(String(value))).join(', ')})`;
  }
  if (leaf.type === 'feature') {
    const key = leaf.key.startsWith('$feature/') ? leaf.key : `$feature/${leaf.key}`;
    return compareText(eventPropertyText(alias, key, bind), comparison, bind);
  }
  if (leaf.type === 'element') {
    const x = { type: 'String', sql: `${alias}.elements_chain` } as const;
    return conditionSql(elementExpr(field('x'), leaf.key, comparison), { x }, comparison, bind);
  }
  if (leaf.type === 'person') return personSql(leaf.key, comparison, context, bind);
  return groupSql(leaf as PropertyLeaf & { type: 'group' }, comparison, context, bind);
}

/** SQL for a condition on a property of the rows of a view: true, or false or NULL. */
function compareProperty(
  rows: FilterContext['rows'],
  alias: string,
  key: string,
  comparison: PropertyComparison,
  bind: Bind,
): string {
  const x =
    rows === 'events'
      ? eventPropertyText(alias, key, bind)
      : (virtualPropertyText(rows, alias, key, bind) ?? propertyText(`${alias}.properties`, key, bind));
  return compareText(x, comparison, bind);
}

/** SQL for the text of a virtual property, by what HogQL computes it from; null for any other. Throws invalid_input for one that there is not. */
export function virtualPropertyText(
  rows: FilterContext['rows'],
  alias: string,
  key: string,
  bind: Bind,
): string | null {
  if (!isVirtual(key)) return null;
  const virtual = TABLES.get(rows)!.expressions?.get(key);
  if (virtual === undefined) throw refusal(`There is no virtual property "${key.slice(0, 80)}".`);
  const properties = { type: 'JSON', sql: `${alias}.properties` } as const;
  return compileValue(call('toString', virtual.expr), { properties }, bind, 'UTC');
}

/** SQL for a condition on a text: true, or false or NULL. */
function compareText(x: string, comparison: PropertyComparison, bind: Bind): string {
  const condition = compareOperand(textOperand(field('x')), comparison);
  return conditionSql(condition, { x: { type: 'String', sql: x } }, comparison, bind);
}

/** Throws invalid_input for a condition beyond the limits of HogQL, such as patterns that are too long together. */
function conditionSql(
  condition: Expr,
  inputs: Parameters<typeof compileCondition>[1],
  { timezone }: PropertyComparison,
  bind: Bind,
): string {
  try {
    return compileCondition(condition, inputs, bind, timezone);
  } catch (error) {
    if (error instanceof HogqlError) throw refusal(error.message);
    throw error;
  }
}

/** Events without a person pass an operator that holds for absent values: then those are left out whose person does not. */
function personSql(key: string, comparison: PropertyComparison, context: FilterContext, bind: Bind): string {
  const isNegative = matchesMissing(comparison.operator);
  const holds = compareProperty('persons', 'p', key, comparison, bind);
  return ofPersons(isNegative ? `NOT coalesce(${holds}, false)` : holds, isNegative, context, bind);
}

/** Who is in no cohort, as events without a person, passes what says not. */
function cohortSql(leaf: CohortLeaf, context: FilterContext, bind: Bind): string {
  const { rows, alias, cohorts } = context;
  if (rows === 'groups' || cohorts === undefined) throw refusal('Cohort filters are not supported here.');
  const isNegative = (leaf.operator === 'not_in' || leaf.operator === 'is_not') !== (leaf.negation ?? false);
  const holds = cohorts.of(leaf.value, rows === 'persons' ? alias : 'p', bind);
  if (holds === null) throw refusal(`Cohort ${leaf.value} does not exist in this project.`);
  if (rows === 'persons') return `${isNegative ? 'NOT ' : ''}(${holds})`;
  return ofPersons(holds, isNegative, context, bind);
}

/**
 * SQL for events of persons of whom `where` holds, or (`isNegative`) for all others. The persons, called `p`, are found
 * first, with those that were merged into them, so that events need no join.
 */
function ofPersons(where: string, isNegative: boolean, context: FilterContext, bind: Bind): string {
  const persons = `SELECT p.id FROM persons p WHERE p.project_id = ${bind(context.projectId)} AND ${where}`;
  return `${context.alias}.person_id ${isNegative ? 'NOT IN' : 'IN'} (
    WITH found AS MATERIALIZED (${persons})
    SELECT id FROM found UNION ALL
    SELECT o.old_person_id FROM person_overrides o WHERE o.person_id IN (SELECT id FROM found))`;
}

/** The group of the event's `$group_N`; its key is known as the property `$group_key`. */
function groupSql(
  leaf: PropertyLeaf & { type: 'group' },
  comparison: PropertyComparison,
  context: FilterContext,
  bind: Bind,
): string {
  const index = leaf.group_type_index;
  const column = eventPropertyText(context.alias, `$group_${index}`, bind);
  if (leaf.key === '$group_key') return compareText(column, comparison, bind);
  const isNegative = matchesMissing(comparison.operator);
  const holds = compareProperty('groups', 'g', leaf.key, comparison, bind);
  const keys = `SELECT g.group_key FROM groups g WHERE g.project_id = ${bind(context.projectId)}
    AND g.group_type_index = ${bind(index)} AND ${isNegative ? `NOT coalesce(${holds}, false)` : holds}`;
  return isNegative ? `(${column} IS NULL OR ${column} NOT IN (${keys}))` : `${column} IN (${keys})`;
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}
