import type { Expr } from '../../../../hogql/ast.ts';
import { alias, and, call, constant, or, select } from '../../../../hogql/build.ts';
import type { Period } from '../../dates/periods.ts';
import { eventsFrom, inSpan } from '../../series/query-scope.ts';
import { binLabels, binOf } from './histogram.ts';
import { conditionOf, type PlannedSeries, type TrendsPlan, type TrendsQuery } from './trends-plan.ts';
import type { Asking } from './trends-rows.ts';
import { eventsSource } from './trends-source.ts';
import { topStatement, type TopValues } from './trends-statement.ts';

/** The values that events are told apart by: of numbers in bins, the names of the bins. */
export interface Dimensions {
  readonly values: readonly Expr[];
  /** The values that are shown, where the question itself says them. */
  readonly top: TopValues | null;
}

/** Finds the values that a query is broken down by, and the edges of bins. */
export async function askDimensions(asking: Asking, period: Period): Promise<Dimensions> {
  const { dimensions } = asking.plan.breakdown!;
  const read = await Promise.all(
    dimensions.map(async ({ text, number, bins }) => {
      if (bins === null) return { value: text, labels: null };
      const edges = await askEdges(asking, period, number, bins);
      return { value: binOf(number, edges), labels: binLabels(edges) };
    }),
  );
  const [only] = read;
  const top: TopValues | null =
    read.length === 1 && only!.labels !== null
      ? { kind: 'fixed', values: only!.labels.map((label) => [label]) }
      : null;
  return { values: read.map(({ value }) => value), top };
}

/** Edges between which there is about the same number of events. */
async function askEdges(asking: Asking, period: Period, number: Expr, bins: number): Promise<number[]> {
  const { plan, query, context } = asking;
  const shares = Array.from({ length: bins + 1 }, (_, at) => at / bins);
  const statement = select({
    select: shares.map((share, at) =>
      alias({ ...call('quantile', number), params: [constant(share)] }, `edge_${at}`),
    ),
    from: eventsFrom(query),
    where: and(inSpan(period.span, plan.filterContext), ...plan.scope, ...anySeries(plan)),
  });
  const { rows } = await context.ask(statement, { told: false });
  return [...new Set((rows[0] ?? []).filter((edge) => typeof edge === 'number'))];
}

function anySeries({ series }: TrendsPlan): Expr[] {
  const conditions = series.map(conditionOf);
  return conditions.includes(null) ? [] : [or(...(conditions as Expr[]))];
}

/** The values that all series show, because numbers of several become one; null: each shows its own. */
export async function askJointTop(
  asking: Asking,
  period: Period,
  dimensions: Dimensions,
): Promise<TopValues | null> {
  if (dimensions.top !== null || !hasFormula(asking.query)) return dimensions.top;
  return await askTop(asking, period, dimensions, null);
}

/** The values that one series shows. */
export async function topOf(
  asking: Asking,
  period: Period,
  dimensions: Dimensions,
  series: PlannedSeries,
): Promise<TopValues> {
  if (series.math.isWhole === true) return await askTop(asking, period, dimensions, series);
  return { kind: 'ranked', limit: asking.plan.breakdown!.limit };
}

/** The values that rank first in one series, or (null) of the events of all series together. */
async function askTop(
  asking: Asking,
  period: Period,
  { values }: Dimensions,
  series: PlannedSeries | null,
): Promise<TopValues> {
  const { plan, query, context } = asking;
  const source = eventsSource({ from: eventsFrom(query), where: plan.scope, values }, period.span, null);
  const rank = series === null ? call('count') : series.math.direct(null);
  const [condition = null] = series === null ? anySeries(plan) : [conditionOf(series)];
  const { rows } = await context.ask(topStatement(source, rank, condition, plan.breakdown!.limit), {
    told: false,
  });
  return { kind: 'fixed', values: rows.map((row) => row.slice(0, values.length).map(String)) };
}

function hasFormula({ trendsFilter }: TrendsQuery): boolean {
  return (
    Boolean(trendsFilter?.formula) ||
    (trendsFilter?.formulas ?? []).length > 0 ||
    Array.isArray(trendsFilter?.formulaNodes)
  );
}
