import {
  boolean,
  floatOrNan,
  isNumeric,
  scalar,
  typeText,
  withNull,
  type ValueType,
} from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { inNamedZone } from './date-parts.ts';
import {
  asCondition,
  asDay,
  asMoment,
  asNumber,
  asText,
  defaultOf,
  writtenText,
  writtenWhole,
} from '../read-argument.ts';

/**
 * What a conversion returns for invalid text: NULL as `toInt`, as HogQL has it; the default of the type for -OrZero.
 */
type Ending = '' | 'OrNull' | 'OrZero' | 'OrDefault';

/** A whole number: floats are cut, or `isAccurate`, NULL when they are none; text must be one wholly. */
function whole(argument: Printed, call: CallContext, isAccurate = false): Printed {
  const { sql, type } = argument;
  if (type.name === 'DateTime')
    return { sql: `(epoch_us(${sql}) // 1000000)`, type: scalar('Int64', type.nullable) };
  if (type.name === 'Date') {
    return { sql: `date_diff('day', DATE '1970-01-01', ${sql})`, type: scalar('Int64', type.nullable) };
  }
  if (type.name === 'String' || type.name === 'JSON') {
    const isWhole = (name: string): string =>
      `(CASE WHEN regexp_full_match(${name}, '[+-]?[0-9]+') THEN try_cast(${name} AS BIGINT) END)`;
    return { sql: once(sql, call, isWhole), type: scalar('Int64', true) };
  }
  const number = asNumber(argument, call, 0);
  if (number.type.name !== 'Float64') return { sql: number.sql, type: scalar('Int64', number.type.nullable) };
  const cut = isAccurate
    ? once(number.sql, call, (x) => `(CASE WHEN trunc(${x}) = ${x} THEN try_cast(${x} AS BIGINT) END)`)
    : `try_cast(trunc(${number.sql}) AS BIGINT)`;
  return { sql: cut, type: scalar('Int64', true) };
}

function accurateWhole(argument: Printed, call: CallContext): Printed {
  return whole(argument, call, true);
}

/** The numbers of so many bits. */
function rangeOf(bits: number, isSigned: boolean): readonly [least: bigint, most: bigint] {
  const size = 2n ** BigInt(bits);
  return isSigned ? [-size / 2n, size / 2n - 1n] : [0n, size - 1n];
}

/** A whole number of so many bits; what does not fit loses its first bits, or `isAccurate`, is NULL. */
function sized(bits: number, isSigned: boolean, isAccurate = false): Convert {
  const [least, most] = rangeOf(bits, isSigned);
  return (argument, call) => {
    const { sql, type } = whole(argument, call, isAccurate);
    const isText = argument.type.name === 'String' || argument.type.name === 'JSON';
    const fitted = once(sql, call, (x) => {
      const [size, half] = [most - least + 1n, isSigned ? most + 1n : 0n];
      const wrapped = `(((${x} + ${half}) % ${size} + ${size}) % ${size} - ${half})`;
      const other = isAccurate || isText ? '' : ` WHEN ${x} IS NOT NULL THEN ${wrapped}`;
      return `(CASE WHEN ${x} BETWEEN ${least} AND ${most} THEN ${x}${other} END)`;
    });
    return { sql: fitted, type: isAccurate || isText ? withNull(type) : type };
  };
}

/** The conversion to a type of whole numbers; beyond 32 bits all of them are the engine's own. */
function wholeOf(name: string, isAccurate: boolean): Convert {
  const [, sign, bits] = /^(u?)int(\d+)$/i.exec(name) ?? [];
  if (bits !== undefined && Number(bits) <= 32) return sized(Number(bits), sign === '', isAccurate);
  return isAccurate ? accurateWhole : (argument, call) => whole(argument, call);
}

/** What the engine reads as a number beyond JSON's grammar: with spaces, or lines between digits. */
function float(argument: Printed, call: CallContext): Printed {
  const { sql, type } = argument;
  if (type.name === 'DateTime')
    return { sql: `(epoch_us(${sql}) / 1000000)`, type: scalar('Float64', type.nullable) };
  if (type.name === 'Date') return float(whole(argument, call), call);
  if (type.name === 'String' || type.name === 'JSON') {
    const text = once(sql, call, (x) => {
      return `(CASE WHEN NOT (contains(${x}, '_') OR contains(${x}, ' ')) THEN try_cast(${x} AS DOUBLE) END)`;
    });
    return { sql: text, type: floatOrNan(true) };
  }
  const number = asNumber(argument, call, 0);
  return { sql: `CAST(${number.sql} AS DOUBLE)`, type: scalar('Float64', number.type.nullable) };
}

function uuid({ sql, type }: Printed): Printed {
  if (type.name === 'UUID') return { sql, type };
  return { sql: `try_cast(${sql} AS UUID)`, type: scalar('UUID', true) };
}

const TRUE = `'true', '1', 't', 'yes', 'y', 'on', 'enable', 'enabled'`;

function bool(argument: Printed, call: CallContext): Printed {
  const { sql, type } = argument;
  if (type.name === 'String' || type.name === 'JSON')
    return { sql: `(lower(${sql}) IN (${TRUE}))`, type: boolean(type.nullable) };
  return { sql: asCondition(argument, call, 0).sql, type: boolean(type.nullable) };
}

/** Cut after so many digits behind the point; a float, as all numbers with a point are here. */
function decimal(args: readonly Printed[], call: CallContext): Printed {
  const number = float(args[0]!, call);
  const digits = writtenWhole(args, 1, call, 'The number of digits');
  const scale = 10 ** Math.min(Math.max(digits, 0), 15);
  // What floats miss of a digit is less than a millionth of it.
  return { sql: `(trunc(round(${number.sql} * ${scale}, 6)) / ${scale})`, type: number.type };
}

type Convert = (argument: Printed, call: CallContext) => Printed;

/** The conversion under its name, with all endings. */
/** HogQL prints these as `accurateCastOrNull`, whose result may be NULL whatever it is given. */
const ACCURATE: ReadonlySet<string> = new Set(['toInt', 'toUInt', 'toFloat']);

function endings(name: string, convert: Convert, all: readonly Ending[]): FunctionRow[] {
  return all.map((ending) =>
    typed(`${name}${ending}`, ending === 'OrDefault' ? [1, 2] : 1, (args, call) => {
      const { sql, type } = convert(args[0]!, call);
      const isNullable = ending === 'OrNull' || (ending === '' && ACCURATE.has(name));
      if (ending === '' || ending === 'OrNull') return { sql, type: isNullable ? withNull(type) : type };
      const otherwise = args[1] === undefined ? defaultOf(type) : convert(args[1], call).sql;
      return { sql: `coalesce(${sql}, ${otherwise})`, type: withNull(type, false) };
    }),
  );
}

const ALL: readonly Ending[] = ['', 'OrNull', 'OrZero', 'OrDefault'];
const INTEGERS = [
  'Int8',
  'Int16',
  'Int32',
  'Int64',
  'Int128',
  'Int256',
  'UInt8',
  'UInt16',
  'UInt32',
  'UInt64',
];

/**
 * The names of conversions that HogQL passes to ClickHouse unchanged; here text that is not a number is NULL all the
 * same.
 */
const PLAIN_INTEGERS = ['Int8', 'Int16', 'Int32', 'Int64', 'UInt64', 'UInt128'];

/** Types that CAST accepts, by the first word of their name in ClickHouse or SQL. */
const NAMED: Readonly<Record<string, Convert>> = {
  ...Object.fromEntries(INTEGERS.map((name) => [name.toLowerCase(), wholeOf(name, false)])),
  int: wholeOf('Int32', false),
  integer: wholeOf('Int32', false),
  bigint: wholeOf('Int64', false),
  smallint: wholeOf('Int16', false),
  ...Object.fromEntries(
    ['Float32', 'Float64', 'Float', 'Double', 'Real'].map((name) => [name.toLowerCase(), float]),
  ),
  string: (argument, call) => asText(argument, call),
  text: (argument, call) => asText(argument, call),
  varchar: (argument, call) => asText(argument, call),
  bool,
  boolean: bool,
  uuid,
  date: (argument, call) => asDay(argument, call, 0),
  date32: (argument, call) => asDay(argument, call, 0),
  datetime: (argument, call) => asMoment(argument, call, 0),
  datetime64: (argument, call) => asMoment(argument, call, 0),
  timestamp: (argument, call) => asMoment(argument, call, 0),
};

/** `CAST(x, 'Nullable(Int64)')`; `isAccurate`: NULL for what the type cannot hold. */
function cast(args: readonly Printed[], call: CallContext, isAccurate: boolean): Printed {
  const name = writtenText(args, 1, call, 'The type');
  const inner = /^\s*nullable\((.*)\)\s*$/i.exec(name)?.[1] ?? name;
  const word = /^\s*(\w+)/.exec(inner)?.[1]?.toLowerCase() ?? '';
  const decimals = /^\s*decimal(?:32|64|128)?\s*\((?:\s*\d+\s*,)?\s*(\d+)\s*\)/i.exec(inner)?.[1];
  if (decimals !== undefined) return decimal([args[0]!, call.bind(Number(decimals))], call);
  const convert = Object.hasOwn(NAMED, word) ? NAMED[word] : undefined;
  if (convert === undefined) return call.refuse(`Unknown type '${name.slice(0, 60)}'.`, 1);
  const isWhole = isAccurate && /^u?int\d*$/.test(word);
  const { sql, type } = (isWhole ? wholeOf(word, true) : convert)(args[0]!, call);
  return { sql, type: isAccurate ? withNull(type) : type };
}

/** `accurateCastOrDefault(x, 'Int8', [default])` */
function castOrDefault(args: readonly Printed[], call: CallContext): Printed {
  const { sql, type } = cast(args, call, true);
  const known = withNull(type, false);
  return { sql: `coalesce(${sql}, ${args[2]?.sql ?? defaultOf(known)})`, type: known };
}

/** A type as ClickHouse calls it, where numbers that are written out have the smallest that holds them. */
function typeName(value: Printed, timezone: string): string {
  const { type, parts } = value;
  if (type.name === 'Tuple' && parts !== undefined)
    return `Tuple(${parts.map((part) => typeName(part, timezone)).join(', ')})`;
  if (type.name === 'Array' && parts !== undefined) return `Array(${itemName(parts, type.item, timezone)})`;
  return isWritten(value) ? smallest([BigInt(value.constant as number)]) : typeText(type, timezone);
}

function isWritten({ type, constant }: Printed): boolean {
  const isWhole =
    typeof constant === 'bigint' || (typeof constant === 'number' && Number.isInteger(constant));
  return isWhole && isNumeric(type);
}

function itemName(parts: readonly Printed[], type: ValueType, timezone: string): string {
  if (parts.length === 0) return 'Nothing';
  const known = parts.filter((part) => part.constant !== null);
  if (known.length === 0 || !known.every(isWritten)) return typeText(type, timezone);
  const name = smallest(known.map(({ constant }) => BigInt(constant as number)));
  return known.length === parts.length ? name : `Nullable(${name})`;
}

/** The smallest type of whole numbers that holds all of some. */
function smallest(numbers: readonly bigint[]): string {
  const isSigned = numbers.some((number) => number < 0n);
  const bits = [8, 16, 32, 64].find((size) => {
    const [least, most] = rangeOf(size, isSigned);
    return numbers.every((number) => number >= least && number <= most);
  });
  return `${isSigned ? '' : 'U'}Int${bits ?? 64}`;
}

export const conversions: readonly FunctionRow[] = [
  ...alsoNamed(
    typed('toString', [1, 2], (args, call) => {
      const isInZone = args[1] !== undefined && args[0]!.type.name === 'DateTime';
      const { sql, type } = asText(isInZone ? inNamedZone(args, 1, call) : args[0]!, call, 0);
      return { sql, type };
    }),
    'toNullableString',
  ),
  ...INTEGERS.flatMap((name) => endings(`to${name}`, wholeOf(name, false), ALL)),
  ...['toInt', 'toUInt'].flatMap((name) => endings(name, accurateWhole, ['', 'OrZero'])),
  ...PLAIN_INTEGERS.flatMap((name) => endings(`_to${name}`, wholeOf(name, false), [''])),
  ...['toFloat', 'toFloat32', 'toFloat64'].flatMap((name) => endings(name, float, ALL)),
  ...['toDecimal', 'toDecimal32', 'toDecimal64', 'toDecimal128'].map((name) => typed(name, 2, decimal)),
  ...endings('toUUID', uuid, ALL),
  ...alsoNamed(
    typed('toBool', 1, ([value], call) => bool(value!, call)),
    'toBoolean',
    '_toNullableBool',
  ),
  typed('CAST', 2, (args, call) => cast(args, call, false)),
  ...alsoNamed(
    typed('accurateCastOrNull', 2, (args, call) => cast(args, call, true)),
    'castOrNull',
    'accurateCast',
  ),
  typed('accurateCastOrDefault', [2, 3], castOrDefault),
  typed('toTypeName', 1, ([value], call) => ({
    sql: call.bind(typeName(value!, call.timezone)).sql,
    type: scalar('String'),
  })),
];
