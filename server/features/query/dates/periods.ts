import { fail } from '../../../errors.ts';
import type { TimeZone } from '../../../lib/time-zone.ts';
import type { KindContext } from '../query-kind.ts';
import { bucketsOf, type Buckets } from './buckets.ts';
import { previousSpan, resolveDates, type DateRange, type DateSpan, type Interval } from './date-span.ts';
import { readDateWord } from './date-word.ts';
import { firstEventOf } from './first-event.ts';

/** A span that is looked at. */
export interface Period {
  readonly compare: 'current' | 'previous' | null;
  /** What counts; of intervals, the first one counts whole. */
  readonly span: DateSpan;
  /** Null where one number stands for the whole span. */
  readonly buckets: Buckets | null;
}

/** What a query says of the time that it looks at. */
export interface TimedQuery {
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
