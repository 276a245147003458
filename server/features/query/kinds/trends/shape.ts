import { resolvedRange } from '../../dates.ts';
import type { KindAnswer, KindContext } from '../../query-kind.ts';
import { NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import type { Period } from '../../buckets.ts';
import { seriesAction } from '../../series.ts';
import type { SeriesNumbers } from './numbers.ts';
import { isGrowing, type TrendsPlan } from './plan.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { HogqlError } from '../../../../hogql/errors.ts';
import type { TrendsQuery } from './schema.ts';

/** A formula, compiled, with the name it is shown by. */
interface NamedFormula {
  readonly label: string;
  readonly evaluate: ReturnType<typeof compileFormula>;
}

/** A line of the answer before it is written: who it is of, its breakdown, its numbers. */
interface Line {
  readonly label: string;
  readonly action: object | null;
  readonly breakdown: { value: unknown; label: string } | null;
  readonly numbers: readonly number[];
}

/** The answer, of the numbers of all series in all periods. */
export function trendsAnswer(
  numbers: readonly (readonly SeriesNumbers[])[],
  formulas: readonly NamedFormula[],
  plan: TrendsPlan,
): KindAnswer {
  const [{ span }] = plan.periods as [Period];
  const isOther = ({ values }: SeriesNumbers): boolean => values[0] === OTHER_VALUE;
  const hidesOther = plan.breakdown?.hidesOther ?? false;
  const shown = numbers.map((found) => found.filter((one) => !(hidesOther && isOther(one))));
  return {
    results: seriesObjects(plan, shown, formulas),
    hasMore: numbers[0]!.some(isOther),
    resolved_date_range: resolvedRange(span),
  };
}

/** The formulas of a query, compiled. Throws HogqlError. */
export async function readFormulas(
  { trendsFilter, series }: TrendsQuery,
  { parse }: KindContext,
): Promise<NamedFormula[]> {
  const { formula, formulas, formulaNodes } = trendsFilter ?? {};
  const named: { text: string; name: string | null }[] = Array.isArray(formulaNodes)
    ? formulaNodes.map((node) => ({ text: node.formula, name: node.custom_name ?? null }))
    : (formulas ?? []).length > 0
      ? formulas!.map((text) => ({ text, name: null }))
      : formula
        ? [{ text: formula, name: null }]
        : [];
  return await Promise.all(
    named.map(async ({ text, name }) => ({
      label: name ?? `Formula (${text})`,
      evaluate: compileFormula(await parse.expression(text), series.length),
    })),
  );
}

/** The series objects of an answer (management contract 9.9): those of the current period first. */
function seriesObjects(
  plan: TrendsPlan,
  numbers: readonly (readonly SeriesNumbers[])[],
  formulas: readonly NamedFormula[],
): object[] {
  return plan.periods.flatMap((period, at) => {
    const found = numbers[at]!;
    const lines =
      formulas.length === 0
        ? found.map((one) => plainLine(one, plan, period))
        : formulas.flatMap((formula) => formulaLines(formula, found, plan));
    const isAlone = formulas.length === 0 ? plan.query.series.length === 1 : formulas.length === 1;
    return lines.map((line) => seriesObject(line, plan.query, period, isAlone));
  });
}

function plainLine(one: SeriesNumbers, plan: TrendsPlan, { buckets }: Period): Line {
  const { node, order, name } = one.series;
  const action = seriesAction(node, order, name, buckets?.days ?? []);
  return { label: name, action, breakdown: breakdownOf(one, plan), numbers: one.numbers };
}

/** Series with the same value of the breakdown belong together; one that has no such value counts nothing there. */
function formulaLines(formula: NamedFormula, found: readonly SeriesNumbers[], plan: TrendsPlan): Line[] {
  const groups = new Map<string, SeriesNumbers[]>();
  for (const one of found) {
    const key = JSON.stringify(one.series.cohort?.id ?? one.values);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].map((group) => {
    const byOrder = new Map(group.map((one) => [one.series.order, one.numbers]));
    const lookup = (series: number, at: number): number => byOrder.get(series)?.[at] ?? 0;
    const [first] = group as [SeriesNumbers];
    return {
      label: formula.label,
      action: null,
      breakdown: breakdownOf(first, plan),
      numbers: first.numbers.map((_, at) => formula.evaluate(lookup, at)),
    };
  });
}

function breakdownOf({ series, values }: SeriesNumbers, { breakdown }: TrendsPlan): Line['breakdown'] {
  const { cohort } = series;
  if (cohort === null) return { value: 'all', label: 'all users' };
  if (cohort !== undefined) return { value: cohort.id, label: cohort.name };
  if (breakdown === null) return null;
  const label = values.map((value) => (value === NULL_VALUE ? 'none' : value)).join('::');
  return { value: breakdown.isList ? values : values[0], label };
}

function seriesObject(line: Line, query: TrendsQuery, period: Period, isAlone: boolean): object {
  const { breakdown, label, action } = line;
  const shared = {
    label: breakdown === null ? label : isAlone ? breakdown.label : `${label} - ${breakdown.label}`,
    action,
    filter: {},
    ...(breakdown !== null && { breakdown_value: breakdown.value }),
    ...(period.compare !== null && { compare: true, compare_label: period.compare }),
  };
  const { buckets } = period;
  if (buckets === null) {
    return { ...shared, data: [], labels: [], days: [], count: 0, aggregated_value: line.numbers[0] ?? 0 };
  }
  const { smoothingIntervals } = query.trendsFilter ?? {};
  const isCumulative = isGrowing(query);
  const smooth = smoothed(line.numbers, smoothingIntervals ?? 1);
  const data = isCumulative ? cumulated(smooth) : smooth;
  const count = isCumulative ? (data.at(-1) ?? 0) : data.reduce((sum, number) => sum + number, 0);
  return { ...shared, data, labels: buckets.labels, days: buckets.days, count };
}

/** The mean of an interval and those before it, as many as there are at the beginning. */
function smoothed(numbers: readonly number[], intervals: number): number[] {
  if (intervals <= 1) return [...numbers];
  return numbers.map((_, at) => {
    const window = numbers.slice(Math.max(0, at - intervals + 1), at + 1);
    return window.reduce((sum, number) => sum + number, 0) / window.length;
  });
}

function cumulated(numbers: readonly number[]): number[] {
  let sum = 0;
  return numbers.map((number) => (sum += number));
}

/** A number for each interval of each series: `(letter, interval) => number`. */
type Lookup = (series: number, at: number) => number;

const FUNCTIONS: Readonly<Record<string, (...numbers: number[]) => number>> = {
  abs: Math.abs,
  ceil: Math.ceil,
  exp: Math.exp,
  floor: Math.floor,
  greatest: Math.max,
  least: Math.min,
  log: Math.log,
  log10: Math.log10,
  log2: Math.log2,
  pow: Math.pow,
  round: (number, digits = 0) => Math.round(number * 10 ** digits) / 10 ** digits,
  sqrt: Math.sqrt,
};

/**
 * Compiles a formula to a function over the numbers of the series, which it calls A, B, C… in their order. A result
 * that is not finite, as after a division by zero, is 0. Throws HogqlError for an unsupported part of a formula.
 */
function compileFormula(formula: Expr, seriesCount: number): (numbers: Lookup, at: number) => number {
  const evaluate = compile(formula, seriesCount);
  return (numbers, at) => {
    const value = evaluate(numbers, at);
    return Number.isFinite(value) ? value : 0;
  };
}

function compile(node: Expr, seriesCount: number): (numbers: Lookup, at: number) => number {
  switch (node.node) {
    case 'Constant': {
      const { value } = node;
      if (typeof value === 'number' || typeof value === 'bigint') return () => Number(value);
      throw refusal('A formula can only contain series, numbers and + - * /.', node);
    }
    case 'Field': {
      const series = seriesOf(node.chain, seriesCount);
      if (series === null) {
        throw refusal(
          `Series ${node.chain.join('.').slice(0, 20)} does not exist: the last one is ${letterOf(seriesCount - 1)}.`,
          node,
        );
      }
      return (numbers, at) => numbers(series, at);
    }
    case 'Arithmetic':
      return arithmetic(node, seriesCount);
    case 'Call': {
      const name = node.name.toLowerCase();
      const known = Object.hasOwn(FUNCTIONS, name) ? FUNCTIONS[name] : undefined;
      if (known === undefined) {
        throw refusal(`A formula supports the functions ${Object.keys(FUNCTIONS).join(', ')}.`, node);
      }
      const args = node.args.map((arg) => compile(arg, seriesCount));
      return (numbers, at) => known(...args.map((arg) => arg(numbers, at)));
    }
    default:
      throw refusal('A formula can only contain series, numbers and + - * /.', node);
  }
}

function arithmetic(node: Extract<Expr, { node: 'Arithmetic' }>, seriesCount: number) {
  const [left, right] = [compile(node.left, seriesCount), compile(node.right, seriesCount)];
  const operation = {
    '+': (a: number, b: number) => a + b,
    '-': (a: number, b: number) => a - b,
    '*': (a: number, b: number) => a * b,
    '/': (a: number, b: number) => (b === 0 ? 0 : a / b),
    '%': (a: number, b: number) => (b === 0 ? 0 : a % b),
  }[node.op];
  return (numbers: Lookup, at: number): number => operation(left(numbers, at), right(numbers, at));
}

function seriesOf(chain: readonly string[], seriesCount: number): number | null {
  const [name = ''] = chain;
  if (chain.length !== 1 || !/^[A-Za-z]$/.test(name)) return null;
  const series = name.toUpperCase().charCodeAt(0) - 65;
  return series < seriesCount ? series : null;
}

function letterOf(series: number): string {
  return String.fromCharCode(65 + Math.min(series, 25));
}

function refusal(message: string, node: Expr): HogqlError {
  return new HogqlError(message, node);
}
