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
} from '../../../../hogql/build.ts';
import { isMissing, NULL_VALUE, OTHER_VALUE } from '../../breakdowns/breakdown.ts';
import { anyOf } from '../../series/any-of.ts';
import type { SeriesMath } from '../../series/series-math.ts';
import type { SeriesSource } from './trends-source.ts';

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
export interface CountedSeries {
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
 * A single value that is missing stays as it is, so that a column can be grouped by as it stands; one of several has a
 * name, so that others tell it apart.
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
