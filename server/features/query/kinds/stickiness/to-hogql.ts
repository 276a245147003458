import { timeZone } from '../../../../lib/time-zone.ts';
import { readPeriods, type Period } from '../../buckets.ts';
import { filterContext } from '../../filters.ts';
import type { KindContext } from '../../query-kind.ts';
import {
  seriesConditions,
  seriesName,
  scopeConditions,
  actorOf,
  type Actor,
  type Sight,
  seenByInterval,
} from '../../series.ts';
import type { StickinessQuery } from './schema.ts';
import type { SeriesNode } from '../../node-schema.ts';
import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import { alias, call, compare, constant, field, from, select } from '../../../../hogql/build.ts';

/** A series before its numbers are known. */
export interface PlannedSeries {
  readonly node: SeriesNode;
  readonly order: number;
  readonly name: string;
  readonly actor: Actor;
  readonly conditions: Sight['conditions'];
}

/** A span that is looked at, in intervals of `intervalCount` units. */
export interface StickyPeriod extends Pick<Period, 'compare' | 'span'> {
  readonly buckets: Sight['buckets'];
}

/** A StickinessQuery, read. */
export interface StickinessPlan {
  readonly query: StickinessQuery;
  readonly series: readonly PlannedSeries[];
  readonly periods: readonly StickyPeriod[];
}

/** Reads a query: its dates, conditions and series. Throws invalid_input, HogqlError. */
export async function planStickiness(query: StickinessQuery, context: KindContext): Promise<StickinessPlan> {
  const filters = filterContext(context);
  const [periods, scope] = await Promise.all([
    readPeriods(query, false, timeZone(context.timezone), context),
    scopeConditions(query, context, filters),
  ]);
  const series = query.series.map(async (node, order) => {
    const index = node.math === 'unique_group' ? node.math_group_type_index : null;
    const [name, own] = await Promise.all([seriesName(node, context), seriesConditions(node, filters)]);
    const actor = actorOf(index ?? query.aggregation_group_type_index, filters);
    return { node, order, name, actor, conditions: [...scope, ...own] };
  });
  const size = query.intervalCount ?? 1;
  return {
    query,
    series: await Promise.all(series),
    periods: periods.map(({ compare, span, buckets }) => ({
      compare,
      span,
      buckets: { starts: buckets!.starts.filter((_, at) => at % size === 0), end: buckets!.end },
    })),
  };
}

export const ACTOR = field('actor');
const OPERATORS = { gte: '>=', lte: '<=', exact: '==' } as const;

/** How many actors were seen in how many intervals: columns are the number of intervals and of actors. */
export function stickinessStatement(
  plan: StickinessPlan,
  series: PlannedSeries,
  period: StickyPeriod,
): SelectQuery {
  const perActor = select({
    select: [ACTOR, alias(call('count'), 'intervals')],
    from: from(seen(plan, series, period)),
    groupBy: [ACTOR],
  });
  return select({
    select: [field('intervals'), alias(call('count'), 'actors')],
    from: from(perActor),
    groupBy: [field('intervals')],
  });
}

export function seen(
  { query }: StickinessPlan,
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
