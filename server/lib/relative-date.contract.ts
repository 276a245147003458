/** Units of relative dates by their letters, as in PostHog: `M` is minutes and `m` months. */
export const DATE_UNITS = {
  s: 'second',
  M: 'minute',
  h: 'hour',
  d: 'day',
  w: 'week',
  m: 'month',
  q: 'quarter',
  y: 'year',
} as const;
export type DateLetter = keyof typeof DATE_UNITS;

/** A date relative to now: `-7d`, `mStart`, `-1mEnd`. */
export interface RelativeDate {
  /** 0 where none is written. */
  readonly count: number;
  readonly letter: DateLetter;
  /** The first or the last day of the unit. */
  readonly edge: 'Start' | 'End' | null;
}

/** What `parseRelativeTime` reads, for the API reference. */
export const RELATIVE_TIME = /^-\d{1,6}[sMhdwmqy]$/;

const RELATIVE = /^(?:(-?)(\d{1,12}))?([sMhdwmqy])(Start|End)?$/;

/**
 * Reads a relative date; null for other texts. The options say what else is other text where it is read: other letters,
 * more digits, a date without its minus, `mStart`.
 */
export function readRelativeDate(
  text: string,
  {
    letters = 'sMhdwmqy',
    digits = 6,
    minus = 'required',
    edges = false,
  }: { letters?: string; digits?: number; minus?: 'required' | 'optional'; edges?: boolean } = {},
): RelativeDate | null {
  const [, sign, count, letter, edge] = RELATIVE.exec(text) ?? [];
  if (letter === undefined || !letters.includes(letter)) return null;
  if (count === undefined ? edge === undefined : count.length > digits) return null;
  if (edge === undefined ? sign === '' && minus === 'required' : !edges) return null;
  return {
    count: Number(count ?? 0),
    letter: letter as DateLetter,
    edge: (edge as RelativeDate['edge'] | undefined) ?? null,
  };
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Milliseconds of the units that have a fixed length. */
const FIXED: Partial<Record<DateLetter, number>> = {
  s: SECOND_MS,
  M: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};
const MONTHS: Partial<Record<DateLetter, number>> = { m: 1, q: 3, y: 12 };

/** Reads a time before now, such as `-24h`, `-7d` or `-1m` (a month, in UTC). Unix milliseconds, or null for other text. */
export function parseRelativeTime(text: string, now: number): number | null {
  const date = readRelativeDate(text);
  if (date === null) return null;
  const { count, letter } = date;
  const length = FIXED[letter];
  const time = length === undefined ? monthsBefore(now, count * MONTHS[letter]!) : now - count * length;
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

const MAX_FLAG_COUNT = 10_000;

/** Reads a relative date of a flag's condition (ingestion contract P-7), which may lack its minus; null for other texts. */
export function readFlagDate(text: string): RelativeDate | null {
  const date = readRelativeDate(text, { letters: 'hdwmy', digits: 12, minus: 'optional' });
  return date !== null && date.count < MAX_FLAG_COUNT ? date : null;
}

/** The clocks of a time zone (`TimeZone`). */
interface Clocks {
  localOf(ms: number): number;
  momentOf(local: number): number;
}

/**
 * The moment that a relative date of a condition means; both in Unix milliseconds. Days and longer units go back by the
 * clocks of the time zone, to the same time of day.
 */
export function flagMoment({ count, letter }: RelativeDate, now: number, zone: Clocks): number {
  if (letter === 'h') return now - count * HOUR_MS;
  return zone.momentOf(before(zone.localOf(now), count, letter));
}

function before(local: number, count: number, letter: DateLetter): number {
  const length = FIXED[letter];
  if (length !== undefined) return local - count * length;
  return letter === 'm' ? steppedMonthsBefore(local, count) : yearsBefore(local, count);
}

/**
 * Month after month, as SDKs count: a day that one of the months on the way lacks is lost for good, so that two months
 * before the 31st of March is the 28th of January. (`monthsBefore` looks at the last month only.)
 */
function steppedMonthsBefore(now: number, months: number): number {
  const date = new Date(now);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  let day = date.getUTCDate();
  for (let step = 1; step <= months && day > 28; step++) {
    day = Math.min(day, new Date(Date.UTC(year, month - step + 1, 0)).getUTCDate());
  }
  return date.setUTCFullYear(year, month - months, day);
}

/** Of the 29th of February, the 28th, also in a leap year. */
function yearsBefore(now: number, years: number): number {
  const date = new Date(now);
  const month = date.getUTCMonth();
  const isLeapDay = month === 1 && date.getUTCDate() === 29;
  return date.setUTCFullYear(
    date.getUTCFullYear() - years,
    month,
    isLeapDay && years > 0 ? 28 : date.getUTCDate(),
  );
}
