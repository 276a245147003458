/** How the console writes numbers, sizes and times: with units, in English, local time with UTC beside it. */

const COUNT = new Intl.NumberFormat('en');
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const SHORT_CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const LONG_DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric' });

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY_LENGTH = 24 * HOUR;

/** British English writes four letters of one month only. */
function dayText(date: Date, format = DAY): string {
  return format.format(date).replace('Sept', 'Sep');
}

/** A whole number with thousands separators: `18,742`. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** A count and its noun, in the right number: `1 event`, `27 events`. */
export function formatCountOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** A size in decimal units with three significant figures: `12 MB`, `1.84 GB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let value = bytes;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const text = unit === 0 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
  return `${text} ${units[unit]}`;
}

/** A length of time given in milliseconds, in its largest sensible unit: `38 ms`, `1.2 s`, `3 min`, `4 h`, `2 d`. */
export function formatDuration(milliseconds: number): string {
  const size = Math.abs(milliseconds);
  const sign = milliseconds < 0 ? '−' : '';
  if (size > 0 && size < 0.95) return `${sign}${size.toFixed(1)} ms`;
  if (size < SECOND) return `${sign}${Math.round(size)} ms`;
  if (size < 10 * SECOND) return `${sign}${(size / SECOND).toFixed(1)} s`;
  if (size < MINUTE) return `${sign}${Math.round(size / SECOND)} s`;
  if (size < HOUR) return `${sign}${Math.round(size / MINUTE)} min`;
  if (size < 2 * DAY_LENGTH) return `${sign}${Math.round(size / HOUR)} h`;
  return `${sign}${formatCount(Math.round(size / DAY_LENGTH))} d`;
}

/** Local wall clock to the millisecond: `14:32:08.417`. */
export function formatClock(iso: string): string {
  const date = new Date(iso);
  return `${CLOCK.format(date)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Local wall clock to the second: `14:32:08`. */
export function formatSeconds(iso: string): string {
  return CLOCK.format(new Date(iso));
}

/** Local wall clock to the minute: `14:32`. */
export function formatMinute(iso: string): string {
  return SHORT_CLOCK.format(new Date(iso));
}

/** Local wall clock to the millisecond, and for an instant of another day than `now` (Unix milliseconds) its day: `19 Nov, 14:32`. */
export function formatMoment(iso: string, now: number): string {
  const date = new Date(iso);
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? formatClock(iso) : `${dayText(date)}, ${SHORT_CLOCK.format(date)}`;
}

/** A formatted day: `4 Mar`, and with its year when that is not the year of `now` (Unix milliseconds): `4 Mar 2025`. */
export function formatDay(date: Date, now: number): string {
  const isThisYear = date.getFullYear() === new Date(now).getFullYear();
  return isThisYear ? dayText(date) : dayText(date, LONG_DAY);
}

/** A date with its year, and its local time to the second unless it is a whole day: `4 Mar 2026, 09:12:08`. */
export function formatDate(date: Date, isDay = false): string {
  return isDay ? dayText(date, LONG_DAY) : `${dayText(date, LONG_DAY)}, ${CLOCK.format(date)}`;
}

/** The month of `2026-03`: `Mar 2026`. */
export function formatMonth(month: string): string {
  return MONTH.format(new Date(`${month}-01T00:00:00`));
}

/** The same instant in UTC, with every digit that the server sent: `2026-11-19 13:32:08.417204 UTC`. */
export function formatUtc(iso: string): string {
  const isUtc = /(?:Z|[+-]00:?00)$/.test(iso);
  const text = isUtc ? iso.replace(/(?:Z|[+-]00:?00)$/, '') : new Date(iso).toISOString().replace('Z', '');
  return `${text.replace('T', ' ')} UTC`;
}

/** How long before `now` (Unix milliseconds) an instant was: `just now`, `7 s ago`, `2 min ago`. */
export function formatAgo(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (age < 5 * SECOND) return 'just now';
  return `${age < MINUTE ? `${Math.floor(age / SECOND)} s` : formatDuration(age)} ago`;
}

/** The age of an instant in a narrow place: `now`, `2 min`, `3 d`, `14 w`, `2 y`. */
export function formatAge(iso: string, now: number): string {
  const age = now - Date.parse(iso);
  if (age < MINUTE) return 'now';
  if (age < 14 * DAY_LENGTH)
    return age < DAY_LENGTH ? formatDuration(age) : `${Math.floor(age / DAY_LENGTH)} d`;
  if (age < 365 * DAY_LENGTH) return `${Math.floor(age / (7 * DAY_LENGTH))} w`;
  return `${Math.floor(age / (365 * DAY_LENGTH))} y`;
}

/** A share in percent with two decimals, never rounded up to 100 nor down to 0 while something is missing or there. */
export function formatShare(part: number, whole: number): string {
  if (whole === 0 || part === whole) return '100%';
  if (part === 0) return '0%';
  const percent = Math.min(99.99, Math.max(0.01, (part / whole) * 100));
  return `${Number(percent.toFixed(2))}%`;
}
