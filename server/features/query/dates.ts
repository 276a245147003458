import { fail } from '../../errors.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import {
  DATE_UNITS,
  monthsBefore,
  readRelativeDate,
  type RelativeDate,
} from '../../lib/relative-date.contract.ts';
import { field, from, order, select } from '../../hogql/build.ts';
import type { KindContext } from './query-kind.ts';

export type Interval = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

/** A span of time in Unix milliseconds; `to` is exclusive. */
export interface DateSpan {
  readonly from: number;
  readonly to: number;
}

/** The field `resolved_date_range` of a result: its last moment is inclusive. */
export function resolvedRange({ from, to }: DateSpan): { date_from: string; date_to: string } {
  return { date_from: new Date(from).toISOString(), date_to: new Date(to - 1).toISOString() };
}

/** Whether a text says how much earlier a compared span is. */
export function isCompareTo(text: string): boolean {
  return readCompareTo(text) !== null;
}

function readCompareTo(text: string): RelativeDate | null {
  return readRelativeDate(text, { letters: 'hdwmqy', digits: 4 });
}

/** The dates of a query as they were sent. */
export interface DateRange {
  readonly date_from?: string | null | undefined;
  readonly date_to?: string | null | undefined;
  /** Uses both dates exactly, without rounding to whole days or hours. */
  readonly explicitDate?: boolean | null | undefined;
  /** Leaves out intervals that have not ended, or of which the range has only a part. */
  readonly excludeIncompletePeriods?: boolean | null | undefined;
}

interface SpanContext extends DateContext {
  /** Default day. */
  readonly interval?: Interval | null | undefined;
  /** The first event of the project in Unix milliseconds, where `all` begins; null: there is none. */
  readonly firstEvent?: number | null;
  /** Where a query begins that does not say it; default `-7d`. */
  readonly defaultFrom?: string;
  /** One number up to now: relative dates are exact to the minute, so that `-7d` is seven times 24 hours (amendment A-5). */
  readonly isNumber?: boolean;
  /** By the hour and finer, a `date_to` that is a day is its first moment (amendment A-5); otherwise all of that day. */
  readonly isChart?: boolean;
}

/**
 * The span that a query means (management contract 9.9, 9.9.1, amendment A-5): days are whole, also the last one, which for
 * no end is today; hours, minutes and seconds end with their unit, or with the date itself. Nothing finer than the interval
 * depends on the current time, so that a repeated query has the same bounds; a number is exact to the minute, and spans of
 * minutes to the second. Throws invalid_input for a text that is no date.
 */
export function resolveDates(range: DateRange | null | undefined, asked: SpanContext): DateSpan {
  const context = asked.isNumber === true ? { ...asked, now: wholeMinute(asked.now) } : asked;
  const end = spanEnd(range, context);
  const to = range?.excludeIncompletePeriods === true ? Math.min(end, ongoingStart(context)) : end;
  const text = fromText(range, context);
  if (text === 'all') return { from: firstDay(context), to };
  const word = readWord(text, 'date_from', context);
  const isVerbatim = range?.explicitDate === true || context.isNumber === true;
  if (isVerbatim) return { from: word.exact, to };
  // The last minutes begin that many minutes ago, not at a whole hour or day.
  const isRolling = isFinest(context.interval) && isRelative(text) && !hasEdge(text);
  return { from: isRolling ? wholeSecond(word.exact) : word.start, to };
}

function fromText(range: DateRange | null | undefined, { defaultFrom }: SpanContext): string {
  return range?.date_from || (defaultFrom ?? '-7d');
}

function spanEnd(range: DateRange | null | undefined, context: SpanContext): number {
  const { interval, now, zone, weekStart } = context;
  const text = range?.date_to;
  const isFine = isFinest(interval) || interval === 'hour';
  if (!text) {
    if (context.isNumber === true) return fineEnd(now, 'minute', context);
    return isFine ? fineEnd(now, interval!, context) : unitAround(now, 'day', zone, weekStart).end;
  }
  const word = readWord(text, 'date_to', context);
  if (range.explicitDate === true) return word.exact + (word.isMoment ? 1 : 0);
  if (!isFine) return word.end;
  if (!isRelative(text)) return word.isMoment || context.isChart === true ? word.exact + 1 : word.end;
  return text.endsWith('End') ? word.end : fineEnd(word.exact, interval!, context);
}

/** Where the hour or minute of a moment ends. A second is over when it begins, so that `-60s` has 60 of them. */
function fineEnd(moment: number, interval: Interval, { zone, weekStart }: DateContext): number {
  return interval === 'second' ? wholeSecond(moment) : unitAround(moment, interval, zone, weekStart).end;
}

/** Where the interval began that is not over yet. */
function ongoingStart({ now, interval, zone, weekStart }: SpanContext): number {
  return unitAround(now, interval ?? 'day', zone, weekStart).start;
}

function wholeMinute(ms: number): number {
  return Math.floor(ms / 60_000) * 60_000;
}

function wholeSecond(ms: number): number {
  return Math.floor(ms / 1_000) * 1_000;
}

function isFinest(interval: Interval | null | undefined): boolean {
  return interval === 'second' || interval === 'minute';
}

/** A relative date, of which `now` is one. */
function relativeDate(text: string): RelativeDate | null {
  return readRelativeDate(text === 'now' ? '-0h' : text, RELATIVE);
}

/** Whether a date is relative to now. */
export function isRelative(text: string): boolean {
  return relativeDate(text) !== null;
}

function hasEdge(text: string): boolean {
  return text.endsWith('Start') || text.endsWith('End');
}

/** Whether a date is so many hours, minutes or seconds ago. */
export function isHoursAgo(text: string): boolean {
  const date = relativeDate(text);
  return date !== null && date.edge === null && isClockUnit(DATE_UNITS[date.letter]);
}

function firstDay({ firstEvent, now, zone, weekStart }: SpanContext): number {
  return unitAround(firstEvent ?? now, 'day', zone, weekStart).start;
}

function readWord(text: string, field: string, context: DateContext): DateWord {
  const word = readDateWord(text, context);
  if (word !== null) return word;
  throw fail('invalid_input', {
    detail: `'${text.slice(0, 40)}' is not a valid ${field}: use a date such as 2026-03-04, a date and time, or a relative date such as -7d or mStart.`,
  });
}

/**
 * The span that the span of a range is compared to (amendment A-5). By `compareTo` such as `-1y`: as much earlier as it says,
 * with the same length. Otherwise a calendar unit up to now has the whole unit before it; a span of minutes, of all time or
 * of less than a day what lies directly before it; any other is shifted by its length in whole days, so that clocks show the
 * same. Throws invalid_input.
 */
export function previousSpan(
  range: DateRange | null | undefined,
  span: DateSpan,
  compareTo: string | null | undefined,
  context: SpanContext,
): DateSpan {
  const { zone, weekStart } = context;
  if (compareTo) return earlierSpan(span, compareTo, zone);
  const text = fromText(range, context);
  const unit = range?.date_to ? undefined : CALENDAR_STARTS[text];
  if (unit !== undefined) {
    return { from: unitAround(span.from - 1, unit, zone, weekStart).start, to: span.from };
  }
  const to = comparedEnd(range, span, context);
  const localFrom = zone.localOf(span.from);
  const localTo = zone.localOf(to);
  const days = dayOf(localFrom) - dayOf(localFrom - (localTo - localFrom) + 1);
  if (text === 'all' || isFinest(context.interval) || days === 0) {
    return { from: span.from - (to - span.from), to: span.from };
  }
  const shift = (isWholeWeeks(range, context) ? days - 1 : days) * DAY_MS;
  const end = zone.momentOf(localTo - shift);
  // The minute of now belongs to the current span alone.
  return {
    from: zone.momentOf(localFrom - shift),
    to: context.isNumber === true ? Math.min(end, span.from) : end,
  };
}

function earlierSpan({ from: start, to }: DateSpan, compareTo: string, zone: TimeZone): DateSpan {
  const earlier = readCompareTo(compareTo);
  if (earlier === null) {
    throw fail('invalid_input', { detail: `compare_to must be a relative date such as -1w, -1m or -1y.` });
  }
  const local = zone.localOf(start);
  const localFrom = addUnits(local, -earlier.count, DATE_UNITS[earlier.letter]);
  return { from: zone.momentOf(localFrom), to: zone.momentOf(localFrom + zone.localOf(to) - local) };
}

/** Units that have begun: they are compared to the whole unit before. */
const CALENDAR_STARTS: Readonly<Record<string, CalendarUnit>> = {
  wStart: 'week',
  mStart: 'month',
  qStart: 'quarter',
  yStart: 'year',
};

/** Whole days up to now are compared to whole days, also by the hour or minute. */
function comparedEnd(range: DateRange | null | undefined, span: DateSpan, context: SpanContext): number {
  const { interval, isNumber, zone, weekStart } = context;
  const text = fromText(range, context);
  const isFine = isFinest(interval) || interval === 'hour';
  if (!isFine || isNumber === true || range?.date_to || isHoursAgo(text) || text === 'all') return span.to;
  const isWholeDays = zone.localOf(span.from) % DAY_MS === 0 && span.to > span.from;
  return isWholeDays ? unitAround(span.to - 1, 'day', zone, weekStart).end : span.to;
}

/** Whether `-7d` and its multiples, which are a day longer with today, are shifted by whole weeks, so that weekdays align. */
function isWholeWeeks(range: DateRange | null | undefined, context: SpanContext): boolean {
  if ((context.interval ?? 'day') !== 'day' || range?.date_to || context.isNumber === true) return false;
  if (range?.excludeIncompletePeriods === true) return false;
  const date = readRelativeDate(fromText(range, context), RELATIVE);
  return date !== null && date.letter === 'd' && date.count > 0 && date.count % 7 === 0;
}

function dayOf(local: number): number {
  return Math.floor(local / DAY_MS);
}

/** Where and when a date is read. */
interface DateContext {
  readonly zone: TimeZone;
  readonly weekStart: WeekStart;
  /** Unix milliseconds. */
  readonly now: number;
}

/** What a text names as a date, in Unix milliseconds. */
interface DateWord {
  /** Where a span that begins with it begins. */
  readonly start: number;
  /** Where a span that ends with it ends, exclusive. */
  readonly end: number;
  /** What it says to the letter. */
  readonly exact: number;
  /** Whether a moment was written out rather than a day or a relative date. */
  readonly isMoment: boolean;
}

/** Before it the calendar's years have no four digits. */
const FIRST_YEAR = Date.parse('0001-01-03T00:00:00Z');
const RELATIVE = { minus: 'optional', edges: true } as const;
const ABSOLUTE = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)\s?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

/**
 * Reads a date of a query (management contract 9.9): a day or moment as ISO 8601, of the project's time zone when it names
 * none; or a relative one such as `-7d`, `-24h`, `mStart`, `-1mEnd`. Relative days are whole, relative hours whole hours.
 * Null for any other text.
 */
export function readDateWord(text: string, context: DateContext): DateWord | null {
  const word = readAbsolute(text, context) ?? readRelative(text, context);
  return word !== null && Number.isFinite(word.start) && Number.isFinite(word.end) ? word : null;
}

function readAbsolute(text: string, { zone, weekStart }: DateContext): DateWord | null {
  const [, day, time, offset] = ABSOLUTE.exec(padded(text)) ?? [];
  if (day === undefined) return null;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || new Date(midnight).getUTCDate() !== Number(day.slice(8))) return null;
  const dayEnd = (moment: number) => unitAround(moment, 'day', zone, weekStart).end;
  if (time === undefined) {
    const start = zone.momentOf(midnight);
    return { start, end: dayEnd(start), exact: start, isMoment: false };
  }
  const local = Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}${isoOffset(offset)}`);
  const exact = offset === undefined ? zone.momentOf(local) : local;
  if (Number.isNaN(exact)) return null;
  return { start: exact, end: dayEnd(exact), exact, isMoment: true };
}

/** PostHog also takes days without their zeros: `2020-6-1`. */
function padded(text: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  return year === undefined ? text : `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}`;
}

function isoOffset(offset = 'Z'): string {
  if (offset.length === 3) return `${offset}:00`;
  return offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset;
}

function readRelative(text: string, { zone, weekStart, now }: DateContext): DateWord | null {
  const date = relativeDate(text);
  if (date === null) return null;
  const { count, edge } = date;
  const unit = DATE_UNITS[date.letter];
  // A calendar's units keep the time of day over a change of the clocks; hours are hours.
  const shown = addUnits(isClockUnit(unit) ? now : zone.localOf(now), -count, unit);
  if (!(shown >= FIRST_YEAR)) return null;
  const exact = isClockUnit(unit) ? shown : zone.momentOf(shown);
  const whole = isClockUnit(unit) ? unit : 'day';
  if (edge === null) return { ...unitAround(exact, whole, zone, weekStart), exact, isMoment: false };
  // The first day (or hour) of the unit, or its last.
  const around = unitAround(exact, unit, zone, weekStart);
  const isStart = edge === 'Start';
  const span = unitAround(isStart ? around.start : around.end - 1, whole, zone, weekStart);
  return { ...span, exact: isStart ? span.start : span.end, isMoment: false };
}

/** Units of a calendar and of a clock. */
type CalendarUnit = (typeof DATE_UNITS)[keyof typeof DATE_UNITS];
export type WeekStart = 'sunday' | 'monday';

const DAY_MS = 86_400_000;
/** Milliseconds of the units that always have as many. */
const LENGTHS: Partial<Record<CalendarUnit, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: DAY_MS,
};
const MONTHS: Partial<Record<CalendarUnit, number>> = { month: 1, quarter: 3, year: 12 };
/** The first Sunday and the first Monday of Unix time, in days. */
const FIRST_DAY: Record<WeekStart, number> = { sunday: 3, monday: 4 };

/** Whether a unit is counted by clocks, and not by a calendar. */
export function isClockUnit(unit: CalendarUnit): boolean {
  return unit === 'second' || unit === 'minute' || unit === 'hour';
}

/** Where the unit began in which clocks show `local` (local milliseconds, see `TimeZone`). */
export function startOfUnit(local: number, unit: CalendarUnit, weekStart: WeekStart): number {
  const length = LENGTHS[unit];
  if (length !== undefined) return Math.floor(local / length) * length;
  if (unit === 'week') {
    const first = FIRST_DAY[weekStart];
    return (Math.floor((Math.floor(local / DAY_MS) - first) / 7) * 7 + first) * DAY_MS;
  }
  const date = new Date(local);
  const step = MONTHS[unit]!;
  const month = Math.floor(date.getUTCMonth() / step) * step;
  date.setUTCFullYear(date.getUTCFullYear(), month, 1);
  return date.setUTCHours(0, 0, 0, 0);
}

/** What clocks and calendar show some units later, or earlier for a negative count; the month's last day where it has no such day. */
export function addUnits(local: number, count: number, unit: CalendarUnit): number {
  const months = MONTHS[unit];
  if (months !== undefined) return monthsBefore(local, -count * months);
  return local + count * (unit === 'week' ? 7 * DAY_MS : LENGTHS[unit]!);
}

/** Where the unit ends in which clocks show `local`: where the next begins. */
function endOfUnit(local: number, unit: CalendarUnit, weekStart: WeekStart): number {
  return addUnits(startOfUnit(local, unit, weekStart), 1, unit);
}

/** The unit in which a moment lies, as moments (Unix milliseconds), its end exclusive. */
export function unitAround(
  ms: number,
  unit: CalendarUnit,
  zone: TimeZone,
  weekStart: WeekStart,
): { start: number; end: number } {
  const local = zone.localOf(ms);
  const startLocal = startOfUnit(local, unit, weekStart);
  if (!isClockUnit(unit)) {
    return { start: zone.momentOf(startLocal), end: zone.momentOf(endOfUnit(local, unit, weekStart)) };
  }
  // An hour may exist twice: the one is meant in which the moment lies.
  const start = ms - (local - startLocal);
  return { start, end: start + LENGTHS[unit]! };
}

/**
 * When the project's first event happened, in Unix milliseconds, for queries of all time; null when there is none, or
 * when the query is not of all time.
 */
export async function firstEventOf(
  range: DateRange | null | undefined,
  context: Pick<KindContext, 'runQuery'>,
): Promise<number | null> {
  if (range?.date_from !== 'all') return null;
  const first = select({
    select: [field('timestamp')],
    from: from('events'),
    orderBy: [order(field('timestamp'))],
    limit: 1,
  });
  const { rows } = await context.runQuery(first, { inHogql: false });
  const moment = rows[0]?.[0];
  return typeof moment === 'string' ? Date.parse(moment) : null;
}
