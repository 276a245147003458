import type { StickinessPlan } from './to-hogql.ts';
import { fail } from '../../../../errors.ts';
import type { ActorsSelect } from '../../query-kind.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import { type PlannedSeries, type StickyPeriod, ACTOR, seen } from './to-hogql.ts';
import type { SelectQuery } from '../../../../hogql/ast.ts';
import { alias, call, compare, constant, from, select } from '../../../../hogql/build.ts';

/** Who was seen in so many intervals, or (cumulative) in as many at least; null: in any. */
function stickyActors(
  plan: StickinessPlan,
  series: PlannedSeries,
  period: StickyPeriod,
  intervals: number | null,
): SelectQuery {
  const op = plan.query.stickinessFilter?.computedAs === 'cumulative' ? '>=' : '==';
  return select({
    select: [alias(ACTOR, 'actor_id'), alias(call('count'), 'interval_count')],
    from: from(seen(plan, series, period)),
    groupBy: [ACTOR],
    ...(intervals !== null && { having: compare(op, call('count'), constant(intervals)) }),
  });
}

/** Who was active in `day` intervals of a series; in any without it. Throws invalid_input for a point that is not there. */
export async function stickinessActors(plan: StickinessPlan, point: ActorsPoint): Promise<ActorsSelect> {
  const { series, periods } = plan;
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
    select: stickyActors(plan, picked, period, count),
    groupTypeIndex: picked.actor.groupTypeIndex,
  };
}
