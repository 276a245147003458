import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import { alias, call, compare, constant, field, from, select } from '../../../../hogql/build.ts';
import { seenByInterval } from '../seen-by-interval.ts';
import type { PlannedSeries, StickinessQuery, StickyPeriod } from './stickiness-plan.ts';

const ACTOR = field('actor');
const OPERATORS = { gte: '>=', lte: '<=', exact: '==' } as const;

/** How many actors were seen in how many intervals: columns are the number of intervals and of actors. */
export function stickinessStatement(
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
export function stickyActors(
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
