import { fail, type ApiError } from '../../errors.ts';
import { isNumberSql, matchesSql, microsSql, numberSql } from '../../hogql/functions/text-sql.ts';
import { readDate, readFilterDate, readNumber, textOf } from './filter-value.ts';
import { compareVersions, isSemverOperator } from './compare-versions.ts';
import type { Bind } from './bind.ts';
import type { Operator, Scalar } from './property-filters.contract.ts';

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
  not_icontains_multi: 'icontains_multi',
  not_starts_with: 'starts_with',
  not_ends_with: 'ends_with',
  not_regex: 'regex',
};
/** The operator that an operator denies; undefined for those that deny none. */
export function negated(operator: Operator): Operator | undefined {
  return NEGATIVE[operator];
}

/** How two values are compared, for the operators that ask for an order. */
export const ORDER_SIGNS: Partial<Record<Operator, '>' | '>=' | '<' | '<='>> = {
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
  const positive = negated(operator);
  if (positive !== undefined) {
    return `coalesce(NOT (${compareText(x, { ...comparison, operator: positive }, bind)}), true)`;
  }
  const sign = ORDER_SIGNS[operator];
  if (sign !== undefined) return order(x, sign, values[0]!, bind);
  if (isSemverOperator(operator)) return compareVersions(x, operator, textOf(values[0]!), bind);
  switch (operator) {
    case 'is_set':
      return `${x} IS NOT NULL`;
    case 'is_not_set':
      return `${x} IS NULL`;
    case 'icontains':
    case 'icontains_multi':
      return anyOf(values, (value) => `contains(lower(${x}), lower(${bind(textOf(value))}))`);
    case 'starts_with':
    case 'ends_with':
      return anyOf(values, (value) => `${operator}(lower(${x}), lower(${bind(textOf(value))}))`);
    case 'regex':
      return anyOf(values, (value) => matchesSql(x, bind(textOf(value))));
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
  return `(${asText} OR ${numberSql(x)} IN (${numbers.map(bind).join(', ')}))`;
}

function order(x: string, sign: string, value: Scalar, bind: Bind): string {
  const number = readNumber(value);
  // Few rows are left of which the pattern must tell whether the text was a number.
  if (number !== null) return `(try_cast(${x} AS DOUBLE) ${sign} ${bind(number)} AND ${isNumberSql(x)})`;
  const date = readDate(value);
  if (date !== null) return `${microsSql(x)} ${sign} ${bind(date.start)}`;
  return `${x} ${sign} ${bind(textOf(value))}`;
}

/** Both ends belong to the range (P-5). */
function range(x: string, operator: Operator, values: readonly Scalar[], bind: Bind): string {
  const numbers = values.map(readNumber);
  const dates = values.map((value) => readDate(value)?.start ?? null);
  const [low, high] = numbers.includes(null) ? dates : numbers;
  if (low === null || high === null || low === undefined || high === undefined) {
    throw refusal(`The operator ${operator} requires two numbers or two dates.`);
  }
  const number = numbers.includes(null) ? microsSql(x) : numberSql(x);
  const isIn = `${number} BETWEEN ${bind(low)} AND ${bind(high)}`;
  return operator === 'between' ? isIn : `(${x} IS NULL OR coalesce(NOT (${isIn}), false))`;
}

/** P-7; a date without a time is all of that day. */
function onDate(x: string, operator: Operator, value: Scalar, now: number, bind: Bind): string {
  const date = readFilterDate(value, now);
  if (date === null) {
    throw refusal(
      `The operator ${operator} requires a date such as 2026-03-04, or a relative date such as -7d.`,
    );
  }
  if (operator === 'is_date_before') return `${microsSql(x)} < ${bind(date.start)}`;
  if (operator === 'is_date_after') return `${microsSql(x)} >= ${bind(date.end)}`;
  return `(${microsSql(x)} >= ${bind(date.start)} AND ${microsSql(x)} < ${bind(date.end)})`;
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}
