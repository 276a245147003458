import type { Param } from '../../db/db.ts';
import { fail, type ApiError } from '../../errors.ts';
import {
  DATE_PATTERN,
  NUMBER_PATTERN,
  OFFSET_PATTERN,
  readDate,
  readFilterDate,
  readNumber,
  textOf,
} from './filter-value.ts';
import type { Operator, Scalar } from './property-filters.contract.ts';

/** Puts a value beside the statement; returns its place in the text. */
export type Bind = (value: Param) => string;

/** What compares: operator, its values, and now in Unix milliseconds for spans such as `-7d`. */
export interface Comparison {
  operator: Operator;
  values: readonly Scalar[];
  now: number;
}

const NEGATIVE: Partial<Record<Operator, Operator>> = {
  is_not: 'exact',
  not_in: 'exact',
  not_icontains: 'icontains',
  not_regex: 'regex',
};
const SIGNS: Partial<Record<Operator, '>' | '>=' | '<' | '<='>> = {
  gt: '>',
  gte: '>=',
  min: '>=',
  lt: '<',
  lte: '<=',
  max: '<=',
};

/** Whether the operator holds for what is not there (ingestion contract P-1). */
export function holdsForAbsent(operator: Operator): boolean {
  return operator === 'is_not_set' || operator === 'not_between' || NEGATIVE[operator] !== undefined;
}

/** Whether the operator asks for equal values, or for none of them. */
export function isEquality(operator: Operator): boolean {
  return operator === 'exact' || operator === 'in' || NEGATIVE[operator] === 'exact';
}

/**
 * A SQL condition on a text (`x`, NULL when the property is absent or null) by the P-rules of the ingestion contract.
 * For absent ones it is true or, meaning no, NULL or false. The filter's value decides how an order is understood: a
 * number compares with numbers, a date with dates, any other text with texts; what cannot be compared does not match.
 */
export function compareText(x: string, comparison: Comparison, bind: Bind): string {
  const { operator, values } = comparison;
  const positive = NEGATIVE[operator];
  if (positive !== undefined) {
    return `coalesce(NOT (${compareText(x, { ...comparison, operator: positive }, bind)}), true)`;
  }
  const sign = SIGNS[operator];
  if (sign !== undefined) return order(x, sign, values[0]!, bind);
  switch (operator) {
    case 'is_set':
      return `${x} IS NOT NULL`;
    case 'is_not_set':
      return `${x} IS NULL`;
    case 'icontains':
      return anyOf(values, (value) => `contains(lower(${x}), lower(${bind(textOf(value))}))`);
    case 'regex':
      return anyOf(values, (value) => `regexp_matches(${x}, ${bind(textOf(value))})`);
    case 'between':
    case 'not_between':
      return range(x, operator, values, bind);
    case 'is_date_exact':
    case 'is_date_before':
    case 'is_date_after':
      return onDate(x, operator, values[0]!, comparison.now, bind);
    default:
      return equal(x, values, bind);
  }
}

function anyOf(values: readonly Scalar[], condition: (value: Scalar) => string): string {
  return `(${values.map(condition).join(' OR ')})`;
}

/** Equal as text whatever the case (P-2); a number in the filter also equals one that is written otherwise, as 1.0. */
function equal(x: string, values: readonly Scalar[], bind: Bind): string {
  // An empty list means truthy (P-2).
  if (values.length === 0) return `lower(${x}) = 'true'`;
  const texts = values.map((value) => `lower(${bind(textOf(value))})`);
  const numbers = values.filter((value) => typeof value === 'number');
  const asText = `lower(${x}) IN (${texts.join(', ')})`;
  if (numbers.length === 0) return asText;
  return `(${asText} OR (try_cast(${x} AS DOUBLE) IN (${numbers.map(bind).join(', ')}) AND ${isNumber(x)}))`;
}

function order(x: string, sign: string, value: Scalar, bind: Bind): string {
  const number = readNumber(value);
  if (number !== null) return `(try_cast(${x} AS DOUBLE) ${sign} ${bind(number)} AND ${isNumber(x)})`;
  const date = readDate(value);
  if (date !== null) return `${dateOf(x)} ${sign} ${bind(date.start)}`;
  return `${x} ${sign} ${bind(textOf(value))}`;
}

/** Both ends belong to the range (P-5). */
function range(x: string, operator: Operator, values: readonly Scalar[], bind: Bind): string {
  const numbers = values.map(readNumber);
  const dates = values.map((value) => readDate(value)?.start ?? null);
  const [low, high] = numbers.includes(null) ? dates : numbers;
  if (low === null || high === null || low === undefined || high === undefined) {
    throw refusal(`The operator ${operator} needs two numbers or two dates.`);
  }
  const number = numbers.includes(null)
    ? dateOf(x)
    : `CASE WHEN ${isNumber(x)} THEN try_cast(${x} AS DOUBLE) END`;
  const isIn = `(${number}) BETWEEN ${bind(low)} AND ${bind(high)}`;
  return operator === 'between' ? isIn : `(${x} IS NULL OR coalesce(NOT (${isIn}), false))`;
}

/** P-7; a date without a time is all of that day. */
function onDate(x: string, operator: Operator, value: Scalar, now: number, bind: Bind): string {
  const date = readFilterDate(value, now);
  if (date === null) {
    throw refusal(
      `The operator ${operator} needs a date such as 2026-03-04, or a span before now such as -7d.`,
    );
  }
  if (operator === 'is_date_before') return `${dateOf(x)} < ${bind(date.start)}`;
  if (operator === 'is_date_after') return `${dateOf(x)} >= ${bind(date.end)}`;
  return `(${dateOf(x)} >= ${bind(date.start)} AND ${dateOf(x)} < ${bind(date.end)})`;
}

function isNumber(x: string): string {
  return `regexp_full_match(${x}, '${NUMBER_PATTERN}')`;
}

/**
 * Unix microseconds of a text that is a date, or a number of Unix seconds; else NULL. A cast to TIMESTAMP ignores an
 * offset and one to TIMESTAMPTZ takes the machine's where there is none, so each does what it does right.
 */
function dateOf(x: string): string {
  return `(CASE
    WHEN ${isNumber(x)} THEN try_cast(${x} AS DOUBLE) * 1000000
    WHEN NOT regexp_full_match(${x}, '${DATE_PATTERN}') THEN NULL
    WHEN regexp_matches(${x}, '${OFFSET_PATTERN}') THEN epoch_us(try_cast(${x} AS TIMESTAMPTZ))::DOUBLE
    ELSE epoch_us(try_cast(${x} AS TIMESTAMP))::DOUBLE END)`;
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}
