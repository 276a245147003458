import { isSemverOperator, type Operator, type Scalar } from '../../conditions/operators.contract.ts';
import { compareOperand, textOperand } from '../../conditions/to-hogql.ts';
import { field } from '../../hogql/build.ts';
import { compileTextCondition } from '../../hogql/compile.ts';
import type { Bind } from '../property-filters/index.ts';
import { isoDateSql, matchesSql } from '../../hogql/functions/text-sql.ts';
import { momentBefore, readRelativeDate } from '../../conditions/index.ts';
import type { PersonLeaf } from './kinds/cohort-tree.contract.ts';

/** SQL for one property of a person. */
export interface PropertySql {
  /** Its text: NULL when it is not there, `null` when it is null, JSON of what is no text. */
  text: string;
  /** The same in lower case. */
  lower: string;
  /** As a number, NULL for what is none (P-5). */
  number: string;
  /** As Unix microseconds, NULL for what is no date (P-7). */
  date: string;
  /** Its type as `json_type` says it. */
  type: string;
}

/** What a property of this text and type is compared by. */
export function comparedBy(text: string, type: string): PropertySql {
  return { text, lower: `lower(${text})`, number: numberSql(text), date: dateSql(text, type), type };
}

/** Numbers as flags read them; JavaScript and RE2 agree on it. */
const NUMBER_PATTERN = '\\s*[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?\\s*';
/** JSON of a list of nothing but true, also as a word and in lists. */
const TRUTHY_LIST = '(\\[|\\]|,|true|"[tT][rR][uU][eE]")*';
/** Longer texts are not searched (`conditions/operators.ts`). */
const MAX_SEARCHED = 20_000;
const DAY_US = 86_400_000_000;
const POSITIVE: Partial<Record<Operator, Operator>> = {
  is_not: 'exact',
  not_icontains: 'icontains',
  not_icontains_multi: 'icontains',
  not_starts_with: 'starts_with',
  not_ends_with: 'ends_with',
};
const ORDERS: Partial<Record<Operator, string>> = { gt: '>', gte: '>=', lt: '<', lte: '<=' };
const TESTS: Partial<Record<Operator, string>> = {
  icontains: 'contains',
  icontains_multi: 'contains',
  starts_with: 'starts_with',
  ends_with: 'ends_with',
};

/**
 * SQL, never NULL, for whether a leaf on a property holds by the P-rules of the ingestion contract, so that a cohort has the
 * members that flags see in it. Other filters (`conditions/to-hogql.ts`) also compare dates and texts in order, and numbers
 * that are written otherwise.
 */
export function personSql(leaf: PersonLeaf, property: PropertySql, now: number, bind: Bind): string {
  const { operator, negation } = leaf;
  const positive = POSITIVE[operator];
  const holds =
    positive === undefined
      ? comparison(leaf, property, now, bind)
      : `(${property.text} IS NULL OR NOT ${comparison({ ...leaf, operator: positive }, property, now, bind)})`;
  return `${negation ? 'NOT ' : ''}coalesce(${holds}, false)`;
}

function comparison(leaf: PersonLeaf, property: PropertySql, now: number, bind: Bind): string {
  const { operator } = leaf;
  const { text } = property;
  const values = valuesOf(leaf);
  const first = values[0] ?? '';
  const order = ORDERS[operator];
  if (order !== undefined) return `(${property.number}) ${order} ${bind(Number(first))}`;
  if (isSemverOperator(operator))
    return compileTextCondition(
      compareOperand(textOperand(field('x')), { operator, values, now }),
      text,
      bind,
    );
  const test = TESTS[operator];
  if (test !== undefined) {
    return `(${values.map((value) => `${test}(${property.lower}, lower(${bind(String(value))}))`).join(' OR ')})`;
  }
  switch (operator) {
    case 'is_set':
      return `${text} IS NOT NULL`;
    case 'is_not_set':
      return `${text} IS NULL`;
    case 'regex':
      return `(length(${text}) <= ${MAX_SEARCHED} AND ${matchesSql(text, bind(String(first)))})`;
    case 'not_regex':
      return `(${text} IS NULL OR
        (length(${text}) <= ${MAX_SEARCHED} AND NOT ${matchesSql(text, bind(String(first)))}))`;
    case 'between':
      return between(property, values, bind);
    case 'not_between':
      return `(${text} IS NULL OR NOT ${between(property, values, bind)})`;
    case 'is_date_exact':
    case 'is_date_before':
    case 'is_date_after':
      return onDate(operator, String(first), property.date, now, bind);
    default:
      return equal(leaf, property, bind);
  }
}

function valuesOf({ value }: PersonLeaf): readonly Scalar[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** P-2: as text, whatever the case; an empty list means truthy. */
function equal(leaf: PersonLeaf, { text, lower, type }: PropertySql, bind: Bind): string {
  const values = valuesOf(leaf);
  if (values.length > 0) {
    return `${lower} IN (${values.map((value) => `lower(${bind(String(value))})`).join(', ')})`;
  }
  return `(${lower} = 'true' OR (${type} = 'ARRAY' AND regexp_full_match(${text}, '${TRUTHY_LIST}')))`;
}

/** P-5: NULL for a text that is no number. */
function numberSql(text: string): string {
  const number = `try_cast(trim(${text}) AS DOUBLE)`;
  return `CASE WHEN regexp_full_match(${text}, '${NUMBER_PATTERN}') AND isfinite(${number}) THEN ${number} END`;
}

function between({ number }: PropertySql, [low, high]: readonly Scalar[], bind: Bind): string {
  return `(${number}) BETWEEN ${bind(Number(low))} AND ${bind(Number(high))}`;
}

/** ISO text, or a number of Unix seconds. */
function dateSql(text: string, type: string): string {
  const seconds = `try_cast(${text} AS DOUBLE) * 1000000`;
  const numbers = ['DOUBLE', 'BIGINT', 'UBIGINT'].map((name) => `WHEN '${name}' THEN ${seconds}`);
  return `CASE ${type} WHEN 'VARCHAR' THEN ${isoDateSql(text)} ${numbers.join(' ')} END`;
}

/** P-7: a day, or a span before now, means all of its day in UTC when it is to be exact, else its first moment. */
function onDate(
  operator: 'is_date_exact' | 'is_date_before' | 'is_date_after',
  wanted: string,
  got: string,
  now: number,
  bind: Bind,
): string {
  const relative = readRelativeDate(wanted);
  const isDay = relative !== null || wanted.length === '2026-03-04'.length;
  const date =
    relative === null
      ? isoDateSql(`${bind(wanted)}::VARCHAR`)
      : `${bind(momentBefore(relative, now) * 1_000)}::DOUBLE`;
  if (operator === 'is_date_before') return `(${got}) < ${date}`;
  if (operator === 'is_date_after') return `(${got}) > ${date}`;
  return isDay ? `floor((${got}) / ${DAY_US}) = floor(${date} / ${DAY_US})` : `(${got}) = ${date}`;
}
