import type { Value } from '../../../../db/db.ts';
import { NULL_VALUE, OTHER_VALUE } from '../../breakdowns/breakdown.ts';
import type { Period } from '../../dates/periods.ts';
import type { KindContext } from '../../query-kind.ts';
import { conditionOf, type PlannedSeries, type TrendsPlan, type TrendsQuery } from './trends-plan.ts';
import { isNested, sourceOf, type TrendsInput } from './trends-rows.ts';
import { brokenDownStatement, plainStatement, type TopValues } from './trends-statement.ts';
import { queryDimensions, queryJointTop, topOf, type Dimensions } from './trends-values.ts';

/** The numbers of a series, by interval, or the one number of the span. */
export interface SeriesNumbers {
  readonly series: PlannedSeries;
  /** Values of the breakdown; none without. */
  readonly values: readonly string[];
  readonly numbers: readonly number[];
}

/** Asks for the numbers of every series in every period, in the order of the periods, series and values. */
export async function queryNumbers(
  query: TrendsQuery,
  plan: TrendsPlan,
  context: KindContext,
): Promise<SeriesNumbers[][]> {
  const input = { query, plan, context };
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
  const source = sourceOf(input, period, group[0]!, []);
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
  const source = sourceOf(input, period, series, values);
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
  { query }: TrendsInput,
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
