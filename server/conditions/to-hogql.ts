import { fail, type ApiError } from '../errors.ts';
import type { CompareOperator, Expr } from '../hogql/ast.ts';
import {
  and,
  array,
  between,
  call,
  compare,
  constant,
  field,
  isNotNull,
  isNull,
  lambda,
  not,
  or,
  tuple,
} from '../hogql/build.ts';
import { readIsoDate, type DateSpan } from '../lib/iso-date.ts';
import { NUMBER_PATTERN } from '../lib/number-text.ts';
import { parseRelativeTime } from '../lib/relative-time.ts';
import { readVersion, type Version } from '../lib/version-text.ts';
import {
  isSemverOperator,
  POSITIVE_OPERATORS,
  type Operator,
  type Scalar,
  type SemverOperator,
} from './operators.contract.ts';
import { compilePattern } from './operators.ts';

/** An operator with its values; `now` in Unix milliseconds, for spans such as `-7d`. */
export interface PropertyComparison {
  readonly operator: Operator;
  readonly values: readonly Scalar[];
  readonly now: number;
}

/** A value that is compared, in the forms in which it can be. */
export interface Operand {
  /** Its text; NULL when the property is not set or null. */
  readonly text: Expr;
  /** As a number; NULL for what is none. */
  readonly number: Expr;
  /** As Unix microseconds; NULL for what is no date. */
  readonly micros: Expr;
}

/** A text, wherever it comes from. */
export function textOperand(text: Expr): Operand {
  return { text, number: call('textNumber', text), micros: call('textMicros', text) };
}

/** How two values are compared, for the operators on an order. */
const ORDER_SIGNS: Partial<Record<Operator, CompareOperator>> = {
  gt: '>',
  gte: '>=',
  min: '>=',
  lt: '<',
  lte: '<=',
  max: '<=',
};

/**
 * The condition of a property filter as HogQL, by rules P of docs/contract. For a property that is not set it is true or,
 * meaning no, NULL or false. The filter's value decides the type: a number is compared with numbers, a date with dates,
 * any other text with texts; what cannot be compared does not match. Throws invalid_input for `properties`.
 */
export function compareOperand(x: Operand, comparison: PropertyComparison): Expr {
  const { operator, values } = comparison;
  const positive = POSITIVE_OPERATORS[operator];
  if (positive !== undefined) {
    const denied = compareOperand(x, { ...comparison, operator: positive });
    return call('coalesce', not(denied), constant(true));
  }
  const sign = ORDER_SIGNS[operator];
  if (sign !== undefined) return order(x, sign, values[0]!);
  if (isSemverOperator(operator)) return versions(x, operator, String(values[0]));
  switch (operator) {
    case 'is_set':
      return isNotNull(x.text);
    case 'is_not_set':
      return isNull(x.text);
    case 'icontains':
    case 'icontains_multi':
      return anyOf(values, (value) =>
        compare('>', call('position', lower(x.text), lower(text(value))), constant(0)),
      );
    case 'starts_with':
      return anyOf(values, (value) => call('startsWith', lower(x.text), lower(text(value))));
    case 'ends_with':
      return anyOf(values, (value) => call('endsWith', lower(x.text), lower(text(value))));
    case 'regex':
      return anyOf(values, (value) => call('match', x.text, text(checkedPattern(String(value)))));
    case 'between':
    case 'not_between':
      return range(x, operator, values);
    case 'is_date_exact':
    case 'is_date_before':
    case 'is_date_after':
      return onDate(x, operator, values[0]!, comparison.now);
    default:
      return equal(x, values);
  }
}

function text(value: Scalar): Expr {
  return constant(String(value));
}

function lower(expr: Expr): Expr {
  return call('lower', expr);
}

function anyOf(values: readonly Scalar[], condition: (value: Scalar) => Expr): Expr {
  return or(...values.map(condition));
}

/** P-2: equal as text whatever the case; a number also equals one that is written otherwise, as 1.0. An empty list means truthy. */
function equal(x: Operand, values: readonly Scalar[]): Expr {
  if (values.length === 0) return compare('==', lower(x.text), constant('true'));
  const numbers = values.filter((value) => typeof value === 'number');
  const asText = isOneOf(
    lower(x.text),
    values.map((value) => lower(text(value))),
  );
  if (numbers.length === 0) return asText;
  const asNumber = isOneOf(
    x.number,
    numbers.map((number) => constant(number)),
  );
  return or(asText, asNumber);
}

function isOneOf(x: Expr, values: readonly Expr[]): Expr {
  return values.length === 1 ? compare('==', x, values[0]!) : compare('in', x, tuple(...values));
}

function order(x: Operand, sign: CompareOperator, value: Scalar): Expr {
  const number = readNumber(value);
  if (number !== null) return compare(sign, x.number, constant(number));
  const date = readDate(value);
  if (date !== null) return compare(sign, x.micros, constant(date.start));
  return compare(sign, x.text, text(value));
}

/** P-5: both ends belong to the range. */
function range(x: Operand, operator: Operator, values: readonly Scalar[]): Expr {
  const numbers = values.map(readNumber);
  const isOfDates = numbers.includes(null);
  const [low, high] = isOfDates ? values.map((value) => readDate(value)?.start ?? null) : numbers;
  if (low === null || high === null || low === undefined || high === undefined) {
    throw refusal(`The operator ${operator} requires two numbers or two dates.`);
  }
  const value = isOfDates ? x.micros : x.number;
  const [from, to] = [constant(low), constant(high)];
  if (operator === 'between') return between(value, from, to);
  return or(isNull(x.text), compare('<', value, from), compare('>', value, to));
}

/** P-7; a date without a time is all of that day. */
function onDate({ micros }: Operand, operator: Operator, value: Scalar, now: number): Expr {
  const date = readFilterDate(value, now);
  if (date === null) {
    throw refusal(
      `The operator ${operator} requires a date such as 2026-03-04, or a relative date such as -7d.`,
    );
  }
  if (operator === 'is_date_before') return compare('<', micros, constant(date.start));
  if (operator === 'is_date_after') return compare('>=', micros, constant(date.end));
  return and(compare('>=', micros, constant(date.start)), compare('<', micros, constant(date.end)));
}

function versions(x: Operand, operator: SemverOperator, wanted: string): Expr {
  const version = field('v');
  const bounds = versionBounds(operator, wanted).map((bound) =>
    compare(bound.sign, version, call('textVersion', constant(bound.version))),
  );
  // The list names the version, which is read from a text, once.
  const holds = lambda(['v'], and(isNotNull(version), ...bounds));
  return call('arrayExists', holds, array(call('textVersion', x.text)));
}

/** Read here as well as by the database, whose own words for it no client sees. */
function checkedPattern(pattern: string): string {
  if (typeof compilePattern(pattern) !== 'string') return pattern;
  throw refusal('Invalid regular expression: RE2 syntax is required, without lookarounds.');
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { attr: 'properties', detail });
}

const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`);

/** The number that a value is or spells, else null. */
function readNumber(value: Scalar): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : null;
}

/** The ISO date or moment that a value spells, else null. */
function readDate(value: Scalar): DateSpan | null {
  return typeof value === 'string' ? readIsoDate(value) : null;
}

/** Of a relative date, "on that date" means its day unless it counts hours. */
const RELATIVE = /^-?(\d{1,4})([hdwmy])$/;

/** The date of an operator on dates (P-7): ISO, or a span before now such as `-7d` or `2w`; null when it is neither. */
function readFilterDate(value: Scalar, now: number): DateSpan | null {
  const exact = readDate(value);
  if (exact !== null || typeof value !== 'string' || !RELATIVE.test(value)) return exact;
  const time = parseRelativeTime(value.startsWith('-') ? value : `-${value}`, now);
  if (time === null) return null;
  const instant = Math.round(time) * 1000;
  return { start: instant, end: instant + 1 };
}

const WILDCARD = /^(\d+)(?:\.(\d+)(?:\..*)?)?(?:\.\*|\*)?$/;

const VERSION_SIGNS: Partial<Record<SemverOperator, CompareOperator>> = {
  semver_eq: '==',
  semver_neq: '!=',
  semver_gt: '>',
  semver_gte: '>=',
  semver_lt: '<',
  semver_lte: '<=',
};

/** Comparisons with versions, all of which must hold. */
type VersionBounds = readonly { sign: CompareOperator; version: string }[];

/** The bounds that an operator sets to a version (P-8). Throws invalid_input for `properties`. */
export function versionBounds(operator: SemverOperator, text: string): VersionBounds {
  const limit = readVersion(operator === 'semver_wildcard' ? wildcardOf(text) : text);
  if (limit === null) {
    throw fail('invalid_input', {
      attr: 'properties',
      detail: `The operator ${operator} requires a version such as 1.2.3.`,
    });
  }
  const sign = VERSION_SIGNS[operator];
  if (sign !== undefined) return [{ sign, version: limit.text }];
  const end = `${endOf(operator, limit).join('.')}-0`;
  return [
    { sign: '>=', version: limit.text },
    { sign: '<', version: end },
  ];
}

/** `1.2.*` begins with 1.2, and of more parts the first two count; no version: it is no wildcard. */
function wildcardOf(text: string): string {
  const [, major, minor] = WILDCARD.exec(text.trim().replace(/^[vV]/, '')) ?? [];
  return major === undefined ? '' : minor === undefined ? major : `${major}.${minor}`;
}

/** The first version beyond: `~1.2.3` ends before 1.3.0, `^1.2.3` before 2.0.0, `1.*` before 2.0.0. */
function endOf(operator: SemverOperator, { text, numbers: [major, minor, patch] }: Version): number[] {
  if (operator === 'semver_wildcard') return text.includes('.') ? [major, minor + 1, 0] : [major + 1, 0, 0];
  if (operator === 'semver_tilde') return [major, minor + 1, 0];
  if (major > 0) return [major + 1, 0, 0];
  return minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1];
}
