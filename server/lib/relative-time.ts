const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Units of a fixed length; as in PostHog, `M` is minutes and `m` months. */
const FIXED: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  M: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const MONTHS: Readonly<Record<string, number>> = { m: 1, q: 3, y: 12 };

/** Reads a time before now, such as `-24h`, `-7d` or `-1m` (a month, in UTC). Unix milliseconds, or null for other text. */
export function parseRelativeTime(text: string, now: number): number | null {
  const [, digits, unit] = /^-(\d{1,6})([sMhdwmqy])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return null;
  const length = FIXED[unit];
  const time =
    length === undefined ? monthsBefore(now, Number(digits) * MONTHS[unit]!) : now - Number(digits) * length;
  return Number.isNaN(time) ? null : time;
}

/**
 * The same day and time some months before, or after for negative ones, in UTC; the month's last day where it has no such day.
 * NaN beyond what dates can be.
 */
export function monthsBefore(now: number, months: number): number {
  const date = new Date(now);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
}
