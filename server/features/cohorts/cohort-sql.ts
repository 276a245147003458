import { propertyPointer } from '../../warehouse/duckdb/promoted-properties.ts';
import type { Bind, PropertyGroup } from '../property-filters/index.ts';
import { behaviourSql } from './behaviour-sql.ts';
import type { CohortTree, CohortTreeLeaf } from './kinds/cohort-tree.contract.ts';
import { comparedBy, personSql, type PropertySql } from './person-sql.ts';

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

/** SQL for the ids of the persons of a fixed list; those that were merged since stand there by who took them in. */
export function listedSql(
  cohortId: number,
  { projectId, bind }: Pick<CohortSqlContext, 'projectId' | 'bind'>,
): string {
  return `SELECT coalesce(o.person_id, c.person_id) FROM cohort_people c
    LEFT JOIN person_overrides o ON o.old_person_id = c.person_id
    WHERE c.project_id = ${bind(projectId)} AND c.cohort_id = ${bind(cohortId)}`;
}

function leafSql(leaf: CohortTreeLeaf, context: CohortSqlContext): string {
  const { alias, bind, now } = context;
  if (leaf.type === 'person') {
    const property = context.propertyOf?.(leaf.key) ?? propertySql(`${alias}.properties`, leaf.key, bind);
    return personSql(leaf, property, now, bind);
  }
  if (leaf.type === 'cohort') {
    return inverted(leaf.negation !== (leaf.operator === 'not_in'), memberSql(leaf.value, context));
  }
  return inverted(leaf.negation, `${alias}.id IN (${behaviourSql(leaf, context)})`);
}

/** A property of a column of JSON text. Null is a value here (P-2, P-6); other filters take it for absent. */
function propertySql(column: string, key: string, bind: Bind): PropertySql {
  const pointer = bind(propertyPointer(key));
  const text = `coalesce(json_extract_string(${column}, ${pointer}),
    CASE WHEN contains(${column}, 'null') AND json_exists(${column}, ${pointer}) THEN 'null' END)`;
  return comparedBy(text, `json_type(${column}, ${pointer})`);
}

function inverted(isInverted: boolean, condition: string): string {
  return isInverted ? `NOT (${condition})` : condition;
}
