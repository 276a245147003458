import { compareAsFlags } from '../../conditions/operators.ts';
import { field } from '../../hogql/build.ts';
import { compileCondition } from '../../hogql/compile.ts';
import { flagNumberSql, microsSql } from '../../hogql/functions/text-sql.ts';
import { propertyPointer } from '../../warehouse/duckdb/promoted-properties.ts';
import { virtualPropertyText, type Bind, type PropertyGroup } from '../property-filters/index.ts';
import { behaviourSql } from './behaviour-sql.ts';
import type { CohortTree, CohortTreeLeaf, PersonLeaf } from './kinds/cohort-tree.contract.ts';

/** SQL for one property of a person, as flags read it. */
export interface PropertySql {
  /** As a number, NULL for any other value (P-5). */
  text: string;
  /** The same in lower case. */
  lower: string;
  /** As a number, NULL for any other value (P-5). */
  number: string;
  /** As Unix microseconds, NULL for an invalid date (P-7). */
  micros: string;
  /** Its type as `json_type` says it. */
  type: string;
}

/** The forms of a property of this text and type; a date without a time zone is in `timezone`. */
export function flagProperty(text: string, type: string, timezone: string): PropertySql {
  return {
    text,
    lower: `lower(${text})`,
    number: flagNumberSql(text),
    micros: microsSql(text, timezone),
    type,
  };
}

/** What is known of a cohort when a condition on it is printed. */
export interface CohortRule {
  readonly isStatic: boolean;
  /** Null for a fixed list, and for a cohort without a rule: all persons are in it, as flags and SDKs take it. */
  readonly tree: CohortTree | null;
}

/** How the conditions of one statement are printed. */
export interface CohortSqlContext {
  projectId: number;
  /** Unix milliseconds. */
  now: number;
  /** The project's, by its IANA name. */
  timezone: string;
  /** The name of the persons in the statement. */
  alias: string;
  bind: Bind;
  /** The project's cohorts that are not deleted. */
  rule(cohortId: number): CohortRule | null;
  actionFilter(id: number): PropertyGroup | null;
  /** A property of the persons, where the statement has read it already. */
  propertyOf?(key: string): PropertySql;
}

/** SQL for whether a person is in a cohort: true or false, and false for one that is not there. */
export function memberSql(cohortId: number, context: CohortSqlContext): string {
  const rule = context.rule(cohortId);
  if (rule === null) return 'false';
  if (rule.isStatic) return `${context.alias}.id IN (${listedSql(cohortId, context)})`;
  return rule.tree === null ? 'true' : treeSql(rule.tree, context);
}

/** SQL for whether a person fits a tree of conditions: true or false. */
export function treeSql({ type, values }: CohortTree, context: CohortSqlContext): string {
  if (values.length === 0) return String(type === 'AND');
  const parts = values.map((part) => ('values' in part ? treeSql(part, context) : leafSql(part, context)));
  return `(${parts.join(` ${type} `)})`;
}

/**
 * SQL for the ids of the persons of a static cohort; merged persons are listed under the person that absorbed them.
 */
export function listedSql(
  cohortId: number,
  { projectId, bind }: Pick<CohortSqlContext, 'projectId' | 'bind'>,
): string {
  return `SELECT coalesce(o.person_id, c.person_id) FROM cohort_people c
    LEFT JOIN person_overrides o ON o.old_person_id = c.person_id
    WHERE c.project_id = ${bind(projectId)} AND c.cohort_id = ${bind(cohortId)}`;
}

function leafSql(leaf: CohortTreeLeaf, context: CohortSqlContext): string {
  const { alias } = context;
  if (leaf.type === 'person') {
    const property = context.propertyOf?.(leaf.key) ?? propertySql(leaf.key, context);
    return personSql(leaf, property, context);
  }
  if (leaf.type === 'cohort') {
    return inverted(leaf.negation !== (leaf.operator === 'not_in'), memberSql(leaf.value, context));
  }
  return inverted(leaf.negation, `${alias}.id IN (${behaviourSql(leaf, context)})`);
}

/** A property of a column of JSON text. Null is a value here (P-2, P-6); other filters take it for absent. */
function propertySql(key: string, { alias, bind, timezone }: CohortSqlContext): PropertySql {
  const virtual = virtualPropertyText('persons', alias, key, bind);
  if (virtual !== null) return flagProperty(virtual, `'VARCHAR'`, timezone);
  const column = `${alias}.properties`;
  const pointer = bind(propertyPointer(key));
  const text = `coalesce(json_extract_string(${column}, ${pointer}),
    CASE WHEN contains(${column}, 'null') AND json_exists(${column}, ${pointer}) THEN 'null' END)`;
  return flagProperty(text, `json_type(${column}, ${pointer})`, timezone);
}

const OPERAND = {
  text: field('text'),
  lower: field('lower'),
  number: field('number'),
  micros: field('micros'),
  type: field('type'),
};

/** SQL for whether a leaf on a property holds as flags read it: true or false. */
function personSql(
  leaf: PersonLeaf,
  property: PropertySql,
  { now, timezone, bind }: CohortSqlContext,
): string {
  const values = [leaf.value ?? []].flat();
  const condition = compareAsFlags(OPERAND, { operator: leaf.operator, values, now, timezone });
  const inputs = {
    text: { type: 'String', sql: property.text },
    lower: { type: 'String', sql: property.lower },
    number: { type: 'Float64', sql: property.number },
    micros: { type: 'Float64', sql: property.micros },
    type: { type: 'String', sql: property.type },
  } as const;
  return inverted(leaf.negation, `coalesce(${compileCondition(condition, inputs, bind, timezone)}, false)`);
}

function inverted(isInverted: boolean, condition: string): string {
  return isInverted ? `NOT (${condition})` : condition;
}
