import { fail } from '../../../../errors.ts';
import { defineKind, type ActorsSelect, type KindContext } from '../../query-kind.ts';
import { seriesAction } from '../../series/series-action.ts';
import type { ActorsPoint } from '../actors-point.contract.ts';
import { stickinessQuery } from '../insight-kinds.contract.ts';
import {
  planStickiness,
  type PlannedSeries,
  type StickinessQuery,
  type StickyPeriod,
} from './stickiness-plan.ts';
import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import { alias, call, compare, constant, field, from, select } from '../../../../hogql/build.ts';
import { seenByInterval } from '../seen-by-interval.ts';

const ACTOR = field('actor');
const OPERATORS = { gte: '>=', lte: '<=', exact: '==' } as const;

/** How many actors were seen in how many intervals: columns are the number of intervals and of actors. */
function stickinessStatement(
  query: StickinessQuery,
  series: PlannedSeries,
  period: StickyPeriod,
): SelectQuery {
  const perActor = select({
    select: [ACTOR, alias(call('count'), 'intervals')],
    from: from(seen(query, series, period)),
    groupBy: [ACTOR],
  });
  return select({
    select: [field('intervals'), alias(call('count'), 'actors')],
    from: from(perActor),
    groupBy: [field('intervals')],
  });
}

/** Who was seen in so many intervals, or (cumulative) in as many at least; null: in any. */
function stickyActors(
  query: StickinessQuery,
  series: PlannedSeries,
  period: StickyPeriod,
  intervals: number | null,
): SelectQuery {
  const op = query.stickinessFilter?.computedAs === 'cumulative' ? '>=' : '==';
  return select({
    select: [alias(ACTOR, 'actor_id'), alias(call('count'), 'interval_count')],
    from: from(seen(query, series, period)),
    groupBy: [ACTOR],
    ...(intervals !== null && { having: compare(op, call('count'), constant(intervals)) }),
  });
}

function seen(
  query: StickinessQuery,
  { actor, conditions }: PlannedSeries,
  period: StickyPeriod,
): SelectQuery {
  const { span, buckets } = period;
  return seenByInterval(query, { actor, span, buckets, conditions }, criterion(query));
}

/** How many events make an interval count. */
function criterion({ stickinessFilter }: StickinessQuery): Expr | undefined {
  const criteria = stickinessFilter?.stickinessCriteria;
  if (!criteria) return undefined;
  return compare(OPERATORS[criteria.operator], call('count'), constant(criteria.value));
}

/** In how many intervals people were active (management contract 9.9.2). */
export const stickinessKind = defineKind({
  kind: 'StickinessQuery',
  schema: stickinessQuery,
  async answer(query, context) {
    const { series, periods } = await planStickiness(query, context);
    const results = await Promise.all(
      periods.map((period) => Promise.all(series.map((one) => seriesObject(query, one, period, context)))),
    );
    return { results: results.flat() };
  },
  actors: stickinessActors,
});

async function seriesObject(
  query: StickinessQuery,
  series: PlannedSeries,
  period: StickyPeriod,
  context: KindContext,
): Promise<object> {
  const { rows } = await context.runQuery(stickinessStatement(query, series, period));
  const exactly = period.buckets.starts.map(() => 0);
  const ratio = query.samplingFactor ?? 1;
  for (const [intervals, actors] of rows) exactly[Number(intervals) - 1] = Math.round(Number(actors) / ratio);
  const isCumulative = query.stickinessFilter?.computedAs === 'cumulative';
  const days = exactly.map((_, at) => at + 1);
  const unit = query.interval ?? 'day';
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
  return {
    label: series.name,
    action: seriesAction(series.node, series.order, series.name, days),
    filter: {},
    data: isCumulative ? exactly.map((_, at) => sum(exactly.slice(at))) : exactly,
    labels: days.map((count) => `${count} ${unit}${count === 1 ? '' : 's'}`),
    days,
    count: sum(exactly),
    ...(period.compare !== null && { compare: true, compare_label: period.compare }),
  };
}

/** Who was active in `day` intervals of a series; in any without it. Throws invalid_input for a point that is not there. */
async function stickinessActors(
  query: StickinessQuery,
  point: ActorsPoint,
  context: KindContext,
): Promise<ActorsSelect> {
  const { series, periods } = await planStickiness(query, context);
  const picked = series[point.series ?? 0];
  if (picked === undefined)
    throw fail('invalid_input', { detail: 'This series does not exist in the query.' });
  const period = periods.find(({ compare }) => compare === (point.compare ?? compare)) ?? periods[0]!;
  const count = point.day === null || point.day === undefined ? null : Number(point.day);
  if (count !== null && !(Number.isInteger(count) && count >= 1 && count <= period.buckets.starts.length)) {
    throw fail('invalid_input', {
      detail: `day must be a number of intervals from 1 to ${period.buckets.starts.length}.`,
    });
  }
  return {
    select: stickyActors(query, picked, period, count),
    groupTypeIndex: picked.actor.groupTypeIndex,
  };
}
