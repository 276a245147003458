import { resolvedRange } from '../../dates.ts';
import type { KindAnswer } from '../../query-kind.ts';
import { NO_BIN, NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import type { Buckets, Period } from '../../buckets.ts';
import { seriesAction } from '../../series.ts';
import { compileFormula, type Formula } from './formula.ts';
import type { SeriesNumbers } from './numbers.ts';
import { isGrowing, isSlope, type TrendsPlan } from './plan.ts';
import type { TrendsQuery } from './schema.ts';
import { formulasOf, isTotalDisplay } from './trends-filter.contract.ts';

/** A formula, compiled, with the name it is shown by. */
interface NamedFormula {
  readonly label: string;
  readonly evaluate: Formula;
}

/** A line of the answer before it is written: who it is of, its breakdown, its numbers as they are shown. */
interface Line {
  readonly label: string;
  readonly action: object | null;
  readonly breakdown: { value: unknown; label?: string } | null;
  readonly data: readonly number[];
  /** Of its formula; null: a series has it in its action. */
  readonly order: number | null;
}

/** A series of the answer, as far as its display changes it. */
interface SeriesObject {
  readonly data: readonly number[] | null;
  readonly labels: readonly string[];
  readonly days: readonly string[];
  readonly count: number;
  readonly aggregated_value?: number;
}

/** The answer, of the numbers of all series in all periods. */
export function trendsAnswer(
  numbers: readonly (readonly SeriesNumbers[])[],
  formulas: readonly NamedFormula[],
  plan: TrendsPlan,
  now: number,
): KindAnswer {
  const [{ span, buckets }] = plan.periods as [Period];
  const hidesOther = plan.breakdown?.hidesOther ?? false;
  const shown = numbers.map((found) => found.filter((one) => !(hidesOther && isOther(one))));
  const objects = formulas.length === 0 ? plainObjects(plan, shown) : formulaObjects(plan, shown, formulas);
  return {
    results: isSlope(plan.query) ? objects.map((one) => withEnds(one, buckets!, now)) : objects,
    hasMore: numbers.some((found) => found.some(isOther)),
    resolved_date_range: resolvedRange(span),
  };
}

/** The first and the last interval of a series, and whether the last one is not over. */
function withEnds(series: SeriesObject, { starts, end }: Buckets, now: number): object {
  const ends = <Item>(list: readonly Item[]): readonly Item[] =>
    list.length > 2 ? [list[0]!, list.at(-1)!] : list;
  return {
    ...series,
    data: ends(series.data ?? []),
    labels: ends(series.labels),
    days: ends(series.days),
    incomplete_end: starts.length > 0 && starts.at(-1)! <= now && now < end,
  };
}

function isOther({ values }: SeriesNumbers): boolean {
  return values.includes(OTHER_VALUE);
}

/** The formulas of a query, compiled. Throws FormulaError. */
export function readFormulas({ trendsFilter, series }: TrendsQuery): NamedFormula[] {
  return formulasOf(trendsFilter).map(({ text, name }) => ({
    label: name ?? `Formula (${text})`,
    evaluate: compileFormula(text, series.length),
  }));
}

/** The series objects of an answer (management contract 9.9): those of the current period first. */
function plainObjects(plan: TrendsPlan, numbers: readonly (readonly SeriesNumbers[])[]): SeriesObject[] {
  const isAlone = linesPerValue(plan) === 1;
  return plan.periods.flatMap((period, at) =>
    numbers[at]!.map((one) => {
      const { node, order, name } = one.series;
      const label = breakdownLabel(one);
      const line = {
        label: label === null ? name : isAlone ? label : `${name} - ${label}`,
        action: seriesAction(node, order, name, period.buckets?.days ?? []),
        breakdown: breakdownOf(one, plan),
        data: shownNumbers(one.numbers, plan.query),
        order: null,
      };
      return seriesObject(line, plan.query, period);
    }),
  );
}

/** Of how many the label of a value has to tell apart: all users are a series beside each cohort, as in PostHog. */
function linesPerValue({ query, series }: TrendsPlan): number {
  return series.some(({ cohort }) => cohort === null) ? series.length : query.series.length;
}

/** The same of formulas: one after another, each in all periods. */
function formulaObjects(
  plan: TrendsPlan,
  numbers: readonly (readonly SeriesNumbers[])[],
  formulas: readonly NamedFormula[],
): SeriesObject[] {
  return formulas.flatMap((formula, order) =>
    plan.periods.flatMap((period, at) => {
      const lines = formulaLines(formula, numbers[at]!, plan, order);
      return inOrder(lines, plan).map((line) => seriesObject(line, plan.query, period));
    }),
  );
}

/** Series with the same value of the breakdown belong together; one that has no such value counts nothing there. */
function formulaLines(
  formula: NamedFormula,
  found: readonly SeriesNumbers[],
  plan: TrendsPlan,
  order: number,
): Line[] {
  const groups = new Map<string, SeriesNumbers[]>();
  for (const one of found) {
    const key = JSON.stringify(
      one.series.cohort === undefined ? one.values : (one.series.cohort?.id ?? null),
    );
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const byOrder = new Map(group.map((one) => [one.series.order, shownNumbers(one.numbers, plan.query)]));
    const lookup = (series: number, at: number): number => byOrder.get(series)?.[at] ?? 0;
    const [first] = group as [SeriesNumbers];
    return {
      label: formula.label,
      action: null,
      breakdown: namedBreakdown(first, plan),
      data: first.numbers.map((_, at) => formula.evaluate(lookup, at)),
      order,
    };
  });
}

/**
 * The lines of a formula with the greatest sum first; then what lacks a value, and the others last. Of equal lines the later
 * name comes first, and of compared ones the earlier, as in PostHog.
 */
function inOrder(lines: readonly Line[], plan: TrendsPlan): Line[] {
  const isCompared = plan.periods.length > 1;
  if (isCompared) {
    const sumOf = ({ data }: Line): number => (plan.isTotal ? 0 : sum(data));
    return lines.toSorted((a, b) => sumOf(b) - sumOf(a) || NATURAL.compare(nameOf(a), nameOf(b)));
  }
  const placeOf = ({ breakdown }: Line): number => {
    const values = [breakdown?.value].flat();
    const isMissing = values.includes(NULL_VALUE) || values.includes(NO_BIN);
    return values.includes(OTHER_VALUE) ? 2 : isMissing ? 1 : 0;
  };
  return lines.toSorted(
    (a, b) =>
      placeOf(a) - placeOf(b) ||
      sum(b.data) - sum(a.data) ||
      firstDifference(b.data, a.data) ||
      (nameOf(a) > nameOf(b) ? -1 : 1),
  );
}

const NATURAL = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

function nameOf({ breakdown }: Line): string {
  return String(breakdown?.value);
}

function firstDifference(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, place) => number !== b[place]);
  return at < 0 ? 0 : a[at]! - (b[at] ?? 0);
}

function breakdownOf({ series, values }: SeriesNumbers, { breakdown }: TrendsPlan): Line['breakdown'] {
  const { cohort } = series;
  if (cohort !== undefined) return { value: cohort?.id ?? 'all' };
  if (breakdown === null) return null;
  return { value: breakdown.isList ? values : values[0] };
}

/** The label of a formula's line is that of the formula alone, as in PostHog; the console shows the name of a cohort beside it. */
function namedBreakdown(one: SeriesNumbers, plan: TrendsPlan): Line['breakdown'] {
  const breakdown = breakdownOf(one, plan);
  if (breakdown === null || one.series.cohort === undefined) return breakdown;
  return { ...breakdown, label: breakdownLabel(one)! };
}

function breakdownLabel({ series: { cohort }, values }: SeriesNumbers): string | null {
  if (cohort !== undefined) return cohort?.name ?? 'all users';
  return values.length === 0 ? null : values.join('::');
}

function seriesObject(
  { label, breakdown, action, data, order }: Line,
  query: TrendsQuery,
  period: Period,
): SeriesObject {
  const shared = {
    label,
    action,
    filter: {},
    ...(order !== null && { order }),
    ...(breakdown !== null && { breakdown_value: breakdown.value }),
    ...(breakdown?.label !== undefined && { breakdown_label: breakdown.label }),
    ...(period.compare !== null && { compare: true, compare_label: period.compare }),
  };
  const { buckets } = period;
  if (buckets === null) {
    // PostHog has no list for the one number of a formula.
    const list = action === null ? null : [];
    return { ...shared, data: list, labels: [], days: [], count: 0, aggregated_value: data[0] ?? 0 };
  }
  // A formula of sums is no sum itself.
  const isSum = isGrowing(query) && action !== null;
  const count = isSum ? (data.at(-1) ?? 0) : sum(data);
  return { ...shared, data, labels: buckets.labels, days: buckets.days, count };
}

/** The numbers of a series as its chart shows them: cumulated, then smoothed. */
function shownNumbers(numbers: readonly number[], query: TrendsQuery): readonly number[] {
  const shown = isGrowing(query) ? cumulated(numbers) : numbers;
  const { display, smoothingIntervals } = query.trendsFilter ?? {};
  return isTotalDisplay(display) ? shown : smoothed(shown, smoothingIntervals ?? 1);
}

/** The mean of an interval and those before it, as many as there are at the beginning, rounded down. */
function smoothed(numbers: readonly number[], intervals: number): readonly number[] {
  if (intervals <= 1) return numbers;
  return numbers.map((_, at) => {
    const window = numbers.slice(Math.max(0, at - intervals + 1), at + 1);
    return Math.floor(sum(window) / window.length);
  });
}

function cumulated(numbers: readonly number[]): number[] {
  let total = 0;
  return numbers.map((number) => (total += number));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
