import { fromDate, getLocalTimeZone, parseDate, toCalendarDate } from '@internationalized/date';

/** Days as texts, `2026-11-22`: without a time of day, and without a time zone. */

/** Milliseconds of the intervals that begin at a time of day. */
const CLOCK_STEPS: Readonly<Record<string, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 };

/** Months of the intervals that have whole ones. */
const MONTH_STEPS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

/** So many days later; earlier for a negative number. */
export function addDays(day: string, days: number): string {
  return parseDate(day).add({ days }).toString();
}

/** So many months later, on the last day of a month that is too short. */
export function addMonths(day: string, months: number): string {
  return parseDate(day).add({ months }).toString();
}

/** What the clocks show when an interval ends: a day, or a time of one (`2026-11-22 10:00:00`) where it began at such. */
export function endOfInterval(start: string, interval: string): string {
  const day = start.slice(0, 10);
  const step = CLOCK_STEPS[interval];
  if (step !== undefined) {
    const time = start.length > 10 ? start.slice(11, 19) : '00:00:00';
    return new Date(Date.parse(`${day}T${time}Z`) + step).toISOString().slice(0, 19).replace('T', ' ');
  }
  const months = MONTH_STEPS[interval];
  return months === undefined ? addDays(day, interval === 'week' ? 7 : 1) : addMonths(day, months);
}

/** The day of a moment, as the clock of this machine shows it. */
export function localDay(moment: Date): string {
  return toCalendarDate(fromDate(moment, getLocalTimeZone())).toString();
}
