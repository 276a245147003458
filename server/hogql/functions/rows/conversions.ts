import { scalar, typeText, withNull } from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asCondition, asDay, asMoment, asNumber, asText, defaultOf, writtenText } from '../read-argument.ts';

/**
 * What a conversion returns for invalid text: NULL as `toInt`, as HogQL has it; the default of the type for -OrZero.
 */
type Ending = '' | 'OrNull' | 'OrZero' | 'OrDefault';

/** A whole number: floats are cut, text must be one wholly. */
function whole(argument: Printed, call: CallContext): Printed {
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
  return { sql: `try_cast(trunc(${number.sql}) AS BIGINT)`, type: scalar('Int64', true) };
}

function float(argument: Printed, call: CallContext): Printed {
  const { sql, type } = argument;
  if (type.name === 'DateTime')
    return { sql: `(epoch_us(${sql}) / 1000000)`, type: scalar('Float64', type.nullable) };
  if (type.name === 'Date') return float(whole(argument, call), call);
  const number = asNumber(argument, call, 0);
  return { sql: `CAST(${number.sql} AS DOUBLE)`, type: scalar('Float64', number.type.nullable) };
}

function uuid({ sql, type }: Printed): Printed {
  if (type.name === 'UUID') return { sql, type };
  return { sql: `try_cast(${sql} AS UUID)`, type: scalar('UUID', true) };
}

function bool(argument: Printed, call: CallContext): Printed {
  const { sql, type } = asCondition(argument, call, 0);
  return { sql, type };
}

/** Rounded to so many digits behind the point; a float, as all numbers with a point are here. */
function decimal(args: readonly Printed[], call: CallContext): Printed {
  const number = float(args[0]!, call);
  return {
    sql: `round(${number.sql}, CAST(${asNumber(args[1]!, call, 1).sql} AS INTEGER))`,
    type: number.type,
  };
}

type Convert = (argument: Printed, call: CallContext) => Printed;

/** The conversion under its name, with all endings. */
function endings(name: string, convert: Convert, all: readonly Ending[]): FunctionRow[] {
  return all.map((ending) =>
    typed(`${name}${ending}`, ending === 'OrDefault' ? [1, 2] : 1, (args, call) => {
      const { sql, type } = convert(args[0]!, call);
      if (ending === '' || ending === 'OrNull') return { sql, type: ending === '' ? type : withNull(type) };
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
  ...Object.fromEntries(
    [...INTEGERS, 'Int', 'Integer', 'BigInt', 'SmallInt'].map((name) => [name.toLowerCase(), whole]),
  ),
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

/** `CAST(x, 'Nullable(Int64)')` */
function cast(args: readonly Printed[], call: CallContext, isAlwaysNullable: boolean): Printed {
  const name = writtenText(args, 1, call, 'The type');
  const inner = /^\s*nullable\((.*)\)\s*$/i.exec(name)?.[1] ?? name;
  const word = /^\s*(\w+)/.exec(inner)?.[1]?.toLowerCase() ?? '';
  const convert = Object.hasOwn(NAMED, word) ? NAMED[word] : undefined;
  if (convert === undefined) return call.refuse(`Unknown type '${name.slice(0, 60)}'.`, 1);
  const { sql, type } = convert(args[0]!, call);
  return { sql, type: isAlwaysNullable ? withNull(type) : type };
}

export const conversions: readonly FunctionRow[] = [
  ...alsoNamed(
    typed('toString', 1, (args, call) => {
      const { sql, type } = asText(args[0]!, call, 0);
      return { sql, type };
    }),
    'toNullableString',
  ),
  ...INTEGERS.flatMap((name) => endings(`to${name}`, whole, ALL)),
  ...['toInt', 'toUInt'].flatMap((name) => endings(name, whole, ['', 'OrZero'])),
  ...PLAIN_INTEGERS.flatMap((name) => endings(`_to${name}`, whole, [''])),
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
  ),
  typed('toTypeName', 1, ([value], call) => ({
    sql: call.bind(typeText(value!.type, call.timezone)).sql,
    type: scalar('String'),
  })),
];
