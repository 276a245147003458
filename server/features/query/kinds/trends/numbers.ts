import type { Value } from '../../../../db/db.ts';
import { NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import type { Period } from '../../buckets.ts';
import type { KindContext } from '../../query-kind.ts';
import { conditionOf, type PlannedSeries, type TrendsPlan } from './plan.ts';
import {
  brokenDownStatement,
  plainStatement,
  type TopValues,
  isNested,
  sourceOf,
  type TrendsInput,
  topStatement,
  eventsSource,
} from './to-hogql.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { alias, and, call, constant, or, select, compare } from '../../../../hogql/build.ts';
import { eventsFrom, inSpan } from '../../series.ts';
import type { TrendsQuery } from './schema.ts';

/** The numbers of a series, by interval, or the one number of the span. */
export interface SeriesNumbers {
  readonly series: PlannedSeries;
  /** Values of the breakdown; none without. */
  readonly values: readonly string[];
  readonly numbers: readonly number[];
}

/** Queries the numbers of every series in every period, in the order of the periods, series and values. */
export async function queryNumbers(plan: TrendsPlan, context: KindContext): Promise<SeriesNumbers[][]> {
  const input = { plan, context };
  // A span that ends before it begins holds nothing.
  if (plan.periods.some(({ buckets }) => buckets?.starts.length === 0)) {
    const numbers = plan.breakdown === null ? plan.series.map(nothingOf) : [];
    return plan.periods.map(() => numbers);
  }
  const [current, ...others] = plan.periods as [Period, ...Period[]];
  if (plan.breakdown === null) {
    return await Promise.all(plan.periods.map((period) => queryPlain(input, period)));
  }
  const dimensions = await queryDimensions(input, current);
  const first = await queryBrokenDown(input, current, dimensions, null);
  // What is compared is broken down by the same values.
  const rest = await Promise.all(others.map((period) => queryBrokenDown(input, period, dimensions, first)));
  return [first, ...rest];
}

function nothingOf(series: PlannedSeries): SeriesNumbers {
  return { series, values: [], numbers: [] };
}

async function queryPlain(input: TrendsInput, period: Period): Promise<SeriesNumbers[]> {
  const { series } = input.plan;
  const isShared = (one: PlannedSeries): boolean =>
    !isNested(one) && one.math.perActor === undefined && one.math.isTotal !== true;
  const shared = series.filter(isShared);
  const groups = [
    ...(shared.length === 0 ? [] : [shared]),
    ...series.filter((one) => !isShared(one)).map((one) => [one]),
  ];
  const answers = await Promise.all(groups.map((group) => queryGroup(input, period, group)));
  const bySeries = new Map(answers.flat().map((one) => [one.series, one]));
  return series.map((one) => bySeries.get(one)!);
}

async function queryGroup(
  input: TrendsInput,
  period: Period,
  group: readonly PlannedSeries[],
): Promise<SeriesNumbers[]> {
  const source = sourceOf(input.plan, period, group[0]!, []);
  const counted = group.map((one) => ({
    math: one.math,
    condition: isNested(one) ? null : conditionOf(one),
  }));
  const { rows } = await input.context.runQuery(plainStatement(source, counted));
  return group.map((series, at) => ({
    series,
    values: [],
    numbers: filled(
      input,
      period,
      series,
      rows.map((row) => [row[0]!, row[at + 1]!]),
    ),
  }));
}

async function queryBrokenDown(
  input: TrendsInput,
  period: Period,
  dimensions: Dimensions,
  shown: readonly SeriesNumbers[] | null,
): Promise<SeriesNumbers[]> {
  const { plan } = input;
  const joint = shown === null ? await queryJointTop(input, period, dimensions) : null;
  const answers = await Promise.all(
    plan.series.map(async (series) => {
      const top =
        shown === null
          ? (joint ?? (await topOf(input, period, dimensions, series)))
          : topShown(shown, series);
      return await queryValues(input, period, dimensions, series, top);
    }),
  );
  return answers.flat();
}

/** The values of a series that were shown for themselves. */
export function topShown(shown: readonly SeriesNumbers[], series: PlannedSeries): TopValues {
  const values = shown.filter((one) => one.series === series).map((one) => one.values);
  const isOwn = (value: readonly string[]): boolean =>
    value[0] !== OTHER_VALUE && (value.length > 1 || value[0] !== NULL_VALUE);
  return { kind: 'fixed', values: values.filter(isOwn) };
}

async function queryValues(
  input: TrendsInput,
  period: Period,
  { values }: Dimensions,
  series: PlannedSeries,
  top: TopValues,
): Promise<SeriesNumbers[]> {
  const source = sourceOf(input.plan, period, series, values);
  const condition = isNested(series) ? null : conditionOf(series);
  const { rows } = await input.context.runQuery(
    brokenDownStatement(source, { math: series.math, condition }, top),
  );
  const width = values.length;
  const found = rows.map((row) => {
    const buckets = row[width] as readonly Value[];
    const numbers = row[width + 1] as readonly Value[];
    return {
      series,
      values: row.slice(0, width).map(String),
      numbers: filled(
        input,
        period,
        series,
        buckets.map((bucket, at) => [bucket, numbers[at]!]),
      ),
    };
  });
  return inOrder([...found, ...absent(found, input, period, series, top)], top);
}

/** Values that are known and of which nothing was found count 0. */
function absent(
  found: readonly SeriesNumbers[],
  input: TrendsInput,
  period: Period,
  series: PlannedSeries,
  top: TopValues,
): SeriesNumbers[] {
  if (top.kind === 'ranked') return [];
  const known = new Set(found.map(({ values }) => JSON.stringify(values)));
  return top.values
    .filter((values) => !known.has(JSON.stringify(values)))
    .map((values) => ({ series, values, numbers: filled(input, period, series, []) }));
}

/** The greatest first, or bins in their order; then what is missing, and the others last. */
function inOrder(found: readonly SeriesNumbers[], top: TopValues): SeriesNumbers[] {
  const places = new Map(
    top.kind === 'fixed' ? top.values.map((value, at) => [JSON.stringify(value), at]) : [],
  );
  const ranked = found.map((one) => ({
    one,
    last: one.values[0] === OTHER_VALUE ? 2 : one.values.length === 1 && one.values[0] === NULL_VALUE ? 1 : 0,
    place: places.get(JSON.stringify(one.values)) ?? 0,
    sum: one.numbers.reduce((sum, number) => sum + number, 0),
  }));
  return ranked
    .toSorted(
      (a, b) =>
        a.last - b.last ||
        a.place - b.place ||
        b.sum - a.sum ||
        (a.one.values.join('\0') < b.one.values.join('\0') ? -1 : 1),
    )
    .map(({ one }) => one);
}

/** Numbers for all intervals: 0 where nothing was found, and as many more as the sample left out. */
function filled(
  { plan: { query } }: TrendsInput,
  { buckets }: Period,
  { math }: PlannedSeries,
  found: readonly (readonly [bucket: Value, number: Value])[],
): number[] {
  const numbers = Array.from({ length: buckets?.starts.length ?? 1 }, () => 0);
  const ratio = query.samplingFactor ?? 1;
  for (const [bucket, number] of found) {
    const value = Number(number ?? 0);
    numbers[Number(bucket)] = math.isCount && ratio !== 1 ? Math.round(value / ratio) : value;
  }
  return numbers;
}

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
interface Dimensions {
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
  const { plan, context } = input;
  const shares = Array.from({ length: bins + 1 }, (_, at) => at / bins);
  const statement = select({
    select: shares.map((share, at) =>
      alias({ ...call('quantile', number), params: [constant(share)] }, `edge_${at}`),
    ),
    from: eventsFrom(plan.query),
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
async function queryJointTop(
  input: TrendsInput,
  period: Period,
  dimensions: Dimensions,
): Promise<TopValues | null> {
  if (dimensions.top !== null || !hasFormula(input.plan.query)) return dimensions.top;
  return await queryTop(input, period, dimensions, null);
}

/** The values that one series shows. */
async function topOf(
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
  const { plan, context } = input;
  const source = eventsSource({ from: eventsFrom(plan.query), where: plan.scope, values }, period.span, null);
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
