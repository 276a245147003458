import { RE2JS } from 're2js';
import { readIsoDate } from '../lib/iso-date.ts';
import { textOf, unwrap } from './property-text.ts';
import { momentBefore, readRelativeDate } from './relative-date.ts';
import { inVersionRange, VERSION_ORDERS, versionOrder } from './versions.ts';

/** Whether the value of a property matches. `now` in Unix milliseconds. */
type Test = (value: unknown, now: number) => boolean;

/** An operator compiled with its value. */
export interface Comparison {
  readonly operator: string;
  readonly matches: Test;
  /** The result for a property that is not set (P-1). */
  readonly whenMissing: boolean;
  /** Why it can never match (P-10), or null. */
  readonly problem: string | null;
}

interface Operator {
  /** Compiles the test for a value, or returns a sentence that says why the value cannot be used. */
  readonly compile: (wanted: unknown) => Test | string;
  /** Matches a property that is not set. */
  readonly whenMissing?: true;
  readonly takesNoValue?: true;
}

/** The operators on properties of persons and groups, by PostHog's names: rules P-1 to P-10 of docs/contract. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  exact: { compile: equals },
  is_not: negated(equals),
  icontains: { compile: contains },
  not_icontains: negated(contains),
  icontains_multi: { compile: contains },
  not_icontains_multi: negated(contains),
  starts_with: { compile: startsWith },
  not_starts_with: negated(startsWith),
  ends_with: { compile: endsWith },
  not_ends_with: negated(endsWith),
  regex: { compile: (wanted) => matchesPattern(wanted, true) },
  not_regex: { compile: (wanted) => matchesPattern(wanted, false), whenMissing: true },
  gt: ordered((value, limit) => value > limit),
  gte: ordered((value, limit) => value >= limit),
  lt: ordered((value, limit) => value < limit),
  lte: ordered((value, limit) => value <= limit),
  between: { compile: (wanted) => inRange(wanted, true) },
  not_between: { compile: (wanted) => inRange(wanted, false), whenMissing: true },
  is_set: { compile: () => () => true, takesNoValue: true },
  is_not_set: { compile: () => () => false, takesNoValue: true, whenMissing: true },
  is_date_exact: dated((value, wanted, isDay) => (isDay ? dayOf(value) === dayOf(wanted) : value === wanted)),
  is_date_before: dated((value, wanted) => value < wanted),
  is_date_after: dated((value, wanted) => value > wanted),
  ...Object.fromEntries(
    VERSION_ORDERS.map((name) => [name, { compile: (wanted: unknown) => versionOrder(name, wanted) }]),
  ),
  semver_tilde: { compile: (wanted) => inVersionRange('tilde', wanted) },
  semver_caret: { compile: (wanted) => inVersionRange('caret', wanted) },
  semver_wildcard: { compile: (wanted) => inVersionRange('wildcard', wanted) },
};

/** Names of the operators on persons and groups that evaluation supports. */
export const PROPERTY_OPERATORS: readonly string[] = Object.keys(OPERATORS);

/** Compiles one comparison. With a value that the operator cannot use, the comparison never matches. */
export function compileComparison(operator: string, wanted: unknown): Comparison {
  const matches = compileTest(operator, wanted);
  if (typeof matches === 'string')
    return { operator, matches: () => false, whenMissing: false, problem: matches };
  return { operator, matches, whenMissing: OPERATORS[operator]!.whenMissing ?? false, problem: null };
}

function compileTest(name: string, wanted: unknown): Test | string {
  if (!Object.hasOwn(OPERATORS, name)) return unknownOperator(name);
  const { compile, takesNoValue } = OPERATORS[name]!;
  if (wanted === undefined && takesNoValue !== true) return 'The value is missing.';
  try {
    return compile(wanted);
  } catch {
    // Only JSON that is nested deeper than the stack.
    return 'The value is not valid.';
  }
}

/** P-9. */
function unknownOperator(operator: string): string {
  if (operator === 'in' || operator === 'not_in')
    return `The operator ${operator} is only valid for cohorts.`;
  if (operator === 'flag_evaluates_to') return 'The operator flag_evaluates_to is only valid for flags.';
  return `Unknown operator ${operator}.`;
}

function negated(compile: (wanted: unknown) => Test): Operator {
  return {
    compile: (wanted) => {
      const test = compile(wanted);
      return (value, now) => !test(value, now);
    },
    whenMissing: true,
  };
}

/** P-2: equal as text whatever the case; of a list, one of them; an empty list means truthy. */
function equals(wanted: unknown): Test {
  if (!Array.isArray(wanted)) {
    const text = textOf(wanted).toLowerCase();
    return (value) => textOf(value).toLowerCase() === text;
  }
  if (wanted.length === 0) return isTruthy;
  const texts = new Set(wanted.map((one) => textOf(one).toLowerCase()));
  return (value) => texts.has(textOf(value).toLowerCase());
}

/** True, the word, or a list of nothing else. */
function isTruthy(value: unknown): boolean {
  if (typeof value === 'string') return value.toLowerCase() === 'true';
  return value === true || (Array.isArray(value) && value.every(isTruthy));
}

/** P-3: of a list, one of them is enough. */
function contains(wanted: unknown): Test {
  return anyText(wanted, (text, part) => text.includes(part));
}

function startsWith(wanted: unknown): Test {
  return anyText(wanted, (text, part) => text.startsWith(part));
}

function endsWith(wanted: unknown): Test {
  return anyText(wanted, (text, part) => text.endsWith(part));
}

function anyText(wanted: unknown, holds: (text: string, part: string) => boolean): Test {
  const parts = (Array.isArray(wanted) ? wanted : [wanted]).map((one) => textOf(one).toLowerCase());
  const [only] = parts;
  if (parts.length === 1) return (value) => holds(textOf(value).toLowerCase(), only!);
  return (value) => {
    const text = textOf(value).toLowerCase();
    return parts.some((part) => holds(text, part));
  };
}

/** Characters of a pattern, which takes time by its length to compile. */
const MAX_PATTERN = 10_000;
/** Characters of a text that is searched: a longer one would delay every other request. */
const MAX_TEXT = 20_000;

/**
 * P-4: whether a pattern in RE2's syntax is found anywhere in the text, in linear time. In a text longer than 20,000
 * characters it is not searched for, and neither `regex` nor `not_regex` matches.
 */
function matchesPattern(wanted: unknown, isFound: boolean): Test | string {
  const pattern = compilePattern(textOf(wanted));
  if (typeof pattern === 'string') return pattern;
  return (value) => {
    const text = textOf(value);
    return text.length <= MAX_TEXT && pattern.test(text) === isFound;
  };
}

/** Compiles a pattern in RE2's syntax (no look-around, no back-references); a sentence says why it is none. */
export function compilePattern(pattern: string): RE2JS | string {
  if (pattern.length > MAX_PATTERN) return `A regular expression can have up to ${MAX_PATTERN} characters.`;
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return `Invalid regular expression (RE2): ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Decimal numbers as people write them, also `007`, `+1` and `.5`. */
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;

/** The number that a value is or spells, else null (P-5). */
function readNumber(value: unknown): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && NUMBER.test(value) ? Number(value) : NaN;
  return Number.isFinite(number) ? number : null;
}

/** P-5: matches between numbers only. */
function ordered(holds: (value: number, limit: number) => boolean): Operator {
  return {
    compile: (wanted) => {
      const limit = readNumber(unwrap(wanted));
      if (limit === null) return 'This operator requires a number.';
      return (value) => {
        const number = readNumber(value);
        return number !== null && holds(number, limit);
      };
    },
  };
}

/** P-5: both ends belong to the range; what is no number is neither inside nor outside. */
function inRange(wanted: unknown, isInside: boolean): Test | string {
  const [low, high] = Array.isArray(wanted) && wanted.length === 2 ? wanted.map(readNumber) : [];
  if (typeof low !== 'number' || typeof high !== 'number') return 'A range requires a list of two numbers.';
  return (value) => {
    const number = readNumber(value);
    return number !== null && (number >= low && number <= high) === isInside;
  };
}

/**
 * P-7: a property that is ISO text or a number of Unix seconds, against an ISO date or a span before now. A date without
 * a time of day, and a span, mean the day in UTC.
 */
function dated(holds: (value: number, wanted: number, isDay: boolean) => boolean): Operator {
  const test = (value: unknown, wanted: number, isDay: boolean): boolean => {
    const instant = readInstant(value);
    return instant !== null && holds(instant, wanted, isDay);
  };
  return {
    compile: (given) => {
      const wanted = unwrap(given);
      const relative = typeof wanted === 'string' ? readRelativeDate(wanted) : null;
      if (relative !== null) return (value, now) => test(value, momentBefore(relative, now), true);
      const instant = readInstant(wanted);
      if (instant === null)
        return 'This is not a valid date such as 2026-03-04, or a relative date such as -7d.';
      const isDay = typeof wanted === 'string' && wanted.length === '2026-03-04'.length;
      return (value) => test(value, instant, isDay);
    },
  };
}

const DAY_MS = 86_400_000;

function dayOf(instant: number): number {
  return Math.floor(instant / DAY_MS);
}

/** Unix milliseconds; null for what is no date. */
function readInstant(value: unknown): number | null {
  if (typeof value === 'number') return value * 1000;
  if (typeof value !== 'string') return null;
  const span = readIsoDate(value);
  return span === null ? null : span.start / 1000;
}
