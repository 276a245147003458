import { scalar, withNull } from '../../value-type.ts';
import { rowsOf, typed } from '../define-row.ts';
import { onceEach, unlessTooLarge } from '../growth.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asArray, asNumber, asWhole, isNullable, writtenWhole } from '../read-argument.ts';

const FLOAT = scalar('Float64');
const INT = scalar('Int64');
const BOOL = scalar('Bool');
const numbers = rowsOf(asNumber);
const wholes = rowsOf(asWhole);

/** A fraction or series is folded from its last part to its first; so many give all digits of a double. */
const PARTS = 150;
/** From here on the error function differs from 1 by less than a double can represent. */
const FAR = 6;
/** Below it, 1 - erf(x) loses no digits that count; above, the continued fraction converges. */
const NEAR = 2;

/** The value of a fold over PARTS … 1, where `next` makes the next value of the one before and the number. */
function backwards(start: string, call: CallContext, next: (sum: string, k: string) => string): string {
  const [sum, k] = [call.fresh(), call.fresh()];
  const steps = `list_transform(range(${PARTS}, 0, -1), lambda ${k}: CAST(${k} AS DOUBLE))`;
  return `list_reduce(${steps}, lambda ${sum}, ${k}: ${next(sum, k)}, CAST(${start} AS DOUBLE))`;
}

/** erf by the series whose terms all have one sign. */
function erfSeries(x: string, call: CallContext): string {
  const series = backwards('1', call, (sum, k) => `1 + 2 * ${x} * ${x} / (2 * ${k} + 1) * ${sum}`);
  return `(2 * ${x} / sqrt(pi()) * exp(-${x} * ${x}) * ${series})`;
}

function erf(x: string, call: CallContext): string {
  return `(CASE WHEN abs(${x}) >= ${FAR} THEN sign(${x}) ELSE ${erfSeries(x, call)} END)`;
}

/** erfc far from 0, by its continued fraction. */
function erfcFraction(x: string, call: CallContext): string {
  const fraction = backwards(x, call, (rest, k) => `${x} + (${k} / 2) / ${rest}`);
  return `(exp(-${x} * ${x}) / sqrt(pi()) / ${fraction})`;
}

function erfc(x: string, call: CallContext): string {
  return `(CASE WHEN ${x} > 27 THEN 0 WHEN ${x} >= ${NEAR} THEN ${erfcFraction(x, call)} ELSE 1 - ${erf(x, call)} END)`;
}

function errorFunction(name: string, sql: (x: string, call: CallContext) => string): FunctionRow {
  return typed(name, 1, (args, call) => {
    const value = asNumber(args[0]!, call, 0);
    const double = `CAST(${value.sql} AS DOUBLE)`;
    return { sql: once(double, call, (x) => sql(x, call)), type: withNull(FLOAT, value.type.nullable) };
  });
}

/** The next smaller power of two; of whole numbers, 0 where there is none. */
function powerOfTwo(args: readonly Printed[], call: CallContext): Printed {
  const value = asNumber(args[0]!, call, 0);
  const isWhole = value.type.name !== 'Float64';
  const sql = once(value.sql, call, (x) => {
    if (isWhole) return `(CASE WHEN ${x} < 1 THEN 0 ELSE CAST(1 AS BIGINT) << (length(bin(${x})) - 1) END)`;
    const power = `pow(2, floor(log2(abs(${x}))))`;
    // The logarithm of what is just below a power is that of the power.
    const exact = `(CASE WHEN ${power} > abs(${x}) THEN ${power} / 2 ELSE ${power} END)`;
    return `(CASE WHEN ${x} = 0 THEN 0 ELSE sign(${x}) * ${exact} END)`;
  });
  return { sql, type: value.type };
}

/** The largest of the steps that a number reaches, each with what it becomes; 0 below all. */
function stepped(name: string, steps: readonly (readonly [from: number, value: number])[]): FunctionRow {
  return typed(name, 1, (args, call) => {
    const value = asNumber(args[0]!, call, 0);
    const cases = steps.toReversed().map(([from, to]) => `WHEN ${value.sql} >= ${from} THEN ${to}`);
    const sql = `(CASE WHEN ${value.sql} IS NULL THEN NULL ${cases.join(' ')} ELSE 0 END)`;
    return { sql, type: withNull(INT, value.type.nullable) };
  });
}

const DURATIONS = [1, 10, 30, 60, 120, 180, 240, 300, 600, 1200, 1800, 3600, 7200, 18_000, 36_000];
const AGES = [
  [1, 17],
  [18, 18],
  [25, 25],
  [35, 35],
  [45, 45],
  [55, 55],
] as const;

/** `roundDown(x, [steps…])`: the largest item that is not larger; the smallest one where all are. */
function roundDown(args: readonly Printed[], call: CallContext): Printed {
  const value = asNumber(args[0]!, call, 0);
  const list = asArray(args[1]!, call, 1);
  if (list.type.name !== 'Array') return call.refuse('Expected an array.', 1);
  const step = call.fresh();
  const sql = onceEach([value.sql, list.sql], call, (x, steps) => {
    const reached = `list_max(list_filter(${steps!}, lambda ${step}: ${step} <= ${x!}))`;
    return `(CASE WHEN ${x!} IS NULL THEN NULL ELSE coalesce(${reached}, list_min(${steps!})) END)`;
  });
  return { sql, type: withNull(asNumber({ sql: '', type: list.type.item }, call, 1).type) };
}

/** A power of whole numbers, which must fit into 63 bits. */
function wholePower(name: string, base: number, most: number): FunctionRow {
  return wholes(name, 1, INT, (x) => {
    const power = `CAST(pow(CAST(${base} AS HUGEINT), ${x}) AS BIGINT)`;
    // Not greatest(…), for which NULL is no value among others.
    return `(CASE WHEN ${x} < 0 THEN 0 WHEN ${x} >= 0 THEN ${unlessTooLarge(`${x} > ${most}`, power)} END)`;
  });
}

/** Whether bits are set, counted from 0 at the right; `bitTestAll(x, 0, 3)`. */
function bits(name: string, arity: number | [number, number], between: string): FunctionRow {
  return wholes(name, arity, BOOL, (x, ...places) => {
    const set = places.map((at) => `((${x} >> least(greatest(${at}, 0), 63)) & 1) = 1`);
    return unlessNull([x, ...places], `(${set.join(between)})`);
  });
}

/** SQL that is NULL where one of the values is, whatever AND, OR, least and greatest make of it. */
function unlessNull(values: readonly string[], sql: string): string {
  return `(CASE WHEN ${values.map((value) => `${value} IS NOT NULL`).join(' AND ')} THEN ${sql} END)`;
}

/** All 64 bits, moved so many places to one side; those that fall out there come in at the other. */
function rotated(name: string, out: '<<' | '>>', back: '<<' | '>>'): FunctionRow {
  return typed(name, 2, (args, call) => {
    const values = args.map((one, at) => asWhole(one, call, at));
    const sql = onceEach(
      values.map((value) => value.sql),
      call,
      (x, y) => {
        const bitsOf = `CAST(CAST(${x!} AS BIGINT) AS BIT)`;
        const by = `CAST(((${y!} % 64) + 64) % 64 AS INTEGER)`;
        return `CAST((${bitsOf} ${out} ${by}) | (${bitsOf} ${back} (64 - ${by})) AS BIGINT)`;
      },
    );
    return { sql, type: withNull(INT, isNullable(values)) };
  });
}

/** `multiplyDecimal(a, b, [digits])`, `divideDecimal`: cut after so many digits behind the point. */
function decimals(name: string, operator: '*' | '/'): FunctionRow {
  return typed(name, [2, 3], (args, call) => {
    const [a, b] = args.slice(0, 2).map((one, at) => asNumber(one, call, at));
    const exact =
      operator === '*' ? `(${a!.sql}::DOUBLE * ${b!.sql})` : `(${a!.sql}::DOUBLE / nullif(${b!.sql}, 0))`;
    const type = withNull(FLOAT, isNullable([a!, b!]) || operator === '/');
    if (args[2] === undefined) return { sql: exact, type };
    const digits = writtenWhole(args, 2, call, 'How many digits there are');
    const scale = 10 ** Math.min(Math.max(digits, 0), 15);
    // What floats miss of a digit is less than a millionth of it.
    return { sql: `(trunc(round(${exact} * ${scale}, 6)) / ${scale})`, type };
  });
}

/** `bar(x, min, max, [width])`: a bar of blocks, which is full at max; its last block is cut into eighths. */
function bar(args: readonly Printed[], call: CallContext): Printed {
  const values = args.map((one, at) => asNumber(one, call, at));
  const sql = onceEach(
    values.map((value) => value.sql),
    call,
    (x, low, high, width = '80') => {
      const share = `(${x!} - ${low!})::DOUBLE * least(greatest(${width}, 0), ${MOST_WIDTH}) / (${high!} - ${low!})`;
      const blocks = `greatest(least(${share}, least(${width}, ${MOST_WIDTH})), 0)`;
      return once(
        unlessNull([x!, low!, high!, width], `CAST(floor(${blocks} * 8) AS BIGINT)`),
        call,
        (eighths) => {
          return `(repeat('█', ${eighths} // 8) || substring('▏▎▍▌▋▊▉', ${eighths} % 8, CASE ${eighths} % 8 WHEN 0 THEN 0 ELSE 1 END))`;
        },
      );
    },
  );
  return { sql, type: withNull(scalar('String'), isNullable(values)) };
}

const MOST_WIDTH = 1000;

/** Less common functions of numbers: special functions, steps, bits. */
export const furtherNumbers: readonly FunctionRow[] = [
  errorFunction('erf', erf),
  errorFunction('erfc', erfc),
  numbers('asinh', 1, FLOAT, (x) => `asinh(${x})`),
  numbers('acosh', 1, FLOAT, (x) => `(CASE WHEN ${x} >= 1 THEN acosh(${x}) END)`),
  numbers('atanh', 1, FLOAT, (x) => `(CASE WHEN abs(${x}) < 1 THEN atanh(${x}) END)`),
  numbers(
    'max2',
    2,
    FLOAT,
    (x, y) => `CAST(CASE WHEN ${x} >= ${y} THEN ${x} WHEN ${x} < ${y} THEN ${y} END AS DOUBLE)`,
  ),
  numbers(
    'min2',
    2,
    FLOAT,
    (x, y) => `CAST(CASE WHEN ${x} <= ${y} THEN ${x} WHEN ${x} > ${y} THEN ${y} END AS DOUBLE)`,
  ),
  wholePower('intExp2', 2, 62),
  wholePower('intExp10', 10, 18),
  typed('roundToExp2', 1, powerOfTwo),
  stepped(
    'roundDuration',
    DURATIONS.map((from) => [from, from]),
  ),
  stepped('roundAge', AGES),
  typed('roundDown', 2, roundDown),
  bits('bitTest', 2, ''),
  bits('bitTestAll', [2, 64], ' AND '),
  bits('bitTestAny', [2, 64], ' OR '),
  wholes('bitHammingDistance', 2, INT, (x, y) => `bit_count(xor(${x}, ${y}))`),
  rotated('bitRotateLeft', '<<', '>>'),
  rotated('bitRotateRight', '>>', '<<'),
  decimals('multiplyDecimal', '*'),
  decimals('divideDecimal', '/'),
  typed('bar', [3, 4], bar),
  // A whole number of 32 bits, another one for each row.
  typed('rand', [0, 1], () => ({
    sql: 'CAST(floor(random() * 4294967296) AS BIGINT)',
    type: scalar('UInt64'),
  })),
];
