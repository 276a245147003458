import type { stickinessPoint } from './schema.ts';
import type { StickinessPlan } from './to-hogql.ts';
import { fail } from '../../../../errors.ts';
import type { ActorsSelect } from '../../query-kind.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import { type PlannedSeries, type StickyPeriod, ACTOR, seen } from './to-hogql.ts';
import type { SelectQuery } from '../../../../hogql/ast.ts';
import { alias, call, compare, constant, from, select } from '../../../../hogql/build.ts';

const OPERATORS = { gte: '>=', lte: '<=', exact: '==' } as const;

/** Who was seen in so many intervals, in as many at least or at most; a cumulative chart shows at least. Null: in any. */
function stickyActors(
  plan: StickinessPlan,
  series: PlannedSeries,
  period: StickyPeriod,
  { intervals, operator }: { intervals: number | null; operator: keyof typeof OPERATORS },
): SelectQuery {
  const isCumulative = plan.query.stickinessFilter?.computedAs === 'cumulative';
  const op = OPERATORS[isCumulative ? 'gte' : operator];
  return select({
    select: [alias(ACTOR, 'actor_id'), alias(call('count'), 'interval_count')],
    from: from(seen(plan, series, period)),
    groupBy: [ACTOR],
    ...(intervals !== null && { having: compare(op, call('count'), constant(intervals)) }),
  });
}

/** Who was active in `day` intervals of a series; in any without it. Throws invalid_input for a point that is not there. */
export async function stickinessActors(
  plan: StickinessPlan,
  point: ActorsPoint<typeof stickinessPoint>,
): Promise<ActorsSelect> {
  const { series, periods } = plan;
  const picked = series.find(({ order }) => order === (point.series ?? 0));
  if (picked === undefined)
    throw fail('invalid_input', { detail: 'This series does not exist in the query.' });
  if (picked.node.math === 'hogql') {
    throw fail('invalid_input', { detail: 'A series that counts values of an expression has no persons.' });
  }
  const period = periods.find(({ compare }) => compare === (point.compare ?? compare)) ?? periods[0]!;
  const count = point.day === null || point.day === undefined ? null : Number(point.day);
  if (count !== null && !(Number.isInteger(count) && count >= 1 && count <= period.counts)) {
    throw fail('invalid_input', {
      detail: `day must be a number of intervals from 1 to ${period.counts}.`,
    });
  }
  return {
    select: stickyActors(plan, picked, period, { intervals: count, operator: point.operator ?? 'exact' }),
    groupTypeIndex: picked.actor.groupTypeIndex,
  };
}
