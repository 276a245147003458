import { readIsoDate } from '../../lib/iso-date.ts';
import type { Test } from './compare-text.ts';
import { momentBefore, readRelativeDate } from './relative-date.ts';

export type DateOperator = 'is_date_exact' | 'is_date_before' | 'is_date_after';

const DAY_MS = 86_400_000;

/**
 * P-7: a property that is ISO text or a number of Unix seconds, against an ISO date or a span before now. "Exact" means
 * the day, in UTC, unless the flag names a time of day. A sentence when the flag names no date.
 */
export function onDate(operator: DateOperator, wanted: unknown): Test | string {
  const value = Array.isArray(wanted) && wanted.length === 1 ? wanted[0] : wanted;
  const relative = typeof value === 'string' ? readRelativeDate(value) : null;
  if (relative !== null) {
    return (got, now) => compare(operator, readInstant(got), momentBefore(relative, now), true);
  }
  const instant = readInstant(value);
  if (instant === null) return 'This is not a valid date such as 2026-03-04, or a relative date such as -7d.';
  const isDay = typeof value === 'string' && value.length === '2026-03-04'.length;
  return (got) => compare(operator, readInstant(got), instant, isDay);
}

function compare(operator: DateOperator, got: number | null, wanted: number, isDay: boolean): boolean {
  if (got === null) return false;
  if (operator === 'is_date_before') return got < wanted;
  if (operator === 'is_date_after') return got > wanted;
  return isDay ? Math.floor(got / DAY_MS) === Math.floor(wanted / DAY_MS) : got === wanted;
}

/** Unix milliseconds; null for what is no date. */
function readInstant(value: unknown): number | null {
  if (typeof value === 'number') return value * 1000;
  if (typeof value !== 'string') return null;
  const span = readIsoDate(value);
  return span === null ? null : span.start / 1000;
}
