import type { Expr } from '../../../../hogql/ast.ts';
import { HogqlError } from '../../../../hogql/errors.ts';

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
 * Makes of a formula a function over the numbers of the series, which it calls A, B, C… in their order. What is no number,
 * as after a division by zero, is 0. Throws HogqlError for what a formula cannot hold.
 */
export function compileFormula(formula: Expr, seriesCount: number): (numbers: Lookup, at: number) => number {
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
