import { fail } from '../../errors.ts';
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
} from './dates.ts';
import type { KindContext } from './query-kind.ts';

/** The intervals of a span, in their order. */
export interface Buckets {
  readonly interval: Interval;
  /** Where each begins, Unix milliseconds. */
  readonly starts: readonly number[];
  /** Where the last one ends. */
  readonly end: number;
  /** `2025-03-03`, of hours and minutes `2025-03-03 10:00:00`, as local clocks show the beginning. */
  readonly days: readonly string[];
  /** `3-Mar-2025`, of hours and minutes `3-Mar-2025 10:00`. */
  readonly labels: readonly string[];
}

const MAX_BUCKETS = 50_000;
const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The local minutes, hours, days, weeks or months that a span touches. Days may have 23 or 25 hours; an hour that exists
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
    labels: locals.map((iso) => labelOf(iso, isFine)),
  };
}

function labelOf(iso: string, isFine: boolean): string {
  const day = `${Number(iso.slice(8, 10))}-${MONTH_NAMES[Number(iso.slice(5, 7)) - 1]}-${iso.slice(0, 4)}`;
  return isFine ? `${day} ${iso.slice(11, 16)}` : day;
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
  for (const [at, start] of starts.entries()) {
    const last = runs.at(-1);
    const length = (starts[at + 1] ?? end) - start;
    if (last === undefined || last.length !== length) runs.push({ at, start, length });
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
  /** What counts; of intervals, the first one counts whole. */
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

/** The span of a query in its intervals, or (`isTotal`) as one; then the span that it is compared to. Throws invalid_input. */
export async function readPeriods(
  { interval: requestedInterval, dateRange, compareFilter }: TimedQuery,
  isTotal: boolean,
  zone: TimeZone,
  context: Pick<KindContext, 'weekStartDay' | 'now' | 'runQuery'>,
): Promise<Period[]> {
  const interval = requestedInterval ?? 'day';
  const weekStart = context.weekStartDay;
  const firstEvent = await firstEventOf(dateRange, context);
  const dates = { zone, weekStart, now: context.now, interval, firstEvent };
  const span = resolveDates(dateRange, dates);
  const period = (of: DateSpan, compared: Period['compare']): Period => {
    if (isTotal) return { compare: compared, span: of, buckets: null };
    const buckets = bucketsOf(of, interval, zone, weekStart);
    const isExact = dateRange?.explicitDate === true;
    const from = isExact ? of.from : (buckets.starts[0] ?? of.from);
    return { compare: compared, span: { from, to: of.to }, buckets };
  };
  const { compare: isCompared, compare_to: compareTo } = compareFilter ?? {};
  // All time has nothing before it.
  if (!isCompared || dateRange?.date_from === 'all') return [period(span, null)];
  return [period(span, 'current'), period(previousSpan(span, compareTo, dates), 'previous')];
}

/** The index of an interval by its name in `days`, or by a day or moment in it. Throws invalid_input. */
export function pickedInterval(
  buckets: Buckets,
  day: string | number,
  zone: TimeZone,
  { now, weekStartDay: weekStart }: Pick<KindContext, 'now' | 'weekStartDay'>,
): number {
  const named = buckets.days.indexOf(String(day));
  const moment = readDateWord(String(day), { zone, weekStart, now })?.exact;
  const at =
    named >= 0 || moment === undefined ? named : buckets.starts.findLastIndex((start) => start <= moment);
  const end = buckets.starts[at + 1] ?? buckets.end;
  if (at < 0 || (moment !== undefined && moment >= end)) {
    throw fail('invalid_input', {
      detail: `The query does not have the interval ${String(day).slice(0, 40)}.`,
    });
  }
  return at;
}
