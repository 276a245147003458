import type { Value } from '../../../../db/db.ts';
import { NO_BIN, NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import type { Period } from '../../buckets.ts';
import type { KindContext } from '../../query-kind.ts';
import { conditionOf, isGrowing, type PlannedSeries, type TrendsPlan } from './plan.ts';
import { brokenDownStatement, plainStatement, isNested, sourceOf, type TrendsInput } from './to-hogql.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { alias, and, call, constant, select, compare } from '../../../../hogql/build.ts';
import { eventsFrom, inSpan } from '../../series.ts';

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
  return await Promise.all(plan.periods.map(async (period) => await queryPeriod(input, period)));
}

/** Each period is broken down by its own values. */
async function queryPeriod(input: TrendsInput, period: Period): Promise<SeriesNumbers[]> {
  const { plan } = input;
  // A span that ends before it begins holds nothing.
  if (period.buckets?.starts.length === 0) return plan.breakdown === null ? plan.series.map(nothingOf) : [];
  if (plan.breakdown === null) return withoutEmptyCohorts(await queryPlain(input, period), plan);
  const answers = await Promise.all(plan.series.map((series) => queryBrokenDown(input, period, series)));
  return answers.flat();
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

/** The cohorts of a series by their sums, without those of which nothing happened. */
function withoutEmptyCohorts(found: readonly SeriesNumbers[], plan: TrendsPlan): SeriesNumbers[] {
  const isSome = ({ numbers }: SeriesNumbers): boolean => numbers.some((number) => number !== 0);
  return found
    .filter((one) => one.series.cohort === undefined || isSome(one))
    .toSorted(
      (a, b) =>
        a.series.order - b.series.order ||
        (a.series.cohort === undefined ? 0 : rankOf(b, plan) - rankOf(a, plan)),
    );
}

async function queryBrokenDown(
  input: TrendsInput,
  period: Period,
  series: PlannedSeries,
): Promise<SeriesNumbers[]> {
  const { plan, context } = input;
  const values = await queryValues(input, period, series);
  const source = sourceOf(plan, period, series, values);
  const condition = isNested(series) ? null : conditionOf(series);
  const limit = { limit: plan.breakdown!.limit, isMissingLast: !plan.isTotal };
  const { rows } = await context.runQuery(
    brokenDownStatement(source, { math: series.math, condition }, limit),
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
  const { dimensions } = plan.breakdown!;
  const named = (value: string, at: number): string =>
    value === NULL_VALUE && dimensions[at]?.bins !== null ? NO_BIN : value;
  return inOrder(found, plan).map((one) => ({ ...one, values: one.values.map(named) }));
}

/** The greatest sum first; then what lacks a value, and the others last. */
function inOrder(found: readonly SeriesNumbers[], plan: TrendsPlan): SeriesNumbers[] {
  const placeOf = ({ values }: SeriesNumbers): number =>
    values.includes(OTHER_VALUE) ? 2 : values.includes(NULL_VALUE) ? 1 : 0;
  return found.toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      rankOf(b, plan) - rankOf(a, plan) ||
      (a.values.join('\0') < b.values.join('\0') ? -1 : 1),
  );
}

/** The sum of the numbers as they are shown. */
function rankOf({ numbers }: SeriesNumbers, { query }: TrendsPlan): number {
  const isCumulative = isGrowing(query);
  return numbers.reduce((sum, number, at) => sum + number * (isCumulative ? numbers.length - at : 1), 0);
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

/** A histogram's bins: where each begins and ends, exclusive. */
type Bins = readonly (readonly [start: number, end: number])[];

/** The end of the last bin is a little later, so that it holds the greatest number. */
const LAST_BIN_EXTRA = 0.01;

/** Bins of equal width between the least and the greatest number (amendment A-5); none without numbers. */
export function equalBins(least: number, greatest: number, count: number): Bins {
  const width = (greatest - least) / count;
  return Array.from({ length: count }, (_, at) => [
    width * at + least,
    width * (at + 1) + least + (at + 1 === count ? LAST_BIN_EXTRA : 0),
  ]);
}

/** The name of the bin in which a number lies, such as `[10,17.5]`; NULL for none. */
function binOf(number: Expr, bins: Bins): Expr {
  const branches = bins.flatMap(([start, end]) => [
    and(compare('>=', number, constant(start)), compare('<', number, constant(end))),
    constant(`[${start},${end}]`),
  ]);
  return bins.length === 0 ? constant(null) : call('multiIf', ...branches, constant(null));
}

/** The breakdown values of events; for numbers in bins, the names of the bins. */
export async function queryValues(
  input: TrendsInput,
  period: Period,
  series: PlannedSeries,
): Promise<readonly Expr[]> {
  const { dimensions } = input.plan.breakdown!;
  return await Promise.all(
    dimensions.map(async ({ text, number, bins }) =>
      bins === null ? text : binOf(number, await queryBins(input, period, series, { number, count: bins })),
    ),
  );
}

/** The bins between the least and the greatest number that events of a series have in a period. */
async function queryBins(
  { plan, context }: TrendsInput,
  { span }: Period,
  series: PlannedSeries,
  { number, count }: { number: Expr; count: number },
): Promise<Bins> {
  const own = conditionOf(series);
  const statement = select({
    select: [alias(call('min', number), 'least'), alias(call('max', number), 'greatest')],
    from: eventsFrom(plan.query),
    where: and(inSpan(span, plan.filterContext), ...plan.scope, ...(own === null ? [] : [own])),
  });
  const { rows } = await context.runQuery(statement, { inHogql: false });
  const [least, greatest] = rows[0] ?? [];
  return typeof least === 'number' && typeof greatest === 'number' ? equalBins(least, greatest, count) : [];
}
