import { floatOrNan, scalar, withNull, type ValueType } from '../../value-type.ts';
import { alsoNamed, rowsOf, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asMoment, asNumber, asWhole, isNullable } from '../read-argument.ts';
import { interval, shifted } from './date-intervals.ts';

const FLOAT = scalar('Float64');
const INT = scalar('Int64');
const BOOL = scalar('Bool');
const numbers = rowsOf(asNumber);
const wholes = rowsOf(asWhole);

function read(args: readonly Printed[], call: CallContext): Printed[] {
  return args.map((argument, at) => asNumber(argument, call, at));
}

/** The type of a sum: a float where one of the numbers is one. */
function numberType(values: readonly Printed[]): ValueType {
  return withNull(values.some(({ type }) => type.name === 'Float64') ? FLOAT : INT, isNullable(values));
}

function operator(name: string, sign: string): FunctionRow {
  return typed(name, 2, (args, call) => {
    const values = read(args, call);
    return { sql: `(${values[0]!.sql} ${sign} ${values[1]!.sql})`, type: numberType(values) };
  });
}

function isTime({ type }: Printed): boolean {
  return type.name === 'Date' || type.name === 'DateTime';
}

/** A sum or difference of numbers, or of a date and a span; whole numbers are seconds for moments, days for days. */
function additive(name: string, sign: '+' | '-'): FunctionRow {
  const ofNumbers = operator(name, sign);
  return typed(name, 2, (args, call) => {
    const isTurned = sign === '+' && !isTime(args[0]!);
    const [time, span] = isTurned ? [args[1]!, args[0]!] : [args[0]!, args[1]!];
    if (!isTime(time)) return ofNumbers.print(args, call);
    if (sign === '-' && isTime(span)) return apart(time, span, call);
    const unit = time.type.name === 'Date' ? 'day' : 'second';
    return shifted(time, sign, span.type.name === 'Interval' ? span : interval(span, unit, call), call);
  });
}

/** Days between days, seconds between moments. */
function apart(left: Printed, right: Printed, call: CallContext): Printed {
  const type = withNull(INT, isNullable([left, right]));
  if (left.type.name === 'Date' && right.type.name === 'Date')
    return { sql: `(${left.sql} - ${right.sql})`, type };
  const [a, b] = [left, right].map((one, at) => `epoch_us(${asMoment(one, call, at).sql})`);
  return { sql: `((${a!} - ${b!}) // 1000000)`, type };
}

/** Cuts after so many digits behind the point, before it where their number is negative; keeps whole numbers whole. */
function rounding(name: string, sql: (x: string) => string): FunctionRow {
  return typed(name, [1, 2], (args, call) => {
    const [value, digits] = read(args, call);
    if (digits === undefined) return { sql: sql(value!.sql), type: value!.type };
    const power = `pow(10, least(greatest(${digits.sql}, -18), 18))`;
    // Whole numbers are rounded away from zero at the half.
    if (name === 'round' && value!.type.name !== 'Float64') {
      const places = `CAST(least(greatest(${digits.sql}, -18), 18) AS INTEGER)`;
      return { sql: `CAST(round(${value!.sql}, ${places}) AS BIGINT)`, type: numberType([value!, value!]) };
    }
    const scaled = `(${sql(`(${value!.sql} * ${power})`)} / ${power})`;
    const isWhole = value!.type.name !== 'Float64';
    return { sql: isWhole ? `CAST(${scaled} AS BIGINT)` : scaled, type: numberType([value!, value!]) };
  });
}

/**
 * A function of bits. A number that is written out has as many of them as its type in ClickHouse: the smallest that holds
 * it; all others have 64.
 */
function ofWrittenBits(
  name: string,
  arity: 1 | 2,
  sql: (x: string, y: string) => string,
  of: (x: bigint, y: bigint) => bigint,
): FunctionRow {
  return typed(name, arity, (args, call) => {
    const constants = args.map(({ constant }) => constant);
    if (constants.every((value): value is number => Number.isSafeInteger(value))) {
      const [x, y = 0] = constants;
      const isSigned = x! < 0;
      const bits = [8, 16, 32, 64].find((size) => {
        const half = 2n ** BigInt(size - 1);
        return isSigned ? BigInt(x!) >= -half : BigInt(x!) < 2n * half;
      })!;
      const value = of(BigInt(x!), BigInt(y));
      const fitted = isSigned ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
      return call.bind(fitted <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(fitted) : fitted);
    }
    const [x, y] = args.map((one, at) => asWhole(one, call, at));
    return { sql: sql(x!.sql, y?.sql ?? ''), type: withNull(INT, isNullable(args)) };
  });
}

/** One number in, one number of the same type out. */
function keeping(name: string, sql: (x: string) => string): FunctionRow {
  return typed(name, 1, (args, call) => {
    const [value] = read(args, call);
    return { sql: sql(value!.sql), type: value!.type };
  });
}

/** DuckDB would refuse the whole statement for some results that are nan or inf. */
const FLOATS: readonly (readonly [name: string, duckdb: string])[] = [
  ['exp', 'exp'],
  ['cbrt', 'cbrt'],
  ['sin', 'sin'],
  ['cos', 'cos'],
  ['tan', 'tan'],
  ['asin', 'asin'],
  ['acos', 'acos'],
  ['atan', 'atan'],
  ['sinh', 'sinh'],
  ['cosh', 'cosh'],
  ['tanh', 'tanh'],
  ['degrees', 'degrees'],
  ['radians', 'radians'],
  ['tgamma', 'gamma'],
  ['lgamma', 'lgamma'],
];

const ZERO = '\u0000';

const logs = (
  [
    ['log', 'ln'],
    ['ln', 'ln'],
    ['log2', 'log2'],
    ['log10', 'log10'],
    ['sqrt', 'sqrt'],
  ] as const
).map(([name, duckdb]) =>
  typed(name, 1, (args, call) => {
    const { sql, type } = asNumber(args[0]!, call, 0);
    // DuckDB refuses the whole statement for what is nan or -inf.
    const isDefined = duckdb === 'sqrt' ? '>= 0' : '> 0';
    const other = duckdb === 'sqrt' ? '' : ` WHEN ${ZERO} THEN CAST('-inf' AS DOUBLE)`;
    const guarded = once(sql, call, (x) => {
      return `(CASE WHEN ${x} ${isDefined} THEN ${duckdb}(${x})${other.replace(ZERO, `${x} = 0`)} WHEN ${x} IS NOT NULL THEN CAST('nan' AS DOUBLE) END)`;
    });
    return { sql: guarded, type: floatOrNan(type.nullable) };
  }),
);

export const maths: readonly FunctionRow[] = [
  additive('plus', '+'),
  additive('minus', '-'),
  operator('multiply', '*'),
  numbers('divide', 2, floatOrNan(), (x, y) => `(${x} / ${y})`),
  ...alsoNamed(operator('modulo', '%'), 'mod'),
  ...alsoNamed(
    wholes('intDiv', 2, withNull(INT), (x, y) => `(${x} // ${y})`),
    'div',
  ),
  typed('intDivOrZero', 2, (args, call) => {
    const [x, y] = args.map((argument, at) => asWhole(argument, call, at).sql);
    return { sql: `coalesce(${x!} // ${y!}, 0)`, type: withNull(INT, isNullable(args)) };
  }),
  typed('moduloOrZero', 2, (args, call) => {
    const values = read(args, call);
    return { sql: `coalesce(${values[0]!.sql} % ${values[1]!.sql}, 0)`, type: numberType(values) };
  }),
  typed('positiveModulo', 2, (args, call) => {
    const values = read(args, call);
    const [x, y] = values.map(({ sql }) => sql);
    return { sql: `((${x!} % ${y!} + abs(${y!})) % ${y!})`, type: numberType(values) };
  }),
  keeping('negate', (x) => `(-${x})`),
  keeping('abs', (x) => `abs(${x})`),
  wholes('gcd', 2, INT, (x, y) => `gcd(${x}, ${y})`),
  wholes('lcm', 2, INT, (x, y) => `lcm(${x}, ${y})`),
  ...alsoNamed(
    numbers('pow', 2, FLOAT, (x, y) => `pow(${x}, ${y})`),
    'power',
  ),
  ...FLOATS.map(([name, duckdb]) =>
    numbers(name, 1, FLOAT, (x) => {
      return `coalesce(try(${duckdb}(${x})), CASE WHEN ${x} IS NOT NULL THEN CAST('${name === 'lgamma' ? 'inf' : 'nan'}' AS DOUBLE) END)`;
    }),
  ),
  ...logs,
  numbers('exp2', 1, FLOAT, (x) => `pow(2, ${x})`),
  numbers('exp10', 1, FLOAT, (x) => `pow(10, ${x})`),
  numbers('log1p', 1, FLOAT, (x) => `(CASE WHEN ${x} > -1 THEN ln(1 + ${x}) END)`),
  numbers('atan2', 2, FLOAT, (y, x) => `atan2(${y}, ${x})`),
  numbers('hypot', 2, FLOAT, (x, y) => `sqrt(${x} * ${x} + ${y} * ${y})`),
  numbers('pi', 0, FLOAT, () => 'pi()'),
  numbers('e', 0, FLOAT, () => 'exp(1)'),
  numbers('sign', 1, INT, (x) => `CAST(sign(${x}) AS BIGINT)`),
  wholes('factorial', 1, INT, (x) => {
    return `CAST(factorial(CAST(greatest(least(${x}, 20), 0) AS INTEGER)) AS BIGINT)`;
  }),
  // Half goes to the even neighbour, as in ClickHouse where floats are rounded.
  rounding('round', (x) => `round_even(${x}, 0)`),
  rounding('roundBankers', (x) => `round_even(${x}, 0)`),
  rounding('floor', (x) => `floor(${x})`),
  ...alsoNamed(
    rounding('ceil', (x) => `ceil(${x})`),
    'ceiling',
  ),
  ...alsoNamed(
    rounding('trunc', (x) => `trunc(${x})`),
    'truncate',
  ),
  wholes('bitAnd', 2, INT, (x, y) => `(${x} & ${y})`),
  wholes('bitOr', 2, INT, (x, y) => `(${x} | ${y})`),
  wholes('bitXor', 2, INT, (x, y) => `xor(${x}, ${y})`),
  ofWrittenBits(
    'bitNot',
    1,
    (x) => `(~${x})`,
    (x) => ~x,
  ),
  ofWrittenBits(
    'bitShiftLeft',
    2,
    (x, y) => `coalesce(try(${x} << ${y}), CASE WHEN ${x} IS NOT NULL AND ${y} IS NOT NULL THEN 0 END)`,
    (x, y) => (y < 0n || y > 64n ? 0n : x << y),
  ),
  wholes('bitShiftRight', 2, INT, (x, y) => `try(${x} >> ${y})`),
  wholes('bitCount', 1, INT, (x) => `bit_count(${x})`),
  numbers('isFinite', 1, BOOL, (x) => `isfinite(CAST(${x} AS DOUBLE))`),
  numbers('isInfinite', 1, BOOL, (x) => `isinf(CAST(${x} AS DOUBLE))`),
  numbers('isNaN', 1, BOOL, (x) => `isnan(CAST(${x} AS DOUBLE))`),
  typed('ifNotFinite', 2, (args, call) => {
    const values = read(args, call);
    const [x, y] = values.map(({ sql }) => sql);
    return {
      sql: `(CASE WHEN isfinite(CAST(${x!} AS DOUBLE)) THEN ${x!} ELSE ${y!} END)`,
      type: numberType(values),
    };
  }),
  numbers('width_bucket', 4, INT, (x, low, high, count) => {
    const place = `CAST(floor((${x} - ${low}) / ((${high} - ${low}) / ${count})) AS BIGINT) + 1`;
    return `(CASE WHEN ${x} < ${low} THEN 0 WHEN ${x} >= ${high} THEN ${count} + 1 ELSE ${place} END)`;
  }),
];
