import type { Expr, JoinExpr, Query, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  cte,
  field,
  from,
  isNotNull,
  join,
  not,
  or,
  order,
  select,
  tuple,
  dateTime,
} from '../../../../hogql/build.ts';
import { isMissing, NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import { type SeriesMath, conditionOf, type PlannedSeries, type TrendsPlan } from './plan.ts';
import type { KindContext } from '../../query-kind.ts';
import { eventsFrom, anyOf, between } from '../../series.ts';
import { bucketIndex, type Buckets, type Period } from '../../buckets.ts';
import { type DateSpan, addUnits } from '../../dates.ts';
import type { TimeZone } from '../../../../lib/time-zone.ts';

/** The columns of the values that are shown. */
function shownFields(dimensions: number): Expr[] {
  return Array.from({ length: dimensions }, (_, at) => field(`shown_${at}`));
}

/** Expressions by a name and their place: `key_0`, `key_1`… */
function aliased(prefix: string, exprs: readonly Expr[]): Expr[] {
  return exprs.map((expr, at) => alias(expr, `${prefix}_${at}`));
}

/** The columns that `aliased` makes of expressions. */
function fields(prefix: string, exprs: readonly Expr[]): Expr[] {
  return exprs.map((_, at) => field(`${prefix}_${at}`));
}

/** Which values of a breakdown have a series of their own: those that rank first, or these. */
export type TopValues =
  | { readonly kind: 'ranked'; readonly limit: number }
  | { readonly kind: 'fixed'; readonly values: readonly (readonly string[])[] };

/** A series by its math, and a condition beside those of its source; null: there is none. */
interface CountedSeries {
  readonly math: SeriesMath;
  readonly condition: Expr | null;
}

const BUCKET = field('bucket');

/**
 * The numbers of several series by interval, in one look at the events: columns are the interval and a number for each
 * series, rows are the intervals in which there is anything.
 */
export function plainStatement(source: SeriesSource, series: readonly CountedSeries[]): Query {
  const isOne = series.length === 1;
  const conditions = series.flatMap(({ condition }) => (condition === null ? [] : [condition]));
  const any = conditions.length < series.length ? [] : [anyOf(conditions)];
  const rows = rowsOf(source, any);
  const [{ math }] = series as [CountedSeries];
  if (isOne && math.perActor !== undefined) return actorsStatement(rows, math);
  return select({
    select: [
      rows.bucket,
      ...series.map((one, at) => alias(one.math.direct(isOne ? null : one.condition), `number_${at}`)),
    ],
    ...rows.parts,
    groupBy: rows.groups,
    // Each series may hold a set for each interval.
    mostGroups: source.intervals * series.length,
  });
}

/** Where the rows of a first step come from, and what they are grouped by. */
function rowsOf({ from: table, where, bucket }: SeriesSource, further: readonly Expr[]) {
  const conditions = [...where, ...further];
  return {
    bucket: alias(bucket ?? constant(0), 'bucket'),
    groups: bucket === null ? [] : [BUCKET],
    parts: { from: table, ...(conditions.length > 0 && { where: and(...conditions) }) },
  };
}

function actorsStatement(rows: ReturnType<typeof rowsOf>, math: SeriesMath): Query {
  const counts = select({
    select: [rows.bucket, ...aliased('key', math.keys), ...aliased('part', math.parts)],
    ...rows.parts,
    groupBy: [...rows.groups, ...fields('key', math.keys)],
  });
  return select({
    select: [BUCKET, alias(math.perActor!(field('part_0')), 'number_0')],
    from: from(counts),
    groupBy: [BUCKET],
  });
}

/**
 * The numbers of one series by value of its breakdown: columns are the values, then the intervals and the numbers as two
 * arrays of the same length. Events are read once: the first step groups them by value and interval, the second ranks the
 * values, the third brings together what ranks below. A math that cannot be taken apart needs values that are known.
 */
export function brokenDownStatement(
  source: SeriesSource,
  { math, condition }: CountedSeries,
  top: TopValues,
): Query {
  const values = withMissing(source.values);
  const dimensions = values.length;
  const names = fields('breakdown', values);
  const rows = rowsOf(source, condition === null ? [] : [condition]);
  if (math.isTotal === true) return totalStatement(rows, values, math, top);
  const grouped = select({
    select: [
      ...aliased('breakdown', values),
      rows.bucket,
      ...aliased('key', math.keys),
      ...aliased('part', math.parts),
    ],
    ...rows.parts,
    ...(!math.isRaw && { groupBy: [...names, ...rows.groups, ...fields('key', math.keys)] }),
  });
  const [keys, parts] = [fields('key', math.keys), fields('part', math.parts)];
  const isRanked = top.kind === 'ranked';
  const actors = math.perActor === undefined ? [] : keys;
  const ranking = isRanked
    ? join(from('grouped'), 'LEFT JOIN', from('ranked'), sameValues(names))
    : from('grouped');
  const shown = aliased('shown', shownValues(names, top));
  const numbers =
    math.isOnce === true
      ? countedOnce(ranking, shown, keys)
      : select({
          select: [...shown, BUCKET, ...actors, alias(math.combine(keys, parts), 'number')],
          from: ranking,
          groupBy: [...fields('shown', names), BUCKET, ...actors],
        });
  const ranked = isRanked ? [cte('ranked', rankedValues(names, math.rank(keys, parts), top.limit))] : [];
  return {
    ...asArrays(dimensions, perActor(numbers, dimensions, math)),
    ctes: [cte('grouped', grouped), ...ranked],
  };
}

/** Who has several values that are shown as one, such as those beyond the limit, counts once there. */
function countedOnce(source: JoinExpr, shown: readonly Expr[], keys: readonly Expr[]): SelectQuery {
  const names = shownFields(shown.length);
  const firsts = select({
    select: [...shown, ...keys, alias(call('min', BUCKET), 'first')],
    from: source,
    groupBy: [...names, ...keys],
  });
  return select({
    select: [...names, alias(field('first'), 'bucket'), alias(call('count'), 'number')],
    from: from(firsts),
    groupBy: [...names, BUCKET],
  });
}

/**
 * The values of a breakdown that rank first by a number of the events that have them, without what is missing: a column
 * for each dimension, then the number.
 */
export function topStatement(source: SeriesSource, rank: Expr, condition: Expr | null, limit: number): Query {
  const values = withMissing(source.values);
  const names = fields('breakdown', values);
  const { parts } = rowsOf(source, condition === null ? [] : [condition]);
  const grouped = select({
    select: [...aliased('breakdown', values), alias(rank, 'rank')],
    ...parts,
    groupBy: names,
  });
  return select({
    select: [...names, field('rank')],
    from: from(grouped),
    ...(names.length === 1 && { where: not(isMissing(names[0]!)) }),
    orderBy: [order(field('rank'), 'DESC'), ...names.map((name) => order(name))],
    limit,
  });
}

function totalStatement(
  rows: ReturnType<typeof rowsOf>,
  values: readonly Expr[],
  math: SeriesMath,
  top: TopValues,
): Query {
  const shown = fields('shown', values);
  const numbers = select({
    select: [...aliased('shown', shownValues(values, top)), rows.bucket, alias(math.direct(null), 'number')],
    ...rows.parts,
    groupBy: [...shown, ...rows.groups],
  });
  return asArrays(values.length, numbers);
}

/** The values that rank first. What has no value is shown beside them. */
function rankedValues(names: readonly Expr[], rank: Expr, limit: number): Query {
  return select({
    select: [...aliased('top', names), alias(rank, 'rank')],
    from: from('grouped'),
    ...(names.length === 1 && { where: not(isMissing(names[0]!)) }),
    groupBy: [...names],
    orderBy: [order(field('rank'), 'DESC'), ...fields('top', names).map((name) => order(name))],
    limit,
  });
}

function sameValues(names: readonly Expr[]): Expr {
  return and(...names.map((name, at) => compare('==', name, field('ranked', `top_${at}`))));
}

/**
 * A single missing value stays null, so that the query can group by a plain column; one of several dimensions gets
 * the label of the missing value, so that it differs from the others.
 */
function withMissing(values: readonly Expr[]): readonly Expr[] {
  if (values.length <= 1) return values;
  return values.map((value) => call('if', isMissing(value), constant(NULL_VALUE), value));
}

function shownValues(names: readonly Expr[], top: TopValues): Expr[] {
  const isTop = top.kind === 'ranked' ? isNotNull(field('ranked', 'top_0')) : oneOf(names, top.values);
  const other = constant(OTHER_VALUE);
  if (names.length > 1) return names.map((name) => call('if', isTop, name, other));
  const [name] = names as [Expr];
  return [call('multiIf', isMissing(name), constant(NULL_VALUE), isTop, name, other)];
}

function oneOf(names: readonly Expr[], values: readonly (readonly string[])[]): Expr {
  if (values.length === 0) return constant(false);
  if (names.length === 1) {
    return compare('in', names[0]!, tuple(...values.map(([value]) => constant(value!))));
  }
  return or(
    ...values.map((value) => and(...names.map((name, at) => compare('==', name, constant(value[at]!))))),
  );
}

function perActor(numbers: SelectQuery, dimensions: number, math: SeriesMath): SelectQuery {
  if (math.perActor === undefined) return numbers;
  const shown = shownFields(dimensions);
  return select({
    select: [...shown, BUCKET, alias(math.perActor(field('number')), 'number')],
    from: from(numbers),
    groupBy: [...shown, BUCKET],
  });
}

/** A row for each value, so that no limit of rows cuts a series short. */
function asArrays(dimensions: number, numbers: SelectQuery): SelectQuery {
  const shown = shownFields(dimensions);
  return select({
    select: [
      ...shown,
      alias(call('groupArray', BUCKET), 'buckets'),
      alias(call('groupArray', call('coalesce', field('number'), constant(0))), 'numbers'),
    ],
    from: from(numbers),
    groupBy: shown,
  });
}

/** The inputs of the statements of a trends query. */
export interface TrendsInput {
  readonly plan: TrendsPlan;
  readonly context: KindContext;
}

/** Days up to the end of an interval in which the actor was active. */
const WINDOWS: Readonly<Record<string, number>> = { weekly_active: 7, monthly_active: 30 };

/** How many days up to the end of an interval a series looks back; null: it looks at the interval. */
function windowOf({ node }: PlannedSeries): number | null {
  return WINDOWS[node.math ?? ''] ?? null;
}

/** Whether a series counts the first events of persons. */
function isFirstTime({ node: { math } }: PlannedSeries): boolean {
  return math === 'first_matching_event_for_user' || (math?.startsWith('first_time_for_user') ?? false);
}

/** Whether the source of a series holds its conditions already. */
export function isNested(series: PlannedSeries): boolean {
  return windowOf(series) !== null || isFirstTime(series) || series.once !== null;
}

/** The rows that a series is counted from. */
export function sourceOf(
  plan: TrendsPlan,
  { span, buckets }: Period,
  series: PlannedSeries,
  values: readonly Expr[],
): SeriesSource {
  const table = eventsFrom(plan.query);
  const days = windowOf(series);
  const own = conditionOf(series);
  if (days !== null) {
    const where = [...plan.scope, ...(own === null ? [] : [own])];
    return activeSource({ from: table, where, values }, days, span, buckets, plan.zone);
  }
  if (isFirstTime(series)) {
    const ofMatching = series.node.math !== 'first_time_for_user';
    const conditions = [...plan.scope, ...series.filters];
    return firstTimeSource(
      { from: table, values },
      { entity: series.entity, conditions, ofMatching },
      span,
      buckets,
    );
  }
  if (series.once !== null) {
    const where = [...plan.scope, ...(own === null ? [] : [own])];
    return onceSource({ from: table, where, values }, series.once, span, buckets);
  }
  return eventsSource({ from: table, where: plan.scope, values }, span, buckets);
}

/** The rows of a series: FROM, WHERE, interval and breakdown values. */
interface SeriesSource {
  readonly from: JoinExpr;
  readonly where: readonly Expr[];
  /** The number of the interval; null where there is but one. */
  readonly bucket: Expr | null;
  /** How many intervals there are. */
  readonly intervals: number;
  /** Texts of the breakdown's dimensions. */
  readonly values: readonly Expr[];
}

interface EventsSource {
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

function namedValues(values: readonly Expr[]): Expr[] {
  return values.map((value, at) => alias(value, valueName(at)));
}

function nestedValues(values: readonly Expr[]): Expr[] {
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
function onceSource(events: EventsSource, key: Expr, span: DateSpan, buckets: Buckets | null): SeriesSource {
  const all = eventsSource(events, span, buckets);
  const firsts = select({
    select: [
      alias(key, 'one'),
      alias(call('min', all.bucket ?? constant(0)), 'first'),
      ...namedValues(events.values),
    ],
    from: events.from,
    where: and(...all.where, isNotNull(key)),
    groupBy: [field('one'), ...nestedValues(events.values)],
  });
  return {
    from: from(firsts),
    where: [],
    bucket: buckets === null ? null : field('first'),
    intervals: intervalsOf(buckets),
    values: nestedValues(events.values),
  };
}

/**
 * Each person's first event: of those of the entity, when it fits the conditions too; or, `ofMatching`, of those that fit
 * them. It counts where it lies in the span.
 */
function firstTimeSource(
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
    values: nestedValues(events.values),
  };
}

/**
 * Who was active in the days up to the end of each interval: every person once in each interval whose window holds an
 * event of theirs. Without intervals, in the days up to the end of the span.
 */
function activeSource(
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
    select: [PERSON, alias(since, 'since'), alias(until, 'until'), ...namedValues(events.values)],
    from: events.from,
    where: and(between(TIMESTAMP, { from: opens[0]!, to: end }), ...events.where),
  });
  const places = call('range', field('since'), call('plus', field('until'), constant(1)));
  const active = select({
    select: [PERSON, alias(call('arrayJoin', places), 'place'), ...nestedValues(events.values)],
    from: from(seen),
  });
  return {
    from: from(active),
    where: [],
    bucket: field('place'),
    intervals: opens.length,
    values: nestedValues(events.values),
  };
}
