import { arrayOf, isNumeric, scalar, withNull, type ValueType } from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { MOST_ITEMS_OF_ROWS, onceEach, unlessTooLarge } from '../growth.ts';
import { fromLocal, namedZone, once, toLocal } from '../local-time.ts';
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

/** The first and the last day that a Date of ClickHouse can be. */
const [FIRST_DAY, LAST_DAY] = [`DATE '1970-01-01'`, `DATE '2149-06-06'`];

/** The day of the argument in the zone that is named. */
function day(args: readonly Printed[], call: CallContext): Printed {
  const [value] = args;
  if (value!.type.name === 'String' || value!.type.name === 'JSON')
    return { sql: readDay(value!.sql, call), type: scalar('Date', true) };
  const isMoment = value!.type.name === 'DateTime' && args[1] !== undefined;
  const { sql, type } = asDay(isMoment ? inNamedZone(args, 1, call) : value!, call, 0);
  if (!isNumeric(value!.type)) return { sql, type };
  return { sql: `greatest(${sql}, ${FIRST_DAY})`, type };
}

/**
 * A text as a day, as ClickHouse reads it: year, month and day with any sign between them, or without; behind a space comes
 * what is not read. A day that the month lacks is one of the next month, a month that the year lacks is the first of all days.
 */
function readDay(text: string, call: CallContext): string {
  return once(text, call, (x) => {
    const isUsual = `regexp_full_match(${x}, '[0-9]{4}-[0-9]{2}-[0-9]{2}( .*)?')`;
    const usual = `try_cast(left(${x}, 10) AS DATE)`;
    const shape = `'^([0-9]{4})[^0-9]?([0-9]{1,2})[^0-9]?([0-9]{1,2})(?: .*)?$'`;
    const part = (at: number): string => `CAST(regexp_extract(${x}, ${shape}, ${at}) AS INTEGER)`;
    const counted =
      `(CASE WHEN ${part(2)} BETWEEN 1 AND 12 AND ${part(3)} BETWEEN 1 AND 31 AND ${part(1)} >= 1970 ` +
      `THEN make_date(${part(1)}, ${part(2)}, 1) + (${part(3)} - 1) ELSE ${FIRST_DAY} END)`;
    const other = `(CASE WHEN regexp_matches(${x}, ${shape}) THEN ${counted} END)`;
    const found = `coalesce(CASE WHEN ${isUsual} THEN ${usual} END, ${other})`;
    return once(found, call, (date) => {
      return `(CASE WHEN ${date} IS NOT NULL THEN least(greatest(${date}, ${FIRST_DAY}), ${LAST_DAY}) END)`;
    });
  });
}

/** The day of a Date32, which may be before 1970. */
function day32(args: readonly Printed[], call: CallContext): Printed {
  const isMoment = args[0]!.type.name === 'DateTime' && args[1] !== undefined;
  const { sql, type } = asDay(isMoment ? inNamedZone(args, 1, call) : args[0]!, call, 0);
  return { sql, type };
}

/** Forms of days beside ISO's; with an American reading of 03/04/2026, or not. */
const DAYS = [
  '%Y-%m-%d',
  '%Y/%m/%d',
  '%Y.%m.%d',
  '%d %b %Y',
  '%d %B %Y',
  '%d-%b-%Y',
  '%b %d, %Y',
  '%B %d, %Y',
  '%b %d %Y',
  '%B %d %Y',
  '%a, %d %b %Y',
  '%a %b %d %Y',
];
const EUROPEAN = ['%d/%m/%Y', '%d.%m.%Y', '%d-%m-%Y', '%m/%d/%Y'];
const AMERICAN = ['%m/%d/%Y', '%m-%d-%Y', '%m.%d.%Y', '%d/%m/%Y'];
const TIMES = [' %H:%M:%S', '', ' %H:%M', ' %I:%M:%S %p', ' %I:%M %p', 'T%H:%M:%S', 'T%H:%M', 'T%H'];
const BARE = ['%Y%m%d%H%M%S', '%Y%m%d', '%Y-%m', '%Y'];
/** What follows a time: a name for UTC, an offset, or both, and what JavaScript says of the zone. */
const ENDING = `' ?(?:Z|GMT|UTC)?([+-][0-9]{2}:?(?:[0-9]{2})?)?(?: \\([^)]*\\))?$'`;

/** A text in one of many forms; texts without an offset are in the zone, or the project's. */
function bestEffort(days: readonly string[]): Convert {
  const formats = [...[...days, ...DAYS].flatMap((one) => TIMES.map((time) => `${one}${time}`)), ...BARE];
  const list = `[${formats.map((format) => `'${format}'`).join(', ')}]`;
  return (args, call) => {
    const [value] = args;
    if (value!.type.name !== 'String' && value!.type.name !== 'JSON') return moment(args, 1, call, false);
    const zone = namedZone(args, 1, call) ?? call.timezone;
    const iso = moment(args, 1, call, false);
    const other = once(`trim(${value!.sql})`, call, (text) => {
      const bare = `(CASE WHEN contains(${text}, ':') THEN regexp_replace(${text}, ${ENDING}, '') ELSE ${text} END)`;
      const naive = once(`try_strptime(${bare}, ${list})`, call, (local) => {
        const offset = `CASE WHEN contains(${text}, ':') THEN regexp_extract(${text}, ${ENDING}, 1) ELSE '' END`;
        const minutes = once(`regexp_replace(${offset}, ':', '')`, call, (digits) => {
          const number = (from: number): string =>
            `coalesce(try_cast(substring(${digits}, ${from}, 2) AS INTEGER), 0)`;
          return `(${number(2)} * 60 + ${number(4)}) * CASE WHEN starts_with(${digits}, '-') THEN -1 ELSE 1 END`;
        });
        const isNamed = `regexp_matches(${text}, ':.*(Z|GMT|UTC)')`;
        return `(CASE WHEN ${offset} <> '' THEN ${local} - to_minutes(${minutes}) WHEN ${isNamed} THEN ${local} ELSE ${fromLocal(local, zone, call)} END)`;
      });
      const millis = `make_timestamp(CAST(${text} AS BIGINT) * 1000)`;
      return `(CASE WHEN regexp_full_match(${text}, '[0-9]{13}') THEN ${millis} ELSE ${naive} END)`;
    });
    return { sql: `coalesce(${iso.sql}, ${other})`, type: withNull(iso.type) };
  };
}

/** `2026-11-20`, with or without a time of whole seconds: what a query writes out so is no DateTime64. */
const USUAL_TEXT = /^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2})?$/;

/** `toDateTime`: seconds of a day or number, or a text in any form. */
function toDateTime(args: readonly Printed[], call: CallContext): Printed {
  const [value] = args;
  if (value!.type.name === 'String' || value!.type.name === 'JSON') {
    const isUsual = typeof value!.constant === 'string' && USUAL_TEXT.test(value!.constant);
    if (!isUsual) return bestEffort(EUROPEAN)(args, call);
    const printed = moment(args, 1, call, true);
    // A day that no calendar has is NULL.
    const day = String(value!.constant).slice(0, 10);
    const isThere = new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day) === true;
    return isThere ? { ...printed, type: withNull(printed.type, false) } : printed;
  }
  if (!isNumeric(value!.type)) return moment(args, 1, call, true);
  const seconds = { ...value!, sql: `least(greatest(${value!.sql}, 0), 4294967295)` };
  return moment([seconds, ...args.slice(1)], 1, call, true);
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

/** Year, month, day… as a date; the first of all where there is none such. */
function make(args: readonly Printed[], call: CallContext, isDay: boolean): Printed {
  const parts = args.slice(0, 6).map((one, at) => asWhole(one, call, at).sql);
  const padded = parts.map((sql, at) => `lpad(CAST(${sql} AS VARCHAR), ${at === 0 ? 4 : 2}, '0')`);
  const date = padded.slice(0, 3).join(` || '-' || `);
  if (isDay) {
    const sql = onceEach(parts, call, (year, month, dayOfMonth) => {
      const isThere = `${month!} BETWEEN 1 AND 12 AND ${dayOfMonth!} BETWEEN 1 AND 31 AND ${year!} BETWEEN 1970 AND 2149`;
      // A day that the month lacks is one of the next month.
      const found = `make_date(${year!}, ${month!}, 1) + (CAST(${dayOfMonth!} AS INTEGER) - 1)`;
      const other = `WHEN ${year!} IS NOT NULL AND ${month!} IS NOT NULL AND ${dayOfMonth!} IS NOT NULL THEN ${FIRST_DAY}`;
      return `(CASE WHEN ${isThere} THEN ${found} ${other} END)`;
    });
    return { sql, type: scalar('Date', isNullable(args)) };
  }
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
  ...endings('toDate32', [1, 2], day32),
  ...endings('toDateTime', [1, 2], toDateTime),
  ...endings('toDateTime64', [1, 3], (args, call) => moment(args, 2, call, false)),
  ...endings('parseDateTimeBestEffort', [1, 2], bestEffort(EUROPEAN)),
  ...endings('parseDateTimeBestEffortUS', [1, 2], bestEffort(AMERICAN)),
  ...endings('parseDateTime64BestEffort', [1, 3], (args, call) =>
    bestEffort(EUROPEAN)([args[0]!, ...args.slice(2)], call),
  ),
  typed('toDateTimeUS', [1, 2], bestEffort(AMERICAN)),
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
  ...alsoNamed(
    typed('makeDate', 3, (args, call) => make(args, call, true)),
    'make_date',
  ),
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
