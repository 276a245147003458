import type { output } from 'zod';
import { timeZone, type TimeZone } from '../../../../lib/time-zone.ts';
import type { Buckets } from '../../dates/buckets.ts';
import { unitAround } from '../../dates/calendar.ts';
import { readPeriods } from '../../dates/periods.ts';
import { filterContext } from '../../filters/filter-context.ts';
import type { KindContext } from '../../query-kind.ts';
import { scopeConditions } from '../../series/query-scope.ts';
import { seriesConditions } from '../../series/series-condition.ts';
import { seriesName } from '../../series/series-name.ts';
import { actorOf } from '../actor.ts';
import type { lifecycleQuery } from '../insight-kinds.contract.ts';
import type { Sight } from '../seen-by-interval.ts';
import type { SeriesNode } from '../series.contract.ts';

export type LifecycleQuery = output<typeof lifecycleQuery>;

/** A LifecycleQuery, read. */
export interface LifecyclePlan {
  readonly node: SeriesNode;
  readonly name: string;
  /** The intervals of the answer. */
  readonly buckets: Buckets;
  /** What is looked at: one interval more at the beginning, so that those of the answer count from 1. */
  readonly sight: Sight;
  readonly zone: TimeZone;
}

/** Reads a query: its dates, conditions and series. Throws invalid_input, HogqlError. */
export async function planLifecycle(query: LifecycleQuery, context: KindContext): Promise<LifecyclePlan> {
  const filters = filterContext(context);
  const [node] = query.series as [SeriesNode];
  const zone = timeZone(context.timezone);
  const index = node.math === 'unique_group' ? node.math_group_type_index : null;
  const { interval, dateRange } = query;
  const [[period], scope, own, name] = await Promise.all([
    readPeriods({ interval, dateRange }, false, zone, context),
    scopeConditions(query, context, filters),
    seriesConditions(node, filters),
    seriesName(node, context),
  ]);
  const { span } = period!;
  const buckets = period!.buckets!;
  const first = buckets.starts[0] ?? span.from;
  const before = unitAround(first - 1, buckets.interval, zone, context.weekStartDay).start;
  return {
    node,
    name,
    buckets,
    sight: {
      actor: actorOf(index ?? query.aggregation_group_type_index, filters),
      span: { from: before, to: span.to },
      buckets: { starts: [before, ...buckets.starts], end: buckets.end },
      conditions: [...scope, ...own],
    },
    zone,
  };
}
