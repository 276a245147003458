import { arrayOf, scalar, withNull, type ValueType } from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { MOST_ITEMS_OF_ROWS, onceEach, unlessTooLarge } from '../growth.ts';
import { fromLocal, namedZone, toLocal } from '../local-time.ts';
import {
  asDay,
  asMoment,
  asNumber,
  asWhole,
  defaultOf,
  fromUnix,
  isNullable,
  writtenSize,
} from '../read-argument.ts';
import { inNamedZone } from './date-parts.ts';

/** A type of moments in a zone of their own, where one was named. */
function momentType(zone: string | null, nullable: boolean, isSeconds: boolean): ValueType {
  return {
    name: 'DateTime',
    nullable,
    ...(zone === null ? {} : { zone }),
    ...(isSeconds ? { seconds: true } : {}),
  };
}

/** The argument as a moment; text without an offset, and days, are read in the zone that is named. */
function moment(args: readonly Printed[], at: number, call: CallContext, isSeconds: boolean): Printed {
  const zone = namedZone(args, at, call);
  const [argument] = args;
  const own = argument!.type.name === 'DateTime' ? (argument!.type.zone ?? null) : null;
  const { sql, type } = asMoment(argument!, zone === null ? call : { ...call, timezone: zone }, 0);
  const cut = isSeconds && !isWhole(argument!) ? `date_trunc('second', ${sql})` : sql;
  return { sql: cut, type: momentType(zone ?? own, type.nullable, isSeconds) };
}

/** Days and whole numbers of seconds have no fraction that must be cut. */
function isWhole({ type }: Printed): boolean {
  return type.name === 'Date' || type.name === 'Int64' || type.name === 'UInt64';
}

type Convert = (args: readonly Printed[], call: CallContext) => Printed;

/** The conversion, and its variants that return NULL or 1970 for an invalid date. */
function endings(name: string, arity: readonly [number, number], convert: Convert): FunctionRow[] {
  return [
    typed(name, arity, convert),
    typed(`${name}OrNull`, arity, (args, call) => {
      const { sql, type } = convert(args, call);
      return { sql, type: withNull(type) };
    }),
    ...['OrZero', 'OrDefault'].map((ending) =>
      typed(`${name}${ending}`, arity, (args, call) => {
        const { sql, type } = convert(args, call);
        return { sql: `coalesce(${sql}, ${defaultOf(type)})`, type: withNull(type, false) };
      }),
    ),
  ];
}

/** The day of the argument in the zone that is named. */
function day(args: readonly Printed[], call: CallContext): Printed {
  const isMoment = args[0]!.type.name === 'DateTime' && args[1] !== undefined;
  const { sql, type } = asDay(isMoment ? inNamedZone(args, 1, call) : args[0]!, call, 0);
  return { sql, type };
}

/** Unambiguous forms of dates beside ISO's; with an American reading of 03/04/2026, or not. */
const FORMATS = [
  '%Y/%m/%d %H:%M:%S',
  '%Y/%m/%d',
  '%Y.%m.%d',
  '%Y%m%d%H%M%S',
  '%Y%m%d',
  '%d %b %Y %H:%M:%S',
  '%d %b %Y',
  '%b %d, %Y',
  '%b %d %Y',
  '%a, %d %b %Y %H:%M:%S',
];
const EUROPEAN = ['%d/%m/%Y %H:%M:%S', '%d/%m/%Y', '%d.%m.%Y %H:%M:%S', '%d.%m.%Y', '%d-%m-%Y'];
const AMERICAN = ['%m/%d/%Y %H:%M:%S', '%m/%d/%Y', '%m-%d-%Y'];

function bestEffort(formats: readonly string[], isSeconds: boolean): Convert {
  const list = `[${[...formats, ...FORMATS].map((format) => `'${format}'`).join(', ')}]`;
  return (args, call) => {
    if (args[0]!.type.name !== 'String') return moment(args, 1, call, isSeconds);
    const zone = namedZone(args, 1, call);
    const iso = moment(args, 1, call, isSeconds);
    const parsed = fromLocal(`try_strptime(${args[0]!.sql}, ${list})`, zone ?? call.timezone, call);
    return { sql: `coalesce(${iso.sql}, ${parsed})`, type: withNull(iso.type) };
  };
}

/** A number of units since 1970 as a moment. */
function fromNumber(name: string, microseconds: number, isSeconds: boolean): FunctionRow {
  return typed(name, [1, 2], (args, call) => {
    const value = isSeconds ? asWhole(args[0]!, call, 0) : asNumber(args[0]!, call, 0);
    const zone = namedZone(args, 1, call);
    return { sql: fromUnix(value.sql, microseconds), type: momentType(zone, value.type.nullable, isSeconds) };
  });
}

/** The moment of the question, the same everywhere in it. */
function now(args: readonly Printed[], at: number, call: CallContext, isSeconds: boolean): Printed {
  const micros = call.bind(Math.floor(call.now() / 1000) * 1_000_000).sql;
  return { sql: `make_timestamp(${micros})`, type: momentType(namedZone(args, at, call), false, isSeconds) };
}

function today(days: number): FunctionRow['print'] {
  return (args, call) => {
    const zone = namedZone(args, 0, call) ?? call.timezone;
    const local = toLocal(now([], 0, call, true).sql, zone, call);
    const sql = `CAST(${local} AS DATE)`;
    return { sql: days === 0 ? sql : `(${sql} - ${days})`, type: scalar('Date') };
  };
}

/** Year, month, day… as a date; NULL where there is none such. */
function make(args: readonly Printed[], call: CallContext, isDay: boolean): Printed {
  const parts = args.slice(0, 6).map((one, at) => asWhole(one, call, at).sql);
  const padded = parts.map((sql, at) => `lpad(CAST(${sql} AS VARCHAR), ${at === 0 ? 4 : 2}, '0')`);
  const date = padded.slice(0, 3).join(` || '-' || `);
  if (isDay) return { sql: `try_cast(${date} AS DATE)`, type: scalar('Date', true) };
  const zone = namedZone(args, 6, call);
  const text = `${date} || ' ' || ${padded.slice(3).join(` || ':' || `)}`;
  const sql = fromLocal(`try_cast(${text} AS TIMESTAMP)`, zone ?? call.timezone, call);
  return { sql, type: momentType(zone, true, true) };
}

/** `timeSlots(start, seconds, [size])`: the beginnings of all slots, of half an hour, that a span of time touches. */
function timeSlots(args: readonly Printed[], call: CallContext): Printed {
  const size = args[2] === undefined ? 1800 : writtenSize(args, 2, call, 'The size');
  const start = asMoment(args[0]!, call, 0);
  const seconds = asWhole(args[1]!, call, 1);
  const sql = onceEach([`(epoch_us(${start.sql}) // 1000000)`, seconds.sql], call, (from, span) => {
    const slot = call.fresh();
    const [first, last] = [`${from!} // ${size}`, `(${from!} + ${span!}) // ${size}`];
    const all = `list_transform(range(${first}, ${last} + 1), lambda ${slot}: make_timestamp(${slot} * ${size} * 1000000))`;
    return unlessTooLarge(`${span!} // ${size} > ${MOST_ITEMS_OF_ROWS}`, all);
  });
  const item = momentType(null, false, true);
  return { sql, type: arrayOf(item, isNullable([start, seconds])) };
}

export const dateConversions: readonly FunctionRow[] = [
  ...endings('toDate', [1, 2], day),
  ...alsoNamed(typed('to_date', [1, 2], day), '_toDate'),
  ...endings('toDate32', [1, 2], day),
  ...endings('toDateTime', [1, 2], (args, call) => moment(args, 1, call, true)),
  ...endings('toDateTime64', [1, 3], (args, call) => moment(args, 2, call, false)),
  ...endings('parseDateTimeBestEffort', [1, 2], bestEffort(EUROPEAN, true)),
  ...endings('parseDateTimeBestEffortUS', [1, 2], bestEffort(AMERICAN, true)),
  ...endings('parseDateTime64BestEffort', [1, 3], (args, call) =>
    bestEffort(EUROPEAN, false)([args[0]!, ...args.slice(2)], call),
  ),
  typed('toDateTimeUS', [1, 2], bestEffort(AMERICAN, true)),
  typed('toTimeZone', 2, (args, call) => inNamedZone(args, 1, call)),
  ...alsoNamed(fromNumber('fromUnixTimestamp', 1_000_000, true), 'to_timestamp'),
  fromNumber('fromUnixTimestamp64Second', 1_000_000, true),
  fromNumber('fromUnixTimestamp64Milli', 1000, false),
  fromNumber('fromUnixTimestamp64Micro', 1, false),
  typed('now', [0, 1], (args, call) => now(args, 0, call, true)),
  typed('nowInBlock', [0, 1], (args, call) => now(args, 0, call, true)),
  typed('current_timestamp', [0, 1], (args, call) => now(args, 0, call, true)),
  typed('now64', [0, 2], (args, call) => now(args, 1, call, false)),
  typed('today', [0, 1], today(0)),
  typed('current_date', [0, 1], today(0)),
  typed('yesterday', [0, 1], today(1)),
  typed('makeDate', 3, (args, call) => make(args, call, true)),
  ...alsoNamed(
    typed('makeDateTime', [6, 7], (args, call) => make(args, call, false)),
    'make_timestamp',
  ),
  // Reads local time of the project's time zone, and shows it in the named one.
  ...alsoNamed(
    typed('make_timestamptz', 7, (args, call) => ({
      sql: make(args.slice(0, 6), call, false).sql,
      type: momentType(namedZone(args, 6, call), true, true),
    })),
    'make_timestampz',
  ),
  typed('timeSlots', [2, 3], timeSlots),
  typed('UUIDv7ToDateTime', [1, 2], (args, call) => {
    const text = `try_cast(${args[0]!.sql} AS UUID)`;
    const sql = `timezone('UTC', uuid_extract_timestamp(${text}))`;
    return { sql, type: momentType(namedZone(args, 1, call), args[0]!.type.nullable, false) };
  }),
];
