import type { Expected, GoldenTable } from './golden-table.ts';

const ROWS = [
  [1, 3, 'a'],
  [2, 5, 'b'],
  [4, 4, 'c'],
  [9, 8, 'd'],
] as const;
const X = ROWS.map(([x]) => x);
const Y = ROWS.map(([, y]) => y);

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
const mean = (numbers: readonly number[]): number => sum(numbers) / numbers.length;
/** The mean of the powers of how far numbers lie from their mean. */
const moment = (numbers: readonly number[], power: number): number =>
  mean(numbers.map((one) => (one - mean(numbers)) ** power));
const sampled = (numbers: readonly number[]): number =>
  (moment(numbers, 2) * numbers.length) / (numbers.length - 1);

/** Slope and beginning of the line of least squares. */
function line(x: readonly number[], y: readonly number[]): Expected {
  const both = mean(x.map((one, at) => (one - mean(x)) * (y[at]! - mean(y))));
  const slope = both / moment(x, 2);
  return [slope, mean(y) - slope * mean(x)];
}

const window = (numbers: readonly number[], at: number, size: number): number =>
  sum(numbers.slice(Math.max(0, at - size + 1), at + 1));
const grown = (numbers: readonly number[]): number =>
  sum(numbers.slice(1).map((one, at) => Math.max(one - numbers[at]!, 0)));

const moments: GoldenTable = {
  title: 'what numbers look like together',
  from: `(SELECT r.1 AS x, r.2 AS y, r.3 AS s FROM (SELECT arrayJoin([${ROWS.map(([x, y, s]) => `tuple(${x}, ${y}, '${s}')`).join(', ')}]) AS r))`,
  rows: [
    ['skewPop(x)', moment(X, 3) / moment(X, 2) ** 1.5],
    ['skewPop(y)', moment(Y, 3) / moment(Y, 2) ** 1.5],
    ['skewSamp(x)', moment(X, 3) / sampled(X) ** 1.5],
    ['skewSamp(y)', moment(Y, 3) / sampled(Y) ** 1.5],
    ['skewPopIf(x, x > 100)', null],
    ['kurtPop(x)', moment(X, 4) / moment(X, 2) ** 2],
    ['kurtPop(y)', moment(Y, 4) / moment(Y, 2) ** 2],
    ['kurtSamp(x)', moment(X, 4) / sampled(X) ** 2],
    ['kurtSamp(y)', moment(Y, 4) / sampled(Y) ** 2],
    ['simpleLinearRegression(x, y)', line(X, Y)],
    ['simpleLinearRegression(y, x)', line(Y, X)],
    ['groupArrayMovingSum(2)(y ORDER BY x)', Y.map((_, at) => window(Y, at, 2))],
    ['groupArrayMovingSum(y ORDER BY x)', Y.map((_, at) => window(Y, at, 9))],
    ['groupArrayMovingAvg(2)(y ORDER BY x)', Y.map((_, at) => window(Y, at, 2) / 2)],
    ['groupArrayMovingAvg(3)(x ORDER BY x)', X.map((_, at) => window(X, at, 3) / 3)],
    ['deltaSum(y ORDER BY x)', grown(Y)],
    ['deltaSum(y ORDER BY x DESC)', grown(Y.toReversed())],
    [`string_agg(s, '-' ORDER BY x)`, 'a-b-c-d'],
    [`string_agg(s, ', ' ORDER BY x DESC)`, 'd, c, b, a'],
  ],
};

const parts: GoldenTable = {
  title: 'parts of texts, dates and lists',
  rows: [
    [`split_part('a-b-c', '-', 2)`, 'b'],
    [`split_part('a-b-c', '-', 9)`, ''],
    [`hasToken('one two,three', 'two')`, 1],
    [`hasToken('one twofold', 'two')`, 0],
    [`date_part('month', toDate('2026-11-20'))`, 11],
    [`date_part('hour', toDateTime('2026-11-20 09:30:00'))`, 9],
    ['make_date(2026, 2, 28)', '2026-02-28'],
    ['make_date(2026, 2, 30)', '2026-03-02'],
    ['arrayRotateLeft([1, 2, 3, 4, 5], 2)', [3, 4, 5, 1, 2]],
    ['arrayRotateLeft([1, 2, 3], -1)', [3, 1, 2]],
    ['arrayRotateLeft([1, 2, 3], 7)', [2, 3, 1]],
    ['arrayRotateRight([1, 2, 3, 4, 5], 2)', [4, 5, 1, 2, 3]],
    ['arrayRotateRight([1, 2, 3], 3)', [1, 2, 3]],
    ['hasSubstr([1, 2, 3, 4], [2, 3])', 1],
    ['hasSubstr([1, 2, 3, 4], [2, 4])', 0],
    [`hasSubstr(['a'], [])`, 1],
  ],
};

export const furtherTables: readonly GoldenTable[] = [moments, parts];
