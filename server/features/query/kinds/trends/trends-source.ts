import type { Expr, JoinExpr } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  dateTime,
  field,
  from,
  isNotNull,
  select,
} from '../../../../hogql/build.ts';
import { total, type SeriesMath } from '../../series/series-math.ts';
import { addUnits } from '../../dates/calendar.ts';
import { bucketIndex, type Buckets } from '../../dates/buckets.ts';
import type { DateSpan } from '../../dates/date-span.ts';
import type { TimeZone } from '../../../../lib/time-zone.ts';

/** The rows of a series: FROM, WHERE, interval and breakdown values. */
export interface SeriesSource {
  readonly from: JoinExpr;
  readonly where: readonly Expr[];
  /** The number of the interval; null where there is but one. */
  readonly bucket: Expr | null;
  /** How many intervals there are. */
  readonly intervals: number;
  /** Texts of the breakdown's dimensions. */
  readonly values: readonly Expr[];
}

/** What the sources are made of. */
export interface EventsSource {
  readonly from: JoinExpr;
  /** Conditions of the query and the series, without time. */
  readonly where: readonly Expr[];
  readonly values: readonly Expr[];
}

const PERSON = field('person_id');
const TIMESTAMP = field('timestamp');

function valueName(at: number): string {
  return `value_${at}`;
}

function named(values: readonly Expr[]): Expr[] {
  return values.map((value, at) => alias(value, valueName(at)));
}

function nested(values: readonly Expr[]): Expr[] {
  return values.map((_, at) => field(valueName(at)));
}

function intervalsOf(buckets: Buckets | null): number {
  return buckets === null ? 1 : buckets.starts.length;
}

/** Events as they are. */
export function eventsSource(events: EventsSource, span: DateSpan, buckets: Buckets | null): SeriesSource {
  return {
    from: events.from,
    where: [between(TIMESTAMP, span), ...events.where],
    bucket: buckets === null ? null : bucketIndex(TIMESTAMP, buckets),
    intervals: intervalsOf(buckets),
    values: events.values,
  };
}

/** Whatever `key` names, a row for each in the first interval of the span that has it, and for each value of the breakdown. */
export function onceSource(
  events: EventsSource,
  key: Expr,
  span: DateSpan,
  buckets: Buckets | null,
): SeriesSource {
  const all = eventsSource(events, span, buckets);
  const firsts = select({
    select: [
      alias(key, 'one'),
      alias(call('min', all.bucket ?? constant(0)), 'first'),
      ...named(events.values),
    ],
    from: events.from,
    where: and(...all.where, isNotNull(key)),
    groupBy: [field('one'), ...nested(events.values)],
  });
  return {
    from: from(firsts),
    where: [],
    bucket: buckets === null ? null : field('first'),
    intervals: intervalsOf(buckets),
    values: nested(events.values),
  };
}

/** The aggregate of the rows that `onceSource` groups by `key`. */
export function onceMath(key: Expr): SeriesMath {
  return {
    ...total(),
    keys: [field('one')],
    parts: [],
    isOnce: true,
    rank: () => call('count'),
    unique: key,
  };
}

/**
 * Each person's first event: of those of the entity, when it fits the conditions too; or, `ofMatching`, of those that fit
 * them. It counts where it lies in the span.
 */
export function firstTimeSource(
  events: Pick<EventsSource, 'from' | 'values'>,
  {
    entity,
    conditions,
    ofMatching,
  }: { entity: Expr | null; conditions: readonly Expr[]; ofMatching: boolean },
  span: DateSpan,
  buckets: Buckets | null,
): SeriesSource {
  const fits = conditions.length === 0 ? null : and(...conditions);
  const before = compare('<', TIMESTAMP, dateTime(span.to));
  const where = [
    before,
    ...(entity === null ? [] : [entity]),
    ...(ofMatching && fits !== null ? [fits] : []),
  ];
  // The first event of all: what it is like is looked at afterwards.
  const likeness = ofMatching || fits === null ? [] : [alias(call('argMin', fits, TIMESTAMP), 'fits')];
  const values = events.values.map((value, at) =>
    alias(call('argMin', call('coalesce', value, constant('')), TIMESTAMP), valueName(at)),
  );
  const firsts = select({
    select: [PERSON, alias(call('min', TIMESTAMP), 'first_at'), ...likeness, ...values],
    from: events.from,
    where: and(...where),
    groupBy: [PERSON],
  });
  const first = field('first_at');
  return {
    from: from(firsts),
    where: [
      between(first, span),
      ...(likeness.length === 0 ? [] : [compare('==', field('fits'), constant(true))]),
    ],
    bucket: buckets === null ? null : bucketIndex(first, buckets),
    intervals: intervalsOf(buckets),
    values: nested(events.values),
  };
}

/**
 * Who was active in the days up to the end of each interval: every person once in each interval whose window holds an
 * event of theirs. Without intervals, in the days up to the end of the span.
 */
export function activeSource(
  events: EventsSource,
  days: number,
  span: DateSpan,
  buckets: Buckets | null,
  zone: TimeZone,
): SeriesSource {
  const windowStart = (end: number): number => zone.momentOf(addUnits(zone.localOf(end), -days, 'day'));
  if (buckets === null) return eventsSource(events, { from: windowStart(span.to), to: span.to }, null);
  // The last interval may not be over yet: then the days up to the end of the span are meant.
  const end = Math.min(span.to, buckets.end);
  const opens = [...buckets.starts.slice(1), end].map(windowStart);
  // An event counts from the interval in which it lies, or the first of all, to the last whose window is open by then.
  const since = call(
    'if',
    compare('<', TIMESTAMP, dateTime(buckets.starts[0]!)),
    constant(0),
    bucketIndex(TIMESTAMP, buckets),
  );
  const until = call(
    'if',
    compare('<', TIMESTAMP, dateTime(opens.at(-1)!)),
    bucketIndex(TIMESTAMP, { starts: opens, end: buckets.end }),
    constant(opens.length - 1),
  );
  const seen = select({
    distinct: true,
    select: [PERSON, alias(since, 'since'), alias(until, 'until'), ...named(events.values)],
    from: events.from,
    where: and(between(TIMESTAMP, { from: opens[0]!, to: end }), ...events.where),
  });
  const places = call('range', field('since'), call('plus', field('until'), constant(1)));
  const active = select({
    select: [PERSON, alias(call('arrayJoin', places), 'place'), ...nested(events.values)],
    from: from(seen),
  });
  return {
    from: from(active),
    where: [],
    bucket: field('place'),
    intervals: opens.length,
    values: nested(events.values),
  };
}

function between(moment: Expr, span: DateSpan): Expr {
  return and(compare('>=', moment, dateTime(span.from)), compare('<', moment, dateTime(span.to)));
}
