import type { Expected, GoldenTable } from '../golden-table.ts';

const SIZES = ['Int8', 'Int16', 'Int32', 'Int64', 'Int128', 'Int256', 'UInt8', 'UInt16', 'UInt32', 'UInt64'];
const FORMS: readonly [suffix: string, rest: string][] = [
  ['', ''],
  ['OrNull', ''],
  ['OrZero', ''],
  ['OrDefault', ', 3'],
];

/** Every form of a conversion returns readable values; unreadable ones are in the first tables. */
function readable(name: string, text: string, value: Expected): [string, Expected][] {
  return FORMS.map(([suffix, rest]) => [`to${name}${suffix}('${text}'${rest})`, value]);
}

const ID = '0190f0c1-0000-7000-8000-00000000000a';

const conversions: GoldenTable = {
  title: 'conversions, again',
  rows: [
    ...SIZES.flatMap((name) => readable(name, '105', 105)),
    ...['Float', 'Float32', 'Float64'].flatMap((name) => readable(name, '2.25', 9 / 4)),
    [`toUInt('12')`, 12],
    ...['toDecimal', 'toDecimal32', 'toDecimal64', 'toDecimal128'].map((name): [string, number] => [
      `${name}('2.5', 1)`,
      5 / 2,
    ]),
    ...['OrNull', 'OrZero', 'OrDefault'].map((suffix): [string, string] => [`toUUID${suffix}('${ID}')`, ID]),
    [`toBoolean('true')`, true],
    [`accurateCastOrNull('7', 'Int32')`, 7],
    [`castOrNull('x', 'UInt8')`, null],
    [`textVersion('2.0.0') > textVersion('2.0.1')`, 0],
  ],
};

/** Functions that JavaScript has too, at an argument where they are no whole number. */
const OF_ONE = {
  exp: Math.exp,
  cbrt: Math.cbrt,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  log1p: Math.log1p,
  ceiling: Math.ceil,
  truncate: Math.trunc,
  abs: Math.abs,
  sign: Math.sign,
} as const;

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));
const common = (a: number, b: number): number => (b === 0 ? a : common(b, a % b));
const ones = (n: number): number => n.toString(2).replaceAll('0', '').length;

const maths: GoldenTable = {
  title: 'numbers, again',
  rows: [
    ...Object.entries(OF_ONE).map(([name, of]): [string, number] => [`${name}(0.3)`, of(0.3)]),
    ['multiply(2.5, 4)', 2.5 * 4],
    ['divide(7, 4)', 7 / 4],
    ['modulo(17, 5)', 17 % 5],
    ['mod(-7, 3)', -7 % 3],
    ['div(-9, 2)', Math.trunc(-9 / 2)],
    ['intDivOrZero(9, 2)', Math.trunc(9 / 2)],
    ['moduloOrZero(7, 3)', 7 % 3],
    ['positiveModulo(7, 3)', 7 % 3],
    ['negate(-2.5)', 2.5],
    ['gcd(48, 36)', common(48, 36)],
    ['lcm(21, 6)', (21 * 6) / common(21, 6)],
    ['pow(3, 4)', 3 ** 4],
    ['power(2.5, 2)', 2.5 ** 2],
    ['exp2(0.5)', Math.SQRT2],
    ['exp10(-2)', 10 ** -2],
    ['degrees(1)', 180 / Math.PI],
    ['radians(90)', Math.PI / 2],
    ['tgamma(7)', factorial(6)],
    ['factorial(10)', factorial(10)],
    ['atan2(1, -1)', Math.atan2(1, -1)],
    ['hypot(5, 12)', Math.hypot(5, 12)],
    ['pi() * 2', Math.PI * 2],
    ['e() * 2', Math.E * 2],
    ['roundBankers(5.5)', 6],
    ['trunc(7.99)', Math.trunc(7.99)],
    ['bitAnd(12, 10)', 12 & 10],
    ['bitOr(12, 10)', 12 | 10],
    ['bitXor(12, 10)', 12 ^ 10],
    ['bitNot(5)', 250],
    ['bitShiftRight(255, 4)', 255 >> 4],
    ['bitCount(173)', ones(173)],
    ['isFinite(1)', 1],
    ['isInfinite(1)', 0],
    ['isNaN(1)', 0],
    ['ifNotFinite(2.5, 7)', 2.5],
  ],
};

const choices: GoldenTable = {
  title: 'choices and comparisons, again',
  rows: [
    [`coalesce(NULL, 'a', 'b')`, 'a'],
    ['isNotNull(NULL)', 0],
    ['assumeNotNull(5)', 5],
    [`toNullable('a')`, 'a'],
    [`identity('a')`, 'a'],
    ['materialize(3)', 3],
    ['notEquals(1, 1)', 0],
    ['less(2, 1)', 0],
    ['lessOrEquals(3, 2)', 0],
    [`greater('b', 'a')`, 1],
    ['greaterOrEquals(2, 2)', 1],
  ],
};

export const numberTables: readonly GoldenTable[] = [conversions, maths, choices];
