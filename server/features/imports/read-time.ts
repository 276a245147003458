import { readIsoDate } from '../../lib/iso-date.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import { ExactNumber } from '../../lib/exact-number.contract.ts';
import { RowProblem } from './import-error.ts';

export type DateOrder = 'day_first' | 'month_first';

export interface TimeForm {
  /** Of times that name none. */
  zone: TimeZone;
  /** Of dates such as 01/02/2026; null: they are not read. */
  dateOrder: DateOrder | null;
}

const DIGITS = /^[+-]?\d{1,19}(?:\.\d+)?$/;
const EPOCH_LIMITS = [
  // Up to the year 5138 in seconds; the same digits in finer units are times since 1973.
  [1e11, 1_000_000],
  [1e14, 1000],
  [1e17, 1],
] as const;
/** Days since the last of 1899, as spreadsheets count: 1954 to 2119. */
const SERIAL_DAYS = [20_000, 80_000] as const;
const DAY_MS = 86_400_000;
const SERIAL_ZERO_MS = Date.UTC(1899, 11, 30);

const PARTS =
  /^(\d{1,2})[/.](\d{1,2})[/.](\d{4})(?:[ ,T]+(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,](\d{1,6}))?)?\s*([ap]m)?)?$/i;
const NAMED =
  /^(?:\w{3},? )?(\d{1,2})[ /-]([A-Za-z]{3})[a-z]*[ /-](\d{4})[ :T](\d\d):(\d\d):(\d\d)(?:\s*(Z|UTC|GMT|[+-]\d\d:?\d\d))?$/;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Unix microseconds between which times are taken for true: the years 2000 to 2100. */
const EARLIEST = Date.UTC(2000, 0, 1) * 1000;
const LATEST = Date.UTC(2101, 0, 1) * 1000;

/** Unix microseconds. Throws RowProblem for no time, for one that cannot be read, and for one that cannot be true. */
export function readTime(value: unknown, form: TimeForm): number {
  const micros = readAnyTime(value, form);
  if (micros >= EARLIEST && micros < LATEST) return micros;
  throw new RowProblem('The time is not between 2000 and 2100');
}

/** The same for any year. */
export function readAnyTime(value: unknown, form: TimeForm): number {
  if (value === null || value === undefined || value === '') throw new RowProblem('There is no time');
  if (typeof value === 'number') return fromNumber(value, form);
  const text = (value instanceof ExactNumber ? value.text : String(value)).trim();
  if (DIGITS.test(text)) return fromDigits(text, form);
  const iso = text
    .replace(/^(\d{4})\/(\d\d)\/(\d\d)/, '$1-$2-$3')
    .replace(/\s*(?:UTC|GMT)$/, 'Z')
    .replace(/(\d) ([+-]\d\d)/, '$1$2')
    .replace(/([+-]\d\d)$/, (offset) => (/:\d\d.*[+-]\d\d$/.test(text) ? `${offset}:00` : offset));
  const found = readIsoDate(iso, form.zone)?.start ?? fromParts(text, form) ?? fromNames(text, form);
  if (found === null || Number.isNaN(found)) throw new RowProblem('The time cannot be read');
  return found;
}

/** Beyond 2^53 a double has no microsecond left: nanoseconds are cut as text. */
function fromDigits(text: string, form: TimeForm): number {
  if (/^\d{18,19}$/.test(text)) return Number(text.slice(0, -3));
  return fromNumber(Number(text), form);
}

function fromNumber(value: number, { zone }: TimeForm): number {
  if (value === 0 || value === -1) throw new RowProblem('There is no time');
  if (value >= SERIAL_DAYS[0] && value < SERIAL_DAYS[1])
    return zone.momentOf(Math.round(SERIAL_ZERO_MS + value * DAY_MS)) * 1000;
  for (const [limit, factor] of EPOCH_LIMITS) if (Math.abs(value) < limit) return Math.round(value * factor);
  return Math.floor(value / 1000);
}

function fromParts(text: string, { zone, dateOrder }: TimeForm): number | null {
  const parts = PARTS.exec(text);
  if (parts === null) return null;
  const [first, second, year] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const order = first > 12 ? 'day_first' : second > 12 ? 'month_first' : dateOrder;
  if (order === null)
    throw new RowProblem('The date can be read in two ways; choose the order of day and month');
  const [day, month] = order === 'day_first' ? [first, second] : [second, first];
  const half = parts[8]?.toLowerCase();
  const hour =
    half === undefined ? Number(parts[4] ?? 0) : (Number(parts[4]) % 12) + (half === 'pm' ? 12 : 0);
  const local = utc(year, month, day, hour, Number(parts[5] ?? 0), Number(parts[6] ?? 0));
  return local === null ? null : zone.momentOf(local) * 1000 + Number((parts[7] ?? '').padEnd(6, '0') || 0);
}

/** `02/Mar/2026:08:15:30 +0100`, `Mon, 02 Mar 2026 08:15:30 GMT`. */
function fromNames(text: string, { zone }: TimeForm): number | null {
  const parts = NAMED.exec(text);
  if (parts === null) return null;
  const month = MONTHS.indexOf(parts[2]!.toLowerCase()) + 1;
  const local = utc(
    Number(parts[3]),
    month,
    Number(parts[1]),
    Number(parts[4]),
    Number(parts[5]),
    Number(parts[6]),
  );
  if (local === null || month === 0) return null;
  const offset = parts[7];
  if (offset === undefined) return zone.momentOf(local) * 1000;
  if (!/^[+-]/.test(offset)) return local * 1000;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
  return (local - (offset.startsWith('-') ? -1 : 1) * minutes * 60_000) * 1000;
}

function utc(
  year: number,
  month: number,
  day: number,
  hour: number,
  minute: number,
  second: number,
): number | null {
  const ms = Date.UTC(year, month - 1, day, hour, minute, second);
  const date = new Date(ms);
  const isThatDay = hour === 24 || (date.getUTCDate() === day && date.getUTCMonth() === month - 1);
  return isThatDay && hour <= 24 && minute < 60 && second <= 60 ? ms : null;
}

/** The order that a column of dates shows; null: each of them can be read in two ways, or none has it. */
export function dateOrderOf(values: readonly unknown[]): DateOrder | null {
  for (const value of values) {
    const parts = typeof value === 'string' ? PARTS.exec(value.trim()) : null;
    if (parts === null) continue;
    if (Number(parts[1]) > 12) return 'day_first';
    if (Number(parts[2]) > 12) return 'month_first';
  }
  return null;
}
