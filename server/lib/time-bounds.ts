import { endOfDay, startOfDay } from './local-day.ts';
import { parseRelativeTime } from './relative-date.contract.ts';

/**
 * Where the requested span of time begins (Unix milliseconds, inclusive): a day begins where it does in the time
 * zone; `-7d` is that long before `now`; any other text is a moment as ISO 8601.
 */
export function spanStart(bound: string, timezone: string, now: number): number {
  return isDay(bound) ? startOfDay(bound, timezone) : momentOf(bound, now);
}

/** Where a span ends (exclusive): a day counts whole. */
export function spanEnd(bound: string, timezone: string, now: number): number {
  return isDay(bound) ? endOfDay(bound, timezone) : momentOf(bound, now) + 1;
}

function isDay(text: string): boolean {
  return text.length === '2026-11-20'.length && !text.startsWith('-');
}

/** The first moment of the calendar, for spans such as `-999999y` that begin before it. */
const FIRST_MOMENT = Date.parse('0001-01-01T00:00:00Z');

function momentOf(text: string, now: number): number {
  const moment = parseRelativeTime(text, now) ?? Date.parse(text);
  return moment >= FIRST_MOMENT ? moment : FIRST_MOMENT;
}
