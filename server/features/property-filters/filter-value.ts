import { parseRelativeTime } from '../../lib/relative-time.ts';
import type { Scalar } from './property-filters.contract.ts';

/**
 * Texts that are numbers: the grammar of JSON, so that `007` and `1_000` stay texts. In RE2 and JavaScript it means the
 * same.
 */
export const NUMBER_PATTERN = '-?(0|[1-9][0-9]*)([.][0-9]+)?([eE][+-]?[0-9]+)?';
/** Texts that are dates: ISO 8601, a day or an instant; without an offset it is in UTC. */
export const DATE_PATTERN =
  '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?)?';
/** The end of a date with an offset. */
export const OFFSET_PATTERN = ':[0-9.]+(Z|[+-][0-9]{2}:?[0-9]{2})$';

const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`);
const DATE = new RegExp(`^${DATE_PATTERN}$`);
const DAY_MICROSECONDS = 86_400_000_000;
/** Of a relative date, "on that date" means its day unless it counts hours. */
const RELATIVE = /^-?(\d{1,4})([hdwmy])$/;

/** A time that a filter names: an instant, or all of a day in UTC. Unix microseconds; `end` is exclusive. */
export interface FilterDate {
  start: number;
  end: number;
}

/** The number that a value is or spells, else null. */
export function readNumber(value: Scalar): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : null;
}

/** The ISO date or instant that a value spells, else null. */
export function readDate(value: Scalar): FilterDate | null {
  if (typeof value !== 'string' || !DATE.test(value)) return null;
  const [, day, rest = ''] = /^(.{10})(.*)$/.exec(value)!;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Date.parse takes the 30th of February for the 2nd of March.
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day!)) return null;
  if (rest === '') return { start: midnight * 1000, end: midnight * 1000 + DAY_MICROSECONDS };
  const [, time, fraction = '', offset = 'Z'] =
    /^.(\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?(Z|[+-]\d\d:?\d\d)?$/.exec(rest)!;
  const milliseconds = Date.parse(
    `${day}T${time}${time!.length === 5 ? ':00' : ''}${offset.replace(/^(...)(\d\d)$/, '$1:$2')}`,
  );
  if (Number.isNaN(milliseconds)) return null;
  const instant = milliseconds * 1000 + Number(fraction.slice(0, 6).padEnd(6, '0'));
  return { start: instant, end: instant + 1 };
}

/**
 * The date of an operator on dates (ingestion contract P-7): ISO, or a span before now such as `-7d` or `2w`; `now` in
 * Unix milliseconds. Null when it is neither.
 */
export function readFilterDate(value: Scalar, now: number): FilterDate | null {
  const exact = readDate(value);
  if (exact !== null || typeof value !== 'string' || !RELATIVE.test(value)) return exact;
  const time = parseRelativeTime(value.startsWith('-') ? value : `-${value}`, now);
  if (time === null) return null;
  const instant = Math.round(time) * 1000;
  return { start: instant, end: instant + 1 };
}

/** The text of a value as JSON writes it. */
export function textOf(value: Scalar): string {
  return String(value);
}
