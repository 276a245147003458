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
import { dayOfMoment } from '../lib/local-day.ts';
import { flagMoment, readFlagDate } from '../lib/relative-date.contract.ts';
import { timeZone } from '../lib/time-zone.ts';
import { readVersion, type Version } from '../lib/version-text.ts';
import { compilePattern, MAX_TEXT, readNumber as readLooseNumber } from './evaluate.ts';
import type { Operator, Scalar } from './operators.contract.ts';

/**
 * An operator with its values; `now` in Unix milliseconds, for spans such as `-7d`. Dates without a time zone are in
 * `timezone`, by its IANA name; the expression must be compiled with the same.
 */
export interface PropertyComparison {
  readonly operator: Operator;
  readonly values: readonly Scalar[];
  readonly now: number;
  readonly timezone: string;
}

/** A value that is compared, in the forms in which it can be. */
export interface Operand {
  /** Its text; NULL when the property is not set or null. */
  readonly text: Expr;
  /** Its text in lower case. */
  readonly lower: Expr;
  /** As a number; NULL for any other value. */
  readonly number: Expr;
  /** As Unix microseconds; NULL for an invalid date. */
  readonly micros: Expr;
}

/** A text, wherever it comes from. */
export function textOperand(text: Expr): Operand {
  return { text, lower: lower(text), number: call('textNumber', text), micros: call('textMicros', text) };
}

/**
 * The same in the flag reading, where a property that is null has the text `null`, and numbers and dates are what flags
 * take for them.
 */
export interface FlagOperand extends Operand {
  /** Its type in JSON, as DuckDB calls it. */
  readonly type: Expr;
}

/** Prints the condition of an operator; for a property that is not set it is true or, meaning no, NULL or false. */
export type Reading<X extends Operand> = (x: X, comparison: PropertyComparison) => Expr;

function text(value: Scalar): Expr {
  return constant(String(value));
}

function lower(expr: Expr): Expr {
  return call('lowerUTF8', expr);
}

/** P-3: of several values, one is enough. */
function anyOf(holds: (x: Operand, value: Scalar) => Expr): Reading<Operand> {
  return (x, { values }) => or(...values.map((value) => holds(x, value)));
}

export const isSet: Reading<Operand> = (x) => isNotNull(x.text);
export const isNotSet: Reading<Operand> = (x) => isNull(x.text);
export const contains = anyOf((x, value) =>
  compare('>', call('position', x.lower, lower(text(value))), constant(0)),
);
export const startsWith = anyOf((x, value) => call('startsWith', x.lower, lower(text(value))));
export const endsWith = anyOf((x, value) => call('endsWith', x.lower, lower(text(value))));
export const matchesPattern = anyOf((x, value) => call('match', x.text, text(checkedPattern(String(value)))));

/** P-2: equal as text whatever the case; a number also equals one that is written otherwise, as 1.0. An empty list means truthy. */
export const equals: Reading<Operand> = (x, { values }) => {
  if (values.length === 0) return isWordTrue(x);
  const numbers = values.filter((value) => typeof value === 'number');
  const asText = isOneOfTexts(x, values);
  if (numbers.length === 0) return asText;
  const asNumber = isOneOf(
    x.number,
    numbers.map((number) => constant(number)),
  );
  return or(asText, asNumber);
};

function isWordTrue(x: Operand): Expr {
  return compare('==', x.lower, constant('true'));
}

function isOneOfTexts(x: Operand, values: readonly Scalar[]): Expr {
  return isOneOf(
    x.lower,
    values.map((value) => lower(text(value))),
  );
}

function isOneOf(x: Expr, values: readonly Expr[]): Expr {
  return values.length === 1 ? compare('==', x, values[0]!) : compare('in', x, tuple(...values));
}

export function ordered(sign: CompareOperator): Reading<Operand> {
  return (x, { values, timezone }) => {
    const value = values[0]!;
    const number = readNumber(value);
    if (number !== null) return compare(sign, x.number, constant(number));
    const date = readDate(value, timezone);
    if (date !== null) return compare(sign, x.micros, constant(date.start));
    return compare(sign, x.text, text(value));
  };
}

/** P-5: both ends belong to the range. */
export function inRange(isInside: boolean): Reading<Operand> {
  return (x, { operator, values, timezone }) => {
    const numbers = values.map(readNumber);
    const isOfDates = numbers.includes(null);
    const [low, high] = isOfDates ? values.map((value) => readDate(value, timezone)?.start ?? null) : numbers;
    if (low === null || high === null || low === undefined || high === undefined) {
      throw refusal(`The operator ${operator} requires two numbers or two dates.`);
    }
    const value = isOfDates ? x.micros : x.number;
    return isInside ? between(value, constant(low), constant(high)) : isOutside(x, value, low, high);
  };
}

/**
 * P-7: before or after the first moment of a date, or of a span before now; equal to a day, or to the day of a span, is
 * within it.
 */
export function dated(sign: DateSign): Reading<Operand> {
  return (x, comparison) => {
    const condition = dateExpr(sign, x, comparison);
    if (condition !== null) return condition;
    throw refusal(
      `The operator ${comparison.operator} requires a date such as 2026-03-04, or a relative date such as -7d.`,
    );
  };
}

type DateSign = '<' | '==' | '>';

/** Null when the value is no date. */
function dateExpr(
  sign: DateSign,
  { micros }: Operand,
  { values: [value], now, timezone }: PropertyComparison,
): Expr | null {
  if (typeof value !== 'string') return null;
  const zone = timeZone(timezone);
  const relative = readFlagDate(value);
  const moment =
    relative === null ? readIsoDate(value, zone)?.start : flagMoment(relative, now, zone) * 1_000;
  if (moment === undefined) return null;
  const isDay = relative !== null || value.length === '2026-03-04'.length;
  if (sign !== '==' || !isDay) return compare(sign, micros, constant(moment));
  const { start, end } = dayOfMoment(Math.floor(moment / 1_000), zone);
  return and(compare('>=', micros, constant(start * 1_000)), compare('<', micros, constant(end * 1_000)));
}

/** Comparisons with versions, all of which must hold. */
type VersionBounds = readonly { sign: CompareOperator; version: string }[];

/** P-8: the order of two versions. */
export function versionOrder(sign: CompareOperator): Reading<Operand> {
  return versions((wanted) => {
    const limit = readVersion(wanted);
    return limit === null ? null : [{ sign, version: limit.text }];
  });
}

/** P-8: from the version of the filter to before the version that `endOf` computes of it. */
export function versionRange(
  endOf: (limit: Version) => readonly number[],
  read: (text: string) => Version | null = readVersion,
): Reading<Operand> {
  return versions((wanted) => {
    const limit = read(wanted);
    if (limit === null) return null;
    return [
      { sign: '>=', version: limit.text },
      { sign: '<', version: `${endOf(limit).join('.')}-0` },
    ];
  });
}

function versions(boundsOf: (wanted: string) => VersionBounds | null): Reading<Operand> {
  return (x, { operator, values }) => {
    const bounds = boundsOf(String(values[0]));
    if (bounds === null) throw refusal(`The operator ${operator} requires a version such as 1.2.3.`);
    const version = field('v');
    const conditions = bounds.map((bound) =>
      compare(bound.sign, version, call('textVersion', constant(bound.version))),
    );
    // The list names the version, which is read from a text, once.
    const holds = lambda(['v'], and(isNotNull(version), ...conditions));
    return call('arrayExists', holds, array(call('textVersion', x.text)));
  };
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
function readDate(value: Scalar, timezone: string): DateSpan | null {
  return typeof value === 'string' ? readIsoDate(value, timeZone(timezone)) : null;
}

const WILDCARD = /^(\d+)(?:\.(\d+)(?:\..*)?)?(?:\.\*|\*)?$/;

/** `1.2.*` begins with 1.2, and of more parts the first two count; null for an invalid wildcard. */
export function readWildcard(text: string): Version | null {
  const [, major, minor] = WILDCARD.exec(text.trim().replace(/^[vV]/, '')) ?? [];
  return readVersion(major === undefined ? '' : minor === undefined ? major : `${major}.${minor}`);
}

/** `1.*` ends before 2.0.0, `1.2.*` before 1.3.0. */
export function wildcardEnd({ text, numbers: [major, minor] }: Version): readonly number[] {
  return text.includes('.') ? [major, minor + 1, 0] : [major + 1, 0, 0];
}

/** JSON of a list of nothing but true, also as a word and in lists. */
const TRUTHY_LIST = String.raw`^(\[|\]|,|true|"[tT][rR][uU][eE]")*$`;

/** P-2 as flags read it: as text, whatever the case; an empty list means truthy. */
export const equalsForFlags: Reading<FlagOperand> = (x, { values }) => {
  if (values.length > 0) return isOneOfTexts(x, values);
  const isTruthyList = call('textMatches', x.text, constant(TRUTHY_LIST));
  return or(isWordTrue(x), and(compare('==', x.type, constant('ARRAY')), isTruthyList));
};

/** P-4 as flags read it: a text beyond the limit is not searched, and neither operator matches it. */
export function matchesPatternForFlags(isFound: boolean): Reading<FlagOperand> {
  return (x, { values: [pattern = ''] }) => {
    const found = call('textMatches', x.text, text(pattern));
    const isShort = compare('<=', call('length', x.text), constant(MAX_TEXT));
    return isFound ? and(isShort, found) : or(isNull(x.text), and(isShort, not(found)));
  };
}

/** P-5 as flags read it: between numbers only. */
export function orderedForFlags(sign: CompareOperator): Reading<FlagOperand> {
  return (x, { values: [value = ''] }) => {
    const limit = readLooseNumber(value);
    return limit === null ? never(x) : compare(sign, x.number, constant(limit));
  };
}

/** P-5 as flags read it: a value that is not a number is neither inside nor outside. */
export function inRangeForFlags(isInside: boolean): Reading<FlagOperand> {
  return (x, { values: [low = '', high = ''] }) => {
    const [from, to] = [readLooseNumber(low), readLooseNumber(high)];
    if (from === null || to === null) return never(x);
    return isInside ? between(x.number, constant(from), constant(to)) : isOutside(x, x.number, from, to);
  };
}

function isOutside(x: Operand, value: Expr, from: number, to: number): Expr {
  return or(isNull(x.text), compare('<', value, constant(from)), compare('>', value, constant(to)));
}

/** A condition that never holds. It reads the property, since DuckDB refuses a bound value that the statement does not use. */
function never({ text }: Operand): Expr {
  return and(isNull(text), isNotNull(text));
}

/** P-7 as flags read it: an invalid date matches nothing. */
export function datedForFlags(sign: DateSign): Reading<FlagOperand> {
  return (x, comparison) => dateExpr(sign, x, comparison) ?? never(x);
}
