import { fail } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  field,
  isNotNull,
  not,
  or,
  select,
} from '../../../../hogql/build.ts';
import { isMissing, NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import { pickedInterval, type Period } from '../../buckets.ts';
import type { ActorsSelect, KindContext } from '../../query-kind.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import { queryNumbers, topShown, queryDimensions } from './numbers.ts';
import { isNested, sourceOf } from './to-hogql.ts';
import { conditionOf, isGrowing, type PlannedSeries, type TrendsPlan } from './plan.ts';

/**
 * Selects the actors behind a point of a series, in an interval (or the whole span), with a value of the breakdown,
 * each with its number of events in `event_count`. Throws invalid_input for a point that does not exist.
 */
export async function trendsActors(
  plan: TrendsPlan,
  point: ActorsPoint,
  context: KindContext,
): Promise<ActorsSelect> {
  const period = plan.periods.find(({ compare: of }) => of === (point.compare ?? of)) ?? plan.periods[0]!;
  const series = pickedSeries(plan, point);
  const picked = pickedPeriod(period, point, plan, context);
  const { values } =
    plan.breakdown === null ? { values: [] } : await queryDimensions({ plan, context }, period);
  // Of who counts once, every event is looked at.
  const seen = { ...series, once: null };
  const source = sourceOf(plan, picked, seen, values);
  const condition = isNested(seen) ? null : conditionOf(series);
  const selected = await breakdownConditions(source.values, { plan, series, point, period }, context);
  const conditions = [...source.where, ...(condition === null ? [] : [condition]), ...selected];
  const groupTypeIndex =
    series.node.math === 'unique_group' ? (series.node.math_group_type_index ?? null) : null;
  const actor = groupTypeIndex === null ? field('person_id') : field(`$group_${groupTypeIndex}`);
  const { unique } = series.math;
  const known = unique === undefined ? [] : [isNotNull(unique)];
  return {
    select: select({
      select: [alias(actor, 'actor_id'), alias(call('count'), 'event_count')],
      from: source.from,
      where: and(...conditions, ...known),
      groupBy: [field('actor_id')],
    }),
    groupTypeIndex,
  };
}

function pickedSeries(plan: TrendsPlan, { series: order, breakdown }: ActorsPoint): PlannedSeries {
  const found = plan.series.filter((one) => one.order === (order ?? 0));
  const [value] = Array.isArray(breakdown) ? breakdown : [breakdown];
  const ofCohort = found.find(({ cohort }) => String(cohort?.id ?? 'all') === String(value ?? 'all'));
  const picked = found[0]?.cohort === undefined ? found[0] : ofCohort;
  if (picked === undefined)
    throw fail('invalid_input', { detail: 'This series does not exist in the query.' });
  return picked;
}

/** The interval in which the day, or moment, of the point lies; where sums grow, with all intervals before it. */
function pickedPeriod(
  { compare: of, span, buckets }: Period,
  { day }: ActorsPoint,
  { query, zone }: TrendsPlan,
  context: KindContext,
): Period {
  if (buckets === null || day === null || day === undefined) {
    return { compare: of, span, buckets: isGrowing(query) ? buckets : null };
  }
  const at = pickedInterval(buckets, day, zone, context);
  const end = buckets.starts[at + 1] ?? buckets.end;
  if (isGrowing(query)) {
    const until = { ...buckets, starts: buckets.starts.slice(0, at + 1), end };
    return { compare: of, span: { from: span.from, to: Math.min(end, span.to) }, buckets: until };
  }
  return {
    compare: of,
    span: { from: Math.max(buckets.starts[at]!, span.from), to: Math.min(end, span.to) },
    buckets: null,
  };
}

async function breakdownConditions(
  values: readonly Expr[],
  {
    plan,
    series,
    point: { breakdown },
    period,
  }: { plan: TrendsPlan; series: PlannedSeries; point: ActorsPoint; period: Period },
  context: KindContext,
): Promise<Expr[]> {
  if (plan.breakdown === null || breakdown === null || breakdown === undefined) return [];
  const selected = (Array.isArray(breakdown) ? breakdown : [breakdown]).map(String);
  if (selected[0] !== OTHER_VALUE) {
    return selected.slice(0, values.length).map((value, at) => hasValue(values[at]!, value));
  }
  const numbers = await queryNumbers(plan, context);
  const top = topShown(numbers[plan.periods.indexOf(period)]!, series);
  const shown = top.kind === 'fixed' ? top.values : [];
  const isShown = shown.map((value) => and(...value.map((one, at) => hasValue(values[at]!, one))));
  const known = values.length === 1 ? [not(isMissing(values[0]!))] : [];
  return isShown.length === 0 ? known : [not(or(...isShown)), ...known];
}

function hasValue(text: Expr, value: string): Expr {
  return value === NULL_VALUE ? isMissing(text) : compare('==', text, constant(value));
}
