import type { Test } from './compare-text.ts';

/** Decimal numbers as people write them, also `007`, `+1` and `.5`. */
const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
const NO_NUMBER = 'This operator requires a number.';

/** The number that a value is or spells, else null (P-5). */
export function readNumber(value: unknown): number | null {
  const number =
    typeof value === 'number' ? value : typeof value === 'string' && NUMBER.test(value) ? Number(value) : NaN;
  return Number.isFinite(number) ? number : null;
}

const ORDERS = {
  gt: (value: number, limit: number) => value > limit,
  gte: (value: number, limit: number) => value >= limit,
  lt: (value: number, limit: number) => value < limit,
  lte: (value: number, limit: number) => value <= limit,
};

/** P-5: holds only between numbers. A sentence when the flag's own value is none. */
export function inOrder(operator: keyof typeof ORDERS, wanted: unknown): Test | string {
  const limit = readNumber(Array.isArray(wanted) && wanted.length === 1 ? wanted[0] : wanted);
  if (limit === null) return NO_NUMBER;
  const holds = ORDERS[operator];
  return (value) => {
    const number = readNumber(value);
    return number !== null && holds(number, limit);
  };
}

/** P-5: both ends belong to the range; what is no number is neither in nor outside. */
export function inRange(wanted: unknown, isNegative: boolean): Test | string {
  const [low, high] = Array.isArray(wanted) && wanted.length === 2 ? wanted.map(readNumber) : [];
  if (typeof low !== 'number' || typeof high !== 'number') return 'A range requires a list of two numbers.';
  return (value) => {
    const number = readNumber(value);
    return number !== null && (number >= low && number <= high) !== isNegative;
  };
}
