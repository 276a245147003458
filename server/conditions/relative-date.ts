const HOUR_MS = 3_600_000;
const UNIT_MS: Readonly<Record<string, number>> = { h: HOUR_MS, d: 24 * HOUR_MS, w: 7 * 24 * HOUR_MS };
const MAX_NUMBER = 10_000;

/** A span before now; months and years are those of the calendar. */
export interface RelativeDate {
  readonly number: number;
  readonly unit: string;
}

/** Reads `-7d`, `2w` and the like (P-7); null for other texts. */
export function readRelativeDate(text: string): RelativeDate | null {
  const [, digits, unit] = /^-?(\d{1,12})([hdwmy])$/.exec(text) ?? [];
  const number = Number(digits);
  return unit === undefined || number >= MAX_NUMBER ? null : { number, unit };
}

/** The moment that lies a span before `now`, in UTC; both in Unix milliseconds. */
export function momentBefore({ number, unit }: RelativeDate, now: number): number {
  const length = UNIT_MS[unit];
  if (length !== undefined) return now - number * length;
  return unit === 'm' ? monthsBefore(now, number) : yearsBefore(now, number);
}

/**
 * Month after month, as SDKs count: a day that one of the months on the way lacks is lost for good, so that two months
 * before the 31st of March is the 28th of January. (`lib/relative-time.ts` looks at the last month only.)
 */
function monthsBefore(now: number, months: number): number {
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
