import type { output } from 'zod';
import type { Expr } from '../../../../hogql/ast.ts';
import { and, compare, constant, field } from '../../../../hogql/build.ts';
import { timeZone, type TimeZone } from '../../../../lib/time-zone.ts';
import { readBreakdown, type Breakdown } from '../../breakdowns/breakdown.ts';
import { readPeriods, type Period } from '../../dates/periods.ts';
import { filterContext, type FilterContext } from '../../filters/filter-context.ts';
import { filterExpr } from '../../filters/property-filter.ts';
import type { KindContext, NamedCohort } from '../../query-kind.ts';
import { scopeConditions } from '../../series/query-scope.ts';
import { entityCondition } from '../../series/series-condition.ts';
import { seriesMath, type SeriesMath } from '../../series/series-math.ts';
import { seriesName } from '../../series/series-name.ts';
import { onceMath } from './trends-source.ts';
import type { trendsQuery } from '../insight-kinds.contract.ts';
import type { SeriesNode } from '../series.contract.ts';

export type TrendsQuery = output<typeof trendsQuery>;

/** Displays that show one number instead of one for each interval. */
const TOTAL_DISPLAYS: ReadonlySet<string> = new Set([
  'BoldNumber',
  'ActionsPie',
  'ActionsBarValue',
  'ActionsTable',
  'WorldMap',
]);
/** A map has a place for every country. */
const MAP_LIMIT = 300;

/** A series of the answer before its numbers are known. */
export interface PlannedSeries {
  readonly node: SeriesNode;
  /** Its place in the query. */
  readonly order: number;
  readonly name: string;
  readonly math: SeriesMath;
  /** The condition of its event or action alone; null: any event. */
  readonly entity: Expr | null;
  /** The conditions of its filters. */
  readonly filters: readonly Expr[];
  /** Each of these counts once, where it first appears in the span; null: what counts is up to the math. */
  readonly once: Expr | null;
  /** The cohort of the breakdown; null: all users; absent when the breakdown is not by cohort. */
  readonly cohort?: NamedCohort | null;
}

/** A TrendsQuery, read. */
export interface TrendsPlan {
  readonly series: readonly PlannedSeries[];
  /** Conditions of the whole query. */
  readonly scope: readonly Expr[];
  readonly breakdown: Extract<Breakdown, { kind: 'values' }> | null;
  readonly periods: readonly Period[];
  readonly zone: TimeZone;
  readonly isTotal: boolean;
  readonly filterContext: FilterContext;
}

/** Reads a query: its dates, conditions, series and breakdown. Throws invalid_input, HogqlError. */
export async function planTrends(query: TrendsQuery, context: KindContext): Promise<TrendsPlan> {
  const filters = filterContext(context);
  const isTotal = TOTAL_DISPLAYS.has(query.trendsFilter?.display ?? '');
  const zone = timeZone(context.timezone);
  const limit = query.trendsFilter?.display === 'WorldMap' ? MAP_LIMIT : undefined;
  const [periods, scope, breakdown, series] = await Promise.all([
    readPeriods(query, isTotal, zone, context),
    scopeConditions(query, context, filters),
    readBreakdown(query.breakdownFilter, filters, limit),
    Promise.all(query.series.map((node, order) => planSeries(query, node, order, context, filters))),
  ]);
  const isByCohort = breakdown?.kind === 'cohorts';
  return {
    series: isByCohort
      ? series.flatMap((one) => breakdown.cohorts.map((cohort) => ofCohort(one, cohort)))
      : series,
    scope,
    breakdown: isByCohort ? null : breakdown,
    periods,
    zone,
    isTotal,
    filterContext: filters,
  };
}

/** The condition of all of a series; null where there is none. */
export function conditionOf({ entity, filters }: PlannedSeries): Expr | null {
  const conditions = [...(entity === null ? [] : [entity]), ...filters];
  return conditions.length === 0 ? null : and(...conditions);
}

async function planSeries(
  query: TrendsQuery,
  node: SeriesNode,
  order: number,
  context: KindContext,
  filters: FilterContext,
): Promise<PlannedSeries> {
  const [name, math, entity, own, fixed] = await Promise.all([
    seriesName(node, context),
    seriesMath(node, filters),
    entityCondition(node, filters),
    filterExpr(node.properties, filters),
    filterExpr(node.fixedProperties, filters),
  ]);
  const once = countedOnce(query, node, math);
  return {
    node,
    order,
    name,
    math: once === null ? math : onceMath(once),
    entity,
    filters: [own, fixed].filter((one) => one !== null),
    once,
  };
}

/** Whether each point shows the sum since the beginning. */
export function isGrowing({ trendsFilter }: TrendsQuery): boolean {
  return trendsFilter?.display === 'ActionsLineGraphCumulative';
}

/** A cumulative sum counts each actor once, over all intervals. Active users of a window are not cumulative. */
function countedOnce(query: TrendsQuery, { math }: SeriesNode, { unique }: SeriesMath): Expr | null {
  const isWindow = math === 'weekly_active' || math === 'monthly_active';
  return isGrowing(query) && !isWindow ? (unique ?? null) : null;
}

function ofCohort(series: PlannedSeries, cohort: NamedCohort | null): PlannedSeries {
  if (cohort === null) return { ...series, cohort };
  const isMember = compare('in cohort', field('person_id'), constant(cohort.id));
  return { ...series, cohort, filters: [...series.filters, isMember] };
}
