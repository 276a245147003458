import type { Expr } from '../../../../hogql/ast.ts';
import { alias, and, call, constant, or, select, compare } from '../../../../hogql/build.ts';
import type { Period } from '../../dates/periods.ts';
import { eventsFrom, inSpan } from '../../series/query-scope.ts';
import { conditionOf, type PlannedSeries, type TrendsPlan, type TrendsQuery } from './trends-plan.ts';
import type { TrendsInput } from './trends-rows.ts';
import { eventsSource } from './trends-source.ts';
import { topStatement, type TopValues } from './trends-statement.ts';

/** The names of the bins between edges, such as `[0,4.95]`. The last bin holds its end, the others do not. */
function binLabels(edges: readonly number[]): string[] {
  if (edges.length === 1) return [labelOf(edges[0]!, edges[0]!)];
  return edges.slice(1).map((end, at) => labelOf(edges[at]!, end));
}

/** The name of the bin in which a number lies; NULL for none. */
function binOf(number: Expr, edges: readonly number[]): Expr {
  const labels = binLabels(edges);
  const branches = labels.flatMap((label, at) => {
    const start = compare('>=', number, constant(edges[at]!));
    const isLast = at === labels.length - 1;
    const end = compare(isLast ? '<=' : '<', number, constant(edges[at + 1] ?? edges[at]!));
    return [and(start, end), constant(label)];
  });
  return labels.length === 0 ? constant(null) : call('multiIf', ...branches, constant(null));
}

function labelOf(start: number, end: number): string {
  return `[${start},${end}]`;
}

/** The breakdown values of events; for numbers in bins, the names of the bins. */
export interface Dimensions {
  readonly values: readonly Expr[];
  /** The values that are shown, where the question itself says them. */
  readonly top: TopValues | null;
}

/** Finds the values that a query is broken down by, and the edges of bins. */
export async function queryDimensions(input: TrendsInput, period: Period): Promise<Dimensions> {
  const { dimensions } = input.plan.breakdown!;
  const read = await Promise.all(
    dimensions.map(async ({ text, number, bins }) => {
      if (bins === null) return { value: text, labels: null };
      const edges = await queryEdges(input, period, number, bins);
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
async function queryEdges(input: TrendsInput, period: Period, number: Expr, bins: number): Promise<number[]> {
  const { plan, query, context } = input;
  const shares = Array.from({ length: bins + 1 }, (_, at) => at / bins);
  const statement = select({
    select: shares.map((share, at) =>
      alias({ ...call('quantile', number), params: [constant(share)] }, `edge_${at}`),
    ),
    from: eventsFrom(query),
    where: and(inSpan(period.span, plan.filterContext), ...plan.scope, ...anySeries(plan)),
  });
  const { rows } = await context.runQuery(statement, { inHogql: false });
  return [...new Set((rows[0] ?? []).filter((edge) => typeof edge === 'number'))];
}

function anySeries({ series }: TrendsPlan): Expr[] {
  const conditions = series.map(conditionOf);
  return conditions.includes(null) ? [] : [or(...(conditions as Expr[]))];
}

/** The values that all series show, because numbers of several become one; null: each shows its own. */
export async function queryJointTop(
  input: TrendsInput,
  period: Period,
  dimensions: Dimensions,
): Promise<TopValues | null> {
  if (dimensions.top !== null || !hasFormula(input.query)) return dimensions.top;
  return await queryTop(input, period, dimensions, null);
}

/** The values that one series shows. */
export async function topOf(
  input: TrendsInput,
  period: Period,
  dimensions: Dimensions,
  series: PlannedSeries,
): Promise<TopValues> {
  if (series.math.isTotal === true) return await queryTop(input, period, dimensions, series);
  return { kind: 'ranked', limit: input.plan.breakdown!.limit };
}

/** The values that rank first in one series, or (null) of the events of all series together. */
async function queryTop(
  input: TrendsInput,
  period: Period,
  { values }: Dimensions,
  series: PlannedSeries | null,
): Promise<TopValues> {
  const { plan, query, context } = input;
  const source = eventsSource({ from: eventsFrom(query), where: plan.scope, values }, period.span, null);
  const rank = series === null ? call('count') : series.math.direct(null);
  const [condition = null] = series === null ? anySeries(plan) : [conditionOf(series)];
  const { rows } = await context.runQuery(topStatement(source, rank, condition, plan.breakdown!.limit), {
    inHogql: false,
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
