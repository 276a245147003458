import type { Expected, GoldenTable } from '../golden-table.ts';

/** Rows as they are sent to the engine, and as plain TypeScript counts over them. */
const DATA = [
  { x: 4, y: 3, s: 'p' },
  { x: 8, y: 1, s: 'q' },
  { x: 15, y: 4, s: 'p' },
  { x: 16, y: 1, s: 'p' },
  { x: 23, y: 5, s: 'r' },
  { x: 42, y: 9, s: 'q' },
];
const TUPLES = DATA.map(({ x, y, s }) => `tuple(${x}, ${y}, '${s}')`).join(', ');
const ROWS = `(SELECT r.1 AS x, r.2 AS y, r.3 AS s FROM (SELECT arrayJoin([${TUPLES}]) AS r))`;

const xs = DATA.map(({ x }) => x);
const ys = DATA.map(({ y }) => y);
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
const mean = (list: readonly number[]): number => sum(list) / list.length;
/** The sum of products of what two lists are beside their means. */
const spread = (a: readonly number[], b: readonly number[]): number =>
  sum(a.map((one, at) => (one - mean(a)) * (b[at]! - mean(b))));
const different = (list: readonly unknown[]): number => new Set(list).size;

const overAll: GoldenTable = {
  title: 'aggregates of all rows, again',
  from: ROWS,
  rows: [
    ['uniqExact(y)', different(ys)],
    ...['uniqHLL12', 'uniqCombined', 'uniqCombined64', 'uniqTheta', 'countDistinct'].map(
      (name): [string, number] => [`${name}(y)`, different(ys)],
    ),
    ['avgWeighted(x, y)', sum(xs.map((x, at) => x * ys[at]!)) / sum(ys)],
    ['anyHeavy(s)', 'p'],
    ['anyLast(y > 0)', 1],
    ['argMin(s, x)', 'p'],
    ['stddevPop(x)', Math.sqrt(spread(xs, xs) / xs.length)],
    ['stddevSamp(x)', Math.sqrt(spread(xs, xs) / (xs.length - 1))],
    ['varPop(x)', spread(xs, xs) / xs.length],
    ['varSamp(x)', spread(xs, xs) / (xs.length - 1)],
    ['corr(x, y)', spread(xs, ys) / Math.sqrt(spread(xs, xs) * spread(ys, ys))],
    ['covarPop(x, y)', spread(xs, ys) / xs.length],
    ['covarSamp(x, y)', spread(xs, ys) / (xs.length - 1)],
    ['groupBitAnd(x + 64)', xs.reduce((bits, x) => bits & (x + 64), -1)],
    ['groupBitOr(x)', xs.reduce((bits, x) => bits | x, 0)],
    ['groupBitXor(x)', xs.reduce((bits, x) => bits ^ x, 0)],
    ['boolAnd(x > 3)', xs.every((x) => x > 3)],
    ['bool_and(x > 4)', xs.every((x) => x > 4)],
    ['boolOr(x > 42)', xs.some((x) => x > 42)],
    ['bool_or(x > 23)', xs.some((x) => x > 23)],
    ['array_agg(x ORDER BY x ASC)', xs],
    [`groupConcat('+')(s ORDER BY x)`, DATA.map(({ s }) => s).join('+')],
  ],
};

/** Between the two values beside a place, counted from 0, by how far it is from them. */
function between(place: number): number {
  const low = Math.floor(place);
  return xs[low]! + (place - low) * ((xs[low + 1] ?? xs[low]!) - xs[low]!);
}
const inclusive = (level: number): number => between(level * (xs.length - 1));
const exclusive = (level: number): number => between(level * (xs.length + 1) - 1);
const half = xs.length / 2;

/** All forms of a quantile: one, several, and the median. */
function forms(kind: string, of: (level: number) => number, median = of(0.5)): [string, Expected][] {
  return [
    [`quantile${kind}(0.25)(x)`, of(0.25)],
    [`quantiles${kind}(0.25, 0.75)(x)`, [of(0.25), of(0.75)]],
    [`median${kind}(x)`, median],
  ];
}

const quantiles: GoldenTable = {
  title: 'quantiles, again',
  from: ROWS,
  rows: [
    ...['', 'ExactInclusive'].flatMap((kind) => forms(kind, inclusive)),
    ...['TDigest', 'BFloat16'].flatMap((kind) =>
      forms(kind, (level) => xs[Math.ceil(level * xs.length) - 1]!),
    ),
    ...forms('Timing', (level) => xs[Math.floor(level * xs.length)]!),
    ...forms('ExactExclusive', exclusive),
    ...forms('Exact', (level) => xs[Math.floor(level * xs.length)]!),
    ['quantileExactHigh(0.5)(x)', xs[half]!],
    ['quantilesExactHigh(0.5)(x)', [xs[half]!]],
    ['medianExactHigh(x)', xs[half]!],
    ['quantileExactLow(0.5)(x)', xs[half - 1]!],
    ['quantilesExactLow(0.5)(x)', [xs[half - 1]!]],
    ['medianExactLow(x)', xs[half - 1]!],
  ],
};

const OVER = 'OVER (ORDER BY x ASC ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)';

const windows: GoldenTable = {
  title: 'window functions, at the first of 1, 2, 2, 5, again',
  from: `(SELECT arrayJoin([1, 2, 2, 5]) AS x) ORDER BY x ASC LIMIT 1`,
  rows: [
    ['rank() OVER (ORDER BY x ASC)', 1],
    ['dense_rank() OVER (ORDER BY x ASC)', 1],
    ['denseRank() OVER (ORDER BY x ASC)', 1],
    ['percent_rank() OVER (ORDER BY x ASC)', 0],
    ['percentRank() OVER (ORDER BY x DESC)', 1],
    ['cume_dist() OVER (ORDER BY x DESC)', 1],
    ['ntile(4) OVER (ORDER BY x ASC)', 1],
    [`lagInFrame(x, 1, 9) ${OVER}`, 9],
  ],
};

export const aggregateTables: readonly GoldenTable[] = [overAll, quantiles, windows];
