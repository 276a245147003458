import type { Expected, GoldenTable } from './golden-table.ts';

type Row = readonly [string, Expected];

/** The integral under a curve by Simpson's rule, in so many steps. */
function area(curve: (t: number) => number, from: number, to: number, steps = 20_000): number {
  const width = (to - from) / steps;
  const inner = Array.from(
    { length: steps - 1 },
    (_, at) => curve(from + (at + 1) * width) * (at % 2 === 0 ? 4 : 2),
  );
  return (width / 3) * (curve(from) + curve(to) + inner.reduce((sum, one) => sum + one, 0));
}

const bell = (t: number): number => (2 / Math.sqrt(Math.PI)) * Math.exp(-t * t);
/** erfc(x) = e^(-x²) times the integral of what is left, in which nothing cancels. */
const tail = (x: number): number =>
  Math.exp(-x * x) * area((t) => (2 / Math.sqrt(Math.PI)) * Math.exp(-t * t - 2 * x * t), 0, 12);

const errors: readonly Row[] = [
  ...[0, 0.1, 1, -1, 2.5, 4].map((x): Row => [`erf(${x})`, area(bell, 0, x)]),
  ['erf(30)', 1],
  ['erf(-30)', -1],
  ['erf(NULL)', null],
  [`erf('none')`, null],
  ...[0, 0.5, 1.9, 2, 3].map((x): Row => [`erfc(${x})`, tail(x)]),
  ['erfc(-1)', 1 + area(bell, 0, 1)],
  // From tables: so far out the sum of many small steps loses digits.
  ['erfc(5)', 1.5374597944280349e-12],
  ['erfc(40)', 0],
  ['erfc(NULL)', null],
];

const bitsOf = (x: number): string => x.toString(2);
const isSet = (x: number, at: number): boolean => bitsOf(x).at(-1 - at) === '1';

const numbers: GoldenTable = {
  title: 'special functions, steps and bits',
  rows: [
    ...errors,
    ['asinh(2)', Math.asinh(2)],
    ['asinh(-0.5)', Math.asinh(-0.5)],
    ['acosh(3)', Math.acosh(3)],
    ['acosh(0.5)', null],
    ['atanh(0.25)', Math.atanh(0.25)],
    ['atanh(1)', null],
    ['max2(-1, 2)', 2],
    [`max2('7', 2.5)`, 7],
    ['max2(1, NULL)', null],
    ['min2(-1, 2)', -1],
    ['min2(1.5, 1)', 1],
    ['intExp2(10)', 2 ** 10],
    ['intExp2(-3)', 0],
    ['intExp10(6)', 10 ** 6],
    ['intExp10(NULL)', null],
    ['roundToExp2(1000)', 512],
    ['roundToExp2(1024)', 1024],
    ['roundToExp2(0)', 0],
    ['roundToExp2(-5)', 0],
    ['roundToExp2(0.3)', 0.25],
    ['roundToExp2(-5.5)', -4],
    ['roundToExp2(9007199254740991)', 2 ** 52],
    ...[
      [0, 0],
      [0.5, 0],
      [1, 1],
      [9.9, 1],
      [59, 30],
      [3599, 1800],
      [90_000, 36_000],
    ].map(([x, to]): Row => [`roundDuration(${x!})`, to!]),
    ['roundDuration(NULL)', null],
    ...[
      [0, 0],
      [17, 17],
      [18, 18],
      [24, 18],
      [44, 35],
      [99, 55],
    ].map(([x, to]): Row => [`roundAge(${x!})`, to!]),
    ['roundDown(7, [1, 5, 10])', 5],
    ['roundDown(-7, [10, 5, 1])', 1],
    ['roundDown(NULL, [1, 2])', null],
    ...[0, 1, 5].map((at): Row => [`bitTest(43, ${at})`, Number(isSet(43, at))]),
    ['bitTest(-1, 63)', 1],
    ['bitTest(NULL, 1)', null],
    ['bitTestAll(0, 1, NULL)', null],
    ['bitTestAll(43, 0, 1, 3, 5)', Number([0, 1, 3, 5].every((at) => isSet(43, at)))],
    ['bitTestAll(43, 0, 2)', Number([0, 2].every((at) => isSet(43, at)))],
    ['bitTestAny(43, 0, 2)', Number([0, 2].some((at) => isSet(43, at)))],
    ['bitTestAny(43, 4, 2)', Number([4, 2].some((at) => isSet(43, at)))],
    ['bitHammingDistance(111, 121)', bitsOf(111 ^ 121).replaceAll('0', '').length],
    ['bitHammingDistance(5, 5)', 0],
    ['bar(5, 0, 10, 10)', '█'.repeat(5)],
    ['bar(1, 0, 2, 1)', '▌'],
    ['bar(99, 0, 10, 4)', '████'],
    ['bar(-9, 0, 10, 4)', ''],
    ['bar(NULL, 0, 10, 4)', null],
    ['length(bar(1, 0, 1))', 240],
  ],
};

/** A number divided until it is smaller than the base, with two digits. */
function inUnits(x: number, base: number, units: readonly string[]): string {
  let [left, at] = [x, 0];
  while (Math.abs(left) >= base && at < units.length - 1) [left, at] = [left / base, at + 1];
  const digits = Math.abs(left).toFixed(2);
  return `${left < 0 ? '-' : ''}${digits}${units[at] === '' ? '' : ' '}${units[at]!}`;
}

const BINARY = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
const DECIMAL = ['B', 'KB', 'MB', 'GB', 'TB'];
const WORDS = ['', 'thousand', 'million', 'billion', 'trillion'];
const SIZES = [0, 1, 0.125, 1023, 1024, 1_572_864, -2048, 192_851_925, 5e12, 999_999];

const readable: GoldenTable = {
  title: 'numbers as people read them',
  rows: [
    ...SIZES.flatMap((x): Row[] => [
      [`formatReadableSize(${x})`, inUnits(x, 1024, BINARY)],
      [`formatReadableDecimalSize(${x})`, inUnits(x, 1000, DECIMAL)],
      [`formatReadableQuantity(${x})`, inUnits(x, 1000, WORDS)],
    ]),
    [`formatReadableSize('2048')`, '2.00 KiB'],
    ['formatReadableSize(NULL)', null],
    [`formatReadableQuantity('x')`, null],
    // The example of ClickHouse's documentation.
    ['formatReadableTimeDelta(432546534)', '13 years, 8 months, 17 days, 7 hours, 48 minutes and 54 seconds'],
    [`formatReadableTimeDelta(432546534, 'minutes')`, '7209108 minutes and 54 seconds'],
    ['formatReadableTimeDelta(-60)', '-1 minute'],
    ['formatReadableTimeDelta(3601)', '1 hour and 1 second'],
    ['formatReadableTimeDelta(NULL)', null],
  ],
};

export const numberTables: readonly GoldenTable[] = [numbers, readable];
