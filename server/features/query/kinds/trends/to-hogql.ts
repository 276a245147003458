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
  or,
  order,
  select,
  dateTime,
} from '../../../../hogql/build.ts';
import { isMissing, NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import { type SeriesMath, conditionOf, isOfGroups, type PlannedSeries, type TrendsPlan } from './plan.ts';
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

/** Which values of a breakdown have a series of their own: those with the greatest sums of their numbers. */
export interface ValueLimit {
  readonly limit: number;
  /** Whether the missing value ranks behind all others; totals rank it by its number. */
  readonly isMissingLast: boolean;
}

/**
 * The numbers of one series by value of its breakdown: columns are the values, then the intervals and the numbers as two
 * arrays of the same length. Events are read once: the first step groups them by value and interval, the second ranks the
 * values by their numbers, the third adds up the numbers of what ranks below, as PostHog does.
 */
export function brokenDownStatement(
  source: SeriesSource,
  { math, condition }: CountedSeries,
  { limit, isMissingLast }: ValueLimit,
): Query {
  const rows = rowsOf(source, condition === null ? [] : [condition]);
  const values = fields('of', source.values);
  const isTop = isNotNull(field('ranked', 'top_0'));
  const shown = values.map((value) => call('if', isTop, value, constant(OTHER_VALUE)));
  const same = and(...values.map((value, at) => compare('==', value, field('ranked', `top_${at}`))));
  const sums = select({
    select: [...aliased('shown', shown), BUCKET, alias(call('sum', field('number')), 'number')],
    from: join(from('numbers'), 'LEFT JOIN', from('ranked'), same),
    groupBy: [...fields('shown', values), BUCKET],
  });
  const missing = or(...values.map((value) => compare('==', value, constant(NULL_VALUE))));
  const ranked = select({
    select: [
      ...aliased('top', values),
      alias(call('if', missing, constant(isMissingLast ? 1 : 0), constant(0)), 'behind'),
      alias(call('sum', field('number')), 'rank'),
    ],
    from: from('numbers'),
    groupBy: values,
    orderBy: [
      order(field('behind')),
      order(field('rank'), 'DESC'),
      ...fields('top', values).map((top) => order(top)),
    ],
    limit,
  });
  return {
    ...asArrays(values.length, sums),
    ctes: [...numbersOf(rows, source.values, math), cte('ranked', ranked)],
  };
}

/** The number of each value in each interval: CTEs, of which the last is `numbers`. */
function numbersOf(
  rows: ReturnType<typeof rowsOf>,
  values: readonly Expr[],
  math: SeriesMath,
): ReturnType<typeof cte>[] {
  const names = fields('of', values);
  if (math.isTotal === true) {
    const totals = select({
      select: [
        ...aliased('of', values.map(named)),
        rows.bucket,
        alias(numberOf(math.direct(null)), 'number'),
      ],
      ...rows.parts,
      groupBy: [...names, ...rows.groups],
    });
    return [cte('numbers', totals)];
  }
  const columns = fields('breakdown', values);
  const grouped = select({
    select: [
      ...aliased('breakdown', values),
      rows.bucket,
      ...aliased('key', math.keys),
      ...aliased('part', math.parts),
    ],
    ...rows.parts,
    ...(!math.isRaw && { groupBy: [...columns, ...rows.groups, ...fields('key', math.keys)] }),
  });
  const [keys, parts] = [fields('key', math.keys), fields('part', math.parts)];
  const perActor = math.perActor === undefined ? [] : keys;
  const counted = select({
    select: [
      ...aliased('of', columns.map(named)),
      BUCKET,
      ...perActor,
      alias(numberOf(math.combine(keys, parts)), 'number'),
    ],
    from: from('grouped'),
    groupBy: [...names, BUCKET, ...perActor],
  });
  if (math.perActor === undefined) return [cte('grouped', grouped), cte('numbers', counted)];
  const numbers = select({
    select: [...names, BUCKET, alias(numberOf(math.perActor(field('number'))), 'number')],
    from: from('counted'),
    groupBy: [...names, BUCKET],
  });
  return [cte('grouped', grouped), cte('counted', counted), cte('numbers', numbers)];
}

/** A value of a breakdown; the label of the missing value where there is none, or an empty one. */
function named(value: Expr): Expr {
  return call('if', isMissing(value), constant(NULL_VALUE), value);
}

function numberOf(value: Expr): Expr {
  return call('coalesce', value, constant(0));
}

/** A row for each value, so that no limit of rows cuts a series short. */
function asArrays(dimensions: number, numbers: SelectQuery): SelectQuery {
  const shown = shownFields(dimensions);
  return select({
    select: [
      ...shown,
      alias(call('groupArray', BUCKET), 'buckets'),
      alias(call('groupArray', field('number')), 'numbers'),
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

/** Whether a series counts the first events of persons. */
function isFirstTime({ node: { math } }: PlannedSeries): boolean {
  return math === 'first_matching_event_for_user' || (math?.startsWith('first_time_for_user') ?? false);
}

/** Whether the source of a series holds its conditions already. */
export function isNested(series: PlannedSeries): boolean {
  return series.window !== null || isFirstTime(series) || series.once !== null;
}

/** The rows that a series is counted from. */
export function sourceOf(
  plan: TrendsPlan,
  { span, buckets }: Period,
  series: PlannedSeries,
  values: readonly Expr[],
): SeriesSource {
  const table = eventsFrom(plan.query);
  const own = conditionOf(series);
  if (series.window !== null) {
    const where = [...plan.scope, ...(own === null ? [] : [own])];
    const { node, window: days } = series;
    const actor = isOfGroups(node) ? field(`$group_${node.math_group_type_index}`) : PERSON;
    return activeSource({ from: table, where, values }, { days, actor }, span, buckets, plan.zone);
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
      ...namedValues(events.values.map(named)),
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
  // The first event of all has to fit; of several at that moment, one.
  const likeness = ofMatching || fits === null ? [] : [alias(call('minIf', TIMESTAMP, fits), 'first_fit')];
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
      ...(likeness.length === 0 ? [] : [compare('==', first, field('first_fit'))]),
    ],
    bucket: buckets === null ? null : bucketIndex(first, buckets),
    intervals: intervalsOf(buckets),
    values: nestedValues(events.values),
  };
}

/**
 * Who was active in the days up to the end of each interval: every actor once in each interval whose window holds an
 * event of theirs. Without intervals, in the days up to the end of the span.
 */
function activeSource(
  events: EventsSource,
  { days, actor }: { days: number; actor: Expr },
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
    select: [actor, alias(since, 'since'), alias(until, 'until'), ...namedValues(events.values)],
    from: events.from,
    where: and(between(TIMESTAMP, { from: opens[0]!, to: end }), ...events.where),
  });
  const places = call('range', field('since'), call('plus', field('until'), constant(1)));
  const active = select({
    select: [actor, alias(call('arrayJoin', places), 'place'), ...nestedValues(events.values)],
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
