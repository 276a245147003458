// How flags evaluate each operator in JavaScript; the table of operators is `operators.ts`.
import { ExactNumber } from '../lib/exact-number.contract.ts';
import { RE2JS } from 're2js';
import { readIsoDate } from '../lib/iso-date.ts';
import { NUMBER_PATTERN } from '../lib/number-text.ts';
import { textOf, unwrap } from './property-text.ts';
import { dayOfMoment } from '../lib/local-day.ts';
import { flagMoment, readFlagDate } from '../lib/relative-date.contract.ts';
import type { TimeZone } from '../lib/time-zone.ts';

/** Whether the value of a property matches. `now` in Unix milliseconds; dates without a time zone are in `zone`. */
export type Test = (value: unknown, now: number, zone: TimeZone) => boolean;

/** Compiles an operator with the value of a filter, or returns a sentence that says why the value cannot be used. */
export type Reading = (wanted: unknown) => Test | string;

/** The opposite of a test that every value compiles to. */
export function opposite(compile: Reading): Reading {
  return (wanted) => {
    const test = compile(wanted);
    return typeof test === 'string' ? test : (value, now, zone) => !test(value, now, zone);
  };
}

/** P-2: equal as text whatever the case; of a list, one of them; an empty list means truthy. */
export function equals(wanted: unknown): Test {
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
export function contains(wanted: unknown): Test {
  return anyText(wanted, (text, part) => text.includes(part));
}

export function startsWith(wanted: unknown): Test {
  return anyText(wanted, (text, part) => text.startsWith(part));
}

export function endsWith(wanted: unknown): Test {
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
export const MAX_TEXT = 20_000;

/**
 * P-4: whether a pattern in RE2's syntax is found anywhere in the text, in linear time. In a text longer than 20,000
 * characters it is not searched for, and neither `regex` nor `not_regex` matches.
 */
export function matchesPattern(isFound: boolean): Reading {
  return (wanted) => {
    const pattern = compilePattern(textOf(wanted));
    if (typeof pattern === 'string') return pattern;
    return (value) => {
      const text = textOf(value);
      return text.length <= MAX_TEXT && pattern.test(text) === isFound;
    };
  };
}

/**
 * Compiles a pattern in RE2's syntax (no look-around, no back-references); returns a sentence about an invalid one.
 */
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
export function readNumber(value: unknown): number | null {
  if (value instanceof ExactNumber) return readNumber(Number(value.text));
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && NUMBER.test(value) ? Number(value) : NaN;
  return Number.isFinite(number) ? number : null;
}

/** P-5: matches between numbers only. */
export function ordered(holds: (value: number, limit: number) => boolean): Reading {
  return (wanted) => {
    const limit = readNumber(unwrap(wanted));
    if (limit === null) return 'This operator requires a number.';
    return (value) => {
      const number = readNumber(value);
      return number !== null && holds(number, limit);
    };
  };
}

/** P-5: both ends belong to the range; a value that is not a number is neither inside nor outside. */
export function inRange(isInside: boolean): Reading {
  return (wanted) => {
    const [low, high] = Array.isArray(wanted) && wanted.length === 2 ? wanted.map(readNumber) : [];
    if (typeof low !== 'number' || typeof high !== 'number') return 'A range requires a list of two numbers.';
    return (value) => {
      const number = readNumber(value);
      return number !== null && (number >= low && number <= high) === isInside;
    };
  };
}

/** A date of a filter in Unix milliseconds: its moment, and the day that it names, if it is no time of day. */
interface WantedDate {
  readonly moment: number;
  readonly day: { readonly start: number; readonly end: number } | null;
}

/**
 * P-7: a property that is ISO text or a number of Unix seconds, as text too, against an ISO date or a span before now. A date without
 * a time of day, and a span, mean the day in the project's time zone.
 */
export function dated(holds: (value: number, wanted: WantedDate) => boolean): Reading {
  return (given) => {
    const wanted = unwrap(given);
    const read = compileDate(wanted);
    if (read === null) return 'This is not a valid date such as 2026-03-04, or a relative date such as -7d.';
    return (value, now, zone) => {
      const instant = readInstant(value, zone);
      return instant !== null && holds(instant, read(now, zone));
    };
  };
}

function compileDate(wanted: unknown): ((now: number, zone: TimeZone) => WantedDate) | null {
  const relative = typeof wanted === 'string' ? readFlagDate(wanted) : null;
  if (relative !== null) {
    return (now, zone) => {
      const moment = flagMoment(relative, now, zone);
      return { moment, day: dayOfMoment(moment, zone) };
    };
  }
  if (typeof wanted !== 'string' || readIsoDate(wanted) === null) return null;
  // The zone is that of the project, and so the same for all but the tests after a change.
  let known: { zone: TimeZone; date: WantedDate } | null = null;
  return (_, zone) => {
    if (known?.zone !== zone) known = { zone, date: readWanted(wanted, zone) };
    return known.date;
  };
}

function readWanted(text: string, zone: TimeZone): WantedDate {
  const { start, end } = readIsoDate(text, zone)!;
  const isDay = text.length === '2026-03-04'.length;
  return { moment: start / 1000, day: isDay ? { start: start / 1000, end: end / 1000 } : null };
}

export function isSameDate(value: number, { moment, day }: WantedDate): boolean {
  return day === null ? value === moment : value >= day.start && value < day.end;
}

const SECONDS = new RegExp(`^${NUMBER_PATTERN}$`);

/** Unix milliseconds; null for an invalid date. */
function readInstant(value: unknown, zone: TimeZone): number | null {
  if (value instanceof ExactNumber) return readInstant(Number(value.text), zone);
  if (typeof value === 'number') return Number.isFinite(value) ? value * 1000 : null;
  if (typeof value !== 'string') return null;
  if (SECONDS.test(value)) return readInstant(Number(value), zone);
  const span = readIsoDate(value, zone);
  return span === null ? null : span.start / 1000;
}
