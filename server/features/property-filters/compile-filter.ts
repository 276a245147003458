import type { Param, Params } from '../../db/db.ts';
import { fail, type ApiError } from '../../errors.ts';
import {
  PROMOTED_PROPERTIES,
  propertyPointer,
  quoteIdentifier,
} from '../../warehouse/duckdb/promoted-properties.ts';
import type { Bind } from './bind.ts';
import { compareText, holdsForAbsent, isEquality, type Comparison } from './compare-text.ts';
import { matchesSelector } from './element-selector.ts';
import { ELEMENT_KEYS, elementTexts } from './element-text.ts';
import type { PropertyGroup, PropertyLeaf } from './property-filters.contract.ts';

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
  /** Absent where no filter can name a cohort. */
  cohorts?: CohortConditions;
}

/** A condition, and the values that stand beside the statement; their names begin with `filter`. */
export interface CompiledFilter {
  sql: string;
  params: Params;
  /** Regular expressions in it, which the database alone can judge: see `checkPatterns`. */
  patterns: readonly string[];
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
  return { ...filterSql(filter, context, bind), params };
}

/** The same as a part of a statement whose values `bind` keeps. */
export function filterSql(
  filter: PropertyGroup,
  context: FilterContext,
  bind: Bind,
): Omit<CompiledFilter, 'params'> {
  const patterns: string[] = [];
  const sqlOf = (node: PropertyGroup | PropertyLeaf): string => {
    if ('values' in node) return join(node.type, node.values.map(sqlOf));
    if (node.type === 'cohort') return cohortSql(node, context, bind);
    const comparison = { operator: node.operator, values: listOf(node.value), now: context.now };
    if (node.operator === 'regex' || node.operator === 'not_regex') {
      patterns.push(...comparison.values.map(String));
    }
    return leafSql(node, comparison, context, bind);
  };
  return { sql: sqlOf(filter), patterns };
}

/** SQL for the text of a property in a column of JSON text; NULL when it is absent or null. */
export function propertyText(column: string, key: string, bind: Bind): string {
  return `json_extract_string(${column}, ${bind(propertyPointer(key))})`;
}

/** SQL for the text of an event's property, from its column where it has one. */
export function eventPropertyText(alias: string, key: string, bind: Bind): string {
  if (PROMOTED.has(key)) return `${alias}.${quoteIdentifier(key)}`;
  return propertyText(`${alias}.properties`, key, bind);
}

function join(type: 'AND' | 'OR', conditions: readonly string[]): string {
  return conditions.length === 0 ? 'true' : `(${conditions.join(` ${type} `)})`;
}

function listOf(value: PropertyLeaf['value']): Comparison['values'] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

type CohortLeaf = Extract<PropertyLeaf, { type: 'cohort' }>;

function leafSql(
  leaf: Exclude<PropertyLeaf, CohortLeaf>,
  comparison: Comparison,
  context: FilterContext,
  bind: Bind,
): string {
  const { rows, alias } = context;
  const own = { events: 'event', persons: 'person', groups: 'group' }[rows];
  if (leaf.type === own) {
    const x =
      rows === 'events'
        ? eventPropertyText(alias, leaf.key, bind)
        : propertyText(`${alias}.properties`, leaf.key, bind);
    return compareText(x, comparison, bind);
  }
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
  if (leaf.type === 'element') return elementSql(leaf.key, comparison, alias, bind);
  if (leaf.type === 'person') return personSql(leaf.key, comparison, context, bind);
  return groupSql(leaf as PropertyLeaf & { type: 'group' }, comparison, context, bind);
}

/** Of the elements of the chain, one must match, or none when the operator says not. */
function elementSql(key: string, comparison: Comparison, alias: string, bind: Bind): string {
  const known = ELEMENT_KEYS.find((name) => name === key);
  if (known === undefined) throw refusal(`Element filters support the keys ${ELEMENT_KEYS.join(', ')}.`);
  const isNegative = holdsForAbsent(comparison.operator);
  const chain = `${alias}.elements_chain`;
  if (known === 'selector') return selectorSql(chain, comparison, isNegative, bind);
  const texts = elementTexts(chain, known);
  const wanted = compareText('v', comparison, bind);
  const hits = `len(list_filter(${texts}, lambda v: ${isNegative ? `NOT (${wanted})` : wanted}))`;
  return isNegative ? `${hits} = 0` : `${hits} > 0`;
}

function selectorSql(chain: string, comparison: Comparison, isNegative: boolean, bind: Bind): string {
  if (!isEquality(comparison.operator) || comparison.values.length === 0) {
    throw refusal('Selector filters require the operator exact or is_not, and a CSS selector.');
  }
  const conditions = comparison.values.map((value) => {
    const condition = matchesSelector(chain, String(value), bind);
    if (condition === null) throw refusal(`Invalid CSS selector: ${String(value)}`);
    return condition;
  });
  return `${isNegative ? 'NOT ' : ''}${join('OR', conditions)}`;
}

/** Events without a person pass an operator that holds for absent values: then those are left out whose person does not. */
function personSql(key: string, comparison: Comparison, context: FilterContext, bind: Bind): string {
  const isNegative = holdsForAbsent(comparison.operator);
  const holds = compareText(propertyText('p.properties', key, bind), comparison, bind);
  return ofPersons(isNegative ? `NOT (${holds})` : holds, isNegative, context, bind);
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
  comparison: Comparison,
  context: FilterContext,
  bind: Bind,
): string {
  const index = leaf.group_type_index;
  const column = eventPropertyText(context.alias, `$group_${index}`, bind);
  if (leaf.key === '$group_key') return compareText(column, comparison, bind);
  const isNegative = holdsForAbsent(comparison.operator);
  const holds = compareText(propertyText('g.properties', leaf.key, bind), comparison, bind);
  const keys = `SELECT g.group_key FROM groups g WHERE g.project_id = ${bind(context.projectId)}
    AND g.group_type_index = ${bind(index)} AND ${isNegative ? `NOT (${holds})` : holds}`;
  return isNegative ? `(${column} IS NULL OR ${column} NOT IN (${keys}))` : `${column} IN (${keys})`;
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}
