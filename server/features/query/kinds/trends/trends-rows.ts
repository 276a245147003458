import type { Expr } from '../../../../hogql/ast.ts';
import type { KindContext } from '../../query-kind.ts';
import type { Period } from '../../dates/periods.ts';
import { eventsFrom } from '../../series/query-scope.ts';
import { conditionOf, type PlannedSeries, type TrendsPlan, type TrendsQuery } from './trends-plan.ts';
import {
  activeSource,
  eventsSource,
  firstTimeSource,
  onceSource,
  type SeriesSource,
} from './trends-source.ts';

/** The inputs of the statements of a trends query. */
export interface TrendsInput {
  readonly query: TrendsQuery;
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
  { query, plan }: Pick<TrendsInput, 'query' | 'plan'>,
  { span, buckets }: Period,
  series: PlannedSeries,
  values: readonly Expr[],
): SeriesSource {
  const table = eventsFrom(query);
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
