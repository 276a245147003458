import { readIsoDate, type DateSpan } from '../../lib/iso-date.ts';
import { NUMBER_PATTERN } from '../../lib/number-text.ts';
import { parseRelativeTime } from '../../lib/relative-time.ts';
import type { Scalar } from './property-filters.contract.ts';

const NUMBER = new RegExp(`^${NUMBER_PATTERN}$`);
/** Of a relative date, "on that date" means its day unless it counts hours. */
const RELATIVE = /^-?(\d{1,4})([hdwmy])$/;

/** The number that a value is or spells, else null. */
export function readNumber(value: Scalar): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMBER.test(value) ? Number(value) : null;
}

/** The ISO date or instant that a value spells, else null. */
export function readDate(value: Scalar): DateSpan | null {
  return typeof value === 'string' ? readIsoDate(value) : null;
}

/**
 * The date of an operator on dates (ingestion contract P-7): ISO, or a span before now such as `-7d` or `2w`; `now` in
 * Unix milliseconds. Null when it is neither.
 */
export function readFilterDate(value: Scalar, now: number): DateSpan | null {
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
