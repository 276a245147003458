import { fail, type ApiError } from '../../errors.ts';
import { arithmetic, call, compare, constant, dateTime } from '../../hogql/build.ts';
import type { Expr } from '../../hogql/ast.ts';
import type { TimeZone } from '../../lib/time-zone.ts';
import {
  type DateSpan,
  type Interval,
  isClockUnit,
  startOfUnit,
  unitAround,
  type WeekStart,
  previousSpan,
  resolveDates,
  type DateRange,
  readDateWord,
  firstEventOf,
  isHoursAgo,
  isRelative,
} from './dates.ts';
import type { KindContext } from './query-kind.ts';

/** The intervals of a span, in their order. */
export interface Buckets {
  readonly interval: Interval;
  /** Where each begins, Unix milliseconds. */
  readonly starts: readonly number[];
  /** Where the last one ends. */
  readonly end: number;
  /** `2025-03-03`, of hours, minutes and seconds `2025-03-03 10:00:00`, as local clocks show the beginning. */
  readonly days: readonly string[];
  /** The same for people: `3-Mar-2025`, `3-Mar-2025 10:00`; of charts see `withChartLabels`. */
  readonly labels: readonly string[];
}

const DAY_MS = 86_400_000;
const MAX_BUCKETS = 50_000;
const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The local seconds, minutes, hours, days, weeks, months, quarters or years that a span touches. Days may have 23 or 25 hours; an hour that exists
 * twice is two. Throws invalid_input beyond 50,000.
 */
export function bucketsOf(span: DateSpan, interval: Interval, zone: TimeZone, weekStart: WeekStart): Buckets {
  const starts: number[] = [];
  let end = unitAround(span.from, interval, zone, weekStart).start;
  while (end < span.to) {
    if (starts.length === MAX_BUCKETS) throw tooMany();
    starts.push(end);
    end = unitAround(end, interval, zone, weekStart).end;
  }
  // Where clocks change by half an hour, its second half is all there is of an hour.
  const locals = starts.map((start) =>
    new Date(startOfUnit(zone.localOf(start), interval, weekStart)).toISOString(),
  );
  const isFine = isClockUnit(interval);
  return {
    interval,
    starts,
    end,
    days: locals.map((iso) => (isFine ? `${iso.slice(0, 10)} ${iso.slice(11, 19)}` : iso.slice(0, 10))),
    labels: locals.map((iso) => (isFine ? `${dateLabel(iso)} ${iso.slice(11, 16)}` : dateLabel(iso))),
  };
}

/**
 * The same intervals as charts call them (amendment A-5): `3-Mar-2025`, `3-Mar 10:00`, of the span's days `2–8 Mar`, `Mar 2025`,
 * `Q1 2025`, `2025`.
 */
export function withChartLabels(
  buckets: Buckets,
  span: DateSpan,
  zone: TimeZone,
  weekStart: WeekStart,
): Buckets {
  const { interval, starts } = buckets;
  const days = localDays(span, zone);
  const labels = starts.map((start) => {
    const iso = new Date(startOfUnit(zone.localOf(start), interval, weekStart)).toISOString();
    return interval === 'week' ? weekLabel(iso, days) : labelOf(iso, interval);
  });
  return { ...buckets, labels };
}

function dateLabel(iso: string): string {
  const { day, month, year } = partsOf(iso);
  return `${day}-${month}-${year}`;
}

/** The parts of a local day. */
function partsOf(iso: string): { day: number; month: string; year: string } {
  const month = MONTH_NAMES[Number(iso.slice(5, 7)) - 1]!;
  return { day: Number(iso.slice(8, 10)), month, year: iso.slice(0, 4) };
}

function labelOf(iso: string, interval: Exclude<Interval, 'week'>): string {
  const { day, month, year } = partsOf(iso);
  switch (interval) {
    case 'second':
      return `${day}-${month} ${iso.slice(11, 19)}`;
    case 'minute':
    case 'hour':
      return `${day}-${month} ${iso.slice(11, 16)}`;
    case 'day':
      return dateLabel(iso);
    case 'month':
      return `${month} ${year}`;
    case 'quarter':
      return `Q${Math.ceil(Number(iso.slice(5, 7)) / 3)} ${year}`;
    case 'year':
      return year;
  }
}

/** The first and the last local day of a span. */
function localDays({ from, to }: DateSpan, zone: TimeZone): readonly [first: string, last: string] {
  return [from, Math.max(from, to - 1)].map((ms) => new Date(zone.localOf(ms)).toISOString()) as [
    string,
    string,
  ];
}

/** The days of a week that are in the span: `2–8 Mar`, `28-Feb – 6-Mar`, of two years with both, of one day that day. */
function weekLabel(start: string, [first, last]: readonly [string, string]): string {
  const ends = new Date(Date.parse(start) + 6 * DAY_MS).toISOString();
  const from = start.slice(0, 10) > first.slice(0, 10) ? start : first;
  const to = ends.slice(0, 10) < last.slice(0, 10) ? ends : last;
  if (to.slice(0, 10) <= from.slice(0, 10)) return dateLabel(from);
  const [a, b] = [partsOf(from), partsOf(to)];
  if (a.year !== b.year) return `${dateLabel(from)} – ${dateLabel(to)}`;
  if (a.month !== b.month) return `${a.day}-${a.month} – ${b.day}-${b.month}`;
  return `${a.day}–${b.day} ${a.month}`;
}

function tooMany() {
  return fail('invalid_input', {
    detail: `The result would have more than ${MAX_BUCKETS} data points: choose a longer interval or a shorter date range.`,
  });
}

/** Intervals of one length after each other. */
interface Run {
  /** The number of its first interval. */
  at: number;
  start: number;
  length: number;
}

/**
 * An integer expression for the number of the interval, from 0, in which a moment lies that is not before the first one.
 * It needs no date function: intervals of equal length are counted by division, and where the length changes (clocks,
 * months) comparisons with constants choose.
 */
export function bucketIndex(moment: Expr, buckets: Pick<Buckets, 'starts' | 'end'>): Expr {
  return indexIn(runsOf(buckets), moment, call('toUnixTimestamp64Micro', moment));
}

function runsOf({ starts, end }: Pick<Buckets, 'starts' | 'end'>): Run[] {
  const runs: Run[] = [];
  let isBroken = true;
  for (const [at, start] of starts.entries()) {
    const length = (starts[at + 1] ?? end) - start;
    // Two intervals begin at one moment where the clocks skip an hour: no moment is in the first.
    if (length > 0 && (isBroken || runs.at(-1)!.length !== length)) runs.push({ at, start, length });
    isBroken = length <= 0;
  }
  return runs;
}

function indexIn(runs: readonly Run[], moment: Expr, micros: Expr): Expr {
  if (runs.length === 0) return constant(0);
  if (runs.length > 1) {
    const middle = runs.length >> 1;
    return call(
      'if',
      compare('<', moment, dateTime(runs[middle]!.start)),
      indexIn(runs.slice(0, middle), moment, micros),
      indexIn(runs.slice(middle), moment, micros),
    );
  }
  const { at, start, length } = runs[0]!;
  const since = arithmetic('-', micros, constant(start * 1_000));
  const number = call('intDiv', since, constant(length * 1_000));
  return at === 0 ? number : arithmetic('+', number, constant(at));
}

/** A span that is looked at. */
export interface Period {
  readonly compare: 'current' | 'previous' | null;
  /** What counts. */
  readonly span: DateSpan;
  /** Null where one number covers the whole span. */
  readonly buckets: Buckets | null;
}

/** What a query says of the time that it looks at. */
interface TimedQuery {
  readonly interval?: Interval | null | undefined;
  readonly dateRange?: DateRange | null | undefined;
  readonly compareFilter?:
    | { readonly compare?: boolean | null | undefined; readonly compare_to?: string | null | undefined }
    | null
    | undefined;
}

/**
 * How a query is drawn: in intervals, as totals of the same span, or as one number, which looks at an exact span up to now.
 */
export type Shape = 'intervals' | 'total' | 'number';

/** The span of a query in its intervals, or as one; then the span that it is compared to. Throws invalid_input. */
export async function readPeriods(
  { interval: requestedInterval, dateRange, compareFilter }: TimedQuery,
  shape: Shape,
  zone: TimeZone,
  context: Pick<KindContext, 'weekStartDay' | 'now' | 'runQuery'>,
): Promise<Period[]> {
  const interval = requestedInterval ?? 'day';
  const weekStart = context.weekStartDay;
  const firstEvent = await firstEventOf(dateRange, context);
  const isNumber = shape === 'number';
  const dates = { zone, weekStart, now: context.now, interval, firstEvent, isNumber, isChart: true };
  const span = resolveDates(dateRange, dates);
  const period = (of: DateSpan, compared: Period['compare']): Period => {
    if (isNumber) return { compare: compared, span: of, buckets: null };
    const all = withChartLabels(bucketsOf(of, interval, zone, weekStart), of, zone, weekStart);
    const { span: counted, buckets } = countedIn(of, all, dateRange, zone);
    return { compare: compared, span: counted, buckets: shape === 'total' ? null : buckets };
  };
  const { compare: isCompared, compare_to: compareTo } = compareFilter ?? {};
  if (!isCompared) return [period(span, null)];
  return [period(span, 'current'), period(previousSpan(dateRange, span, compareTo, dates), 'previous')];
}

/**
 * What counts of a span in its intervals (amendment A-5): the first week counts from the first day of the range, other
 * first intervals whole, unless the range says its moment. Without incomplete intervals, what is left.
 */
function countedIn(
  of: DateSpan,
  buckets: Buckets,
  range: DateRange | null | undefined,
  zone: TimeZone,
): { span: DateSpan; buckets: Buckets } {
  const first = buckets.starts[0] ?? of.from;
  const start = countsFrom(of, first, buckets.interval, range, zone);
  if (range?.excludeIncompletePeriods !== true || start <= first) {
    return { span: { from: start, to: of.to }, buckets };
  }
  const rest = {
    ...buckets,
    starts: buckets.starts.slice(1),
    days: buckets.days.slice(1),
    labels: buckets.labels.slice(1),
  };
  return { span: { from: Math.min(rest.starts[0] ?? of.to, of.to), to: of.to }, buckets: rest };
}

function countsFrom(
  { from: start }: DateSpan,
  first: number,
  interval: Interval,
  range: DateRange | null | undefined,
  zone: TimeZone,
): number {
  if (range?.explicitDate === true) return start;
  if (interval === 'week') {
    return zone.momentOf(Math.floor(zone.localOf(start) / DAY_MS) * DAY_MS);
  }
  const text = range?.date_from ?? '';
  const isExact = isClockUnit(interval) ? isRelative(text) : interval === 'day' && isHoursAgo(text);
  return isExact ? start : first;
}

/** The index of an interval by its name in `days`, or by a day or moment in it. Throws invalid_input. */
export function pickedInterval(
  buckets: Buckets,
  day: string | number,
  zone: TimeZone,
  context: Pick<KindContext, 'now' | 'weekStartDay'>,
): number {
  const at = pickedPlace(day, [buckets], zone, context);
  if (at === null) throw noInterval(day);
  return at;
}

export function noInterval(day: string | number): ApiError {
  return fail('invalid_input', {
    detail: `The query does not have the interval ${String(day).slice(0, 40)}.`,
  });
}

/** The same in the first of several spans that has it; null: none has. */
export function pickedPlace(
  day: string | number,
  spans: readonly Buckets[],
  zone: TimeZone,
  { now, weekStartDay: weekStart }: Pick<KindContext, 'now' | 'weekStartDay'>,
): number | null {
  const moment = readDateWord(String(day), { zone, weekStart, now })?.exact;
  for (const buckets of spans) {
    const named = buckets.days.indexOf(String(day));
    if (named >= 0) return named;
    const isIn = moment !== undefined && moment >= (buckets.starts[0] ?? Infinity) && moment < buckets.end;
    if (isIn) return buckets.starts.findLastIndex((start) => start <= moment);
  }
  return null;
}
