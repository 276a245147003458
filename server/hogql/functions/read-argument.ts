import { DATE_PATTERN, OFFSET_PATTERN } from '../../lib/iso-date.ts';
import { arrayOf, duckdbType, isNumeric, scalar, type ValueType } from '../value-type.ts';
import type { CallContext, Printed } from './function-row.ts';
import { limitOf, MOST_JOINED, unlessTooLarge } from './growth.ts';
import { fromLocal, once, toLocal, zoneOf } from './local-time.ts';
import { tuplePartSql, tupleSql } from '../tuple-sql.ts';

/** How a function that accepts text, a number, a moment… reads an argument. */
export type Reader = (argument: Printed, call: CallContext, at?: number) => Printed;

/** As it is. */
export const asIs: Reader = (argument) => argument;

/** As ClickHouse's toString writes it. */
export const asText: Reader = (argument, call) => {
  const { sql, type } = argument;
  const text = scalar('String', type.nullable);
  switch (type.name) {
    case 'String':
      return argument;
    case 'JSON':
    case 'Nothing':
      return { ...argument, type: text };
    case 'Bool':
      return {
        sql: `CAST(${type.isBoolean === true ? sql : `CAST(${sql} AS TINYINT)`} AS VARCHAR)`,
        type: text,
      };
    case 'Float64':
      return { sql: floatText(sql, call), type: text };
    case 'DateTime': {
      const format = type.seconds === true ? '%Y-%m-%d %H:%M:%S' : '%Y-%m-%d %H:%M:%S.%f';
      return { sql: `strftime(${toLocal(sql, zoneOf(argument, call), call)}, '${format}')`, type: text };
    }
    case 'Array':
    case 'Map':
    case 'Tuple':
      return { sql: boundedText(argument, call), type: text };
    default:
      return { sql: `CAST(${sql} AS VARCHAR)`, type: text };
  }
};

/** Digits as ClickHouse writes a float: without an exponent from 1e-6 to below 1e21. */
function floatText(sql: string, call: Pick<CallContext, 'fresh'>): string {
  const plain = `CAST(${sql} AS VARCHAR)`;
  const withExponent = once(plain, call, (text) => {
    const digits = `regexp_replace(split_part(${text}, 'e', 1), '[-.]', '', 'g')`;
    const exponent = `CAST(split_part(${text}, 'e', 2) AS INTEGER)`;
    const sign = `CASE WHEN starts_with(${text}, '-') THEN '-' ELSE '' END`;
    return (
      `(CASE WHEN ${exponent} BETWEEN 0 AND 20 THEN (${sign}) || rpad(${digits}, ${exponent} + 1, '0') ` +
      `WHEN ${exponent} BETWEEN -6 AND -1 THEN (${sign}) || '0.' || repeat('0', -${exponent} - 1) || ${digits} ` +
      `ELSE split_part(${text}, 'e', 1) || 'e' || ${exponent} END)`
    );
  });
  return `(CASE WHEN contains(${plain}, 'e') THEN ${withExponent} ELSE regexp_replace(${plain}, '\\.0$', '') END)`;
}

/** The text of parts; quotes in texts get a sign before them, so that a text of a text of them grows without end. */
function boundedText(argument: Printed, call: CallContext): string {
  const sql = partsText(argument, call);
  if (!holdsText(argument.type)) return sql;
  return once(sql, call, (text) =>
    unlessTooLarge(`strlen(${text}) > ${MOST_JOINED}`, text, limitOf(call, MOST_JOINED, 'bytes')),
  );
}

function holdsText(type: ValueType): boolean {
  switch (type.name) {
    case 'Array':
      return holdsText(type.item);
    case 'Map':
      return holdsText(type.key) || holdsText(type.value);
    case 'Tuple':
      return type.items.some(holdsText);
    default:
      return type.name === 'String' || type.name === 'JSON';
  }
}

/** `[1,'a']`, `(1,'a')` and `{'a':1}`, in which texts and dates have quotes. */
function partsText({ sql, type }: Printed, call: CallContext): string {
  switch (type.name) {
    case 'Array': {
      const name = call.fresh();
      const item = quotedText({ sql: name, type: type.item }, call);
      return `('[' || array_to_string(list_transform(${sql}, lambda ${name}: ${item}), ',') || ']')`;
    }
    case 'Map': {
      const entry = call.fresh();
      const key = quotedText({ sql: `${entry}.key`, type: type.key }, call);
      const value = quotedText({ sql: `${entry}.value`, type: type.value }, call);
      return `('{' || array_to_string(list_transform(map_entries(${sql}), lambda ${entry}: ${key} || ':' || ${value}), ',') || '}')`;
    }
    case 'Tuple':
      return once(sql, call, (tuple) => {
        const parts = type.items.map((item, at) =>
          quotedText({ sql: tuplePartSql(tuple, at + 1), type: item }, call),
        );
        if (parts.length === 0) return `'()'`;
        return `('(' || ${parts.join(` || ',' || `)} || ')')`;
      });
    default:
      return sql;
  }
}

/** A part of an array, map or tuple in the text of all. */
function quotedText(part: Printed, call: CallContext): string {
  const { name } = part.type;
  const text = asText(part, call).sql;
  const isBare = isNumeric(part.type) || ['Bool', 'Array', 'Map', 'Tuple', 'Nothing'].includes(name);
  if (isBare) return `coalesce(${text}, 'NULL')`;
  const escaped = `replace(replace(${text}, '\\', '\\\\'), '''', '\\''')`;
  const shown = name === 'String' || name === 'JSON' ? escaped : text;
  return `coalesce('''' || ${shown} || '''', 'NULL')`;
}

/** A number; text that is not a number is NULL. */
export const asNumber: Reader = (argument, call, at) => {
  const { sql, type } = argument;
  switch (type.name) {
    case 'Int64':
    case 'UInt64':
    case 'Float64':
      return argument;
    case 'Bool':
      return { ...argument, sql: `CAST(${sql} AS BIGINT)`, type: scalar('Int64', type.nullable) };
    case 'String':
    case 'JSON':
    case 'Nothing':
      return { sql: `try_cast(${sql} AS DOUBLE)`, type: scalar('Float64', true) };
    default:
      return call.refuse(`Expected a number, found type ${type.name}.`, at);
  }
};

/** A whole number, cut towards zero. */
export const asWhole: Reader = (argument, call, at) => {
  const number = asNumber(argument, call, at);
  if (number.type.name !== 'Float64') return number;
  return { sql: `try_cast(trunc(${number.sql}) AS BIGINT)`, type: scalar('Int64', number.type.nullable) };
};

/** A condition: numbers are true unless 0. NULL stays NULL. */
export const asCondition: Reader = (argument, call, at) => {
  const { sql, type } = argument;
  if (type.name === 'Bool') return argument;
  const bool = scalar('Bool', type.nullable);
  if (isNumeric(type)) return { sql: `(${sql} <> 0)`, type: bool };
  if (type.name === 'Nothing') return { sql: `CAST(${sql} AS BOOLEAN)`, type: bool };
  if (type.name === 'String' || type.name === 'JSON') {
    return { sql: `(lower(${sql}) IN ('true', '1'))`, type: bool };
  }
  return call.refuse(`Expected a condition, found type ${type.name}.`, at);
};

/** An array, as it is. */
export const asArray: Reader = (argument, call, at) => {
  if (argument.type.name === 'Array') return argument;
  if (argument.type.name === 'Nothing') {
    const type = arrayOf(scalar('Nothing', true), true);
    return { sql: `CAST(${argument.sql} AS ${duckdbType(type)})`, type };
  }
  return call.refuse(`Expected an array, found type ${argument.type.name}.`, at);
};

/** A moment: days begin at midnight of the zone, numbers are Unix seconds, text that is no moment is NULL. */
export const asMoment: Reader = (argument, call, at) => {
  const { sql, type } = argument;
  switch (type.name) {
    case 'DateTime':
      return argument;
    case 'Date':
      return {
        sql: fromLocal(`CAST(${sql} AS TIMESTAMP)`, call.timezone, call),
        type: scalar('DateTime', type.nullable),
      };
    case 'Int64':
    case 'UInt64':
    case 'Float64':
      return { sql: fromUnix(sql, 1_000_000), type: scalar('DateTime', type.nullable) };
    case 'String':
    case 'JSON':
    case 'Nothing':
      return { sql: readMoment(sql, call.timezone, call), type: scalar('DateTime', true) };
    default:
      return call.refuse(`Expected a date, found type ${type.name}.`, at);
  }
};

/** A day of the calendar, in the zone in which the argument is meant. */
export const asDay: Reader = (argument, call, at) => {
  const { sql, type } = argument;
  if (type.name === 'Date') return argument;
  if (type.name === 'String' || type.name === 'JSON' || type.name === 'Nothing') {
    return { sql: `try_cast(left(${sql}, 10) AS DATE)`, type: scalar('Date', true) };
  }
  if (isNumeric(type)) {
    // ClickHouse takes small numbers for days since 1970 and others for Unix seconds.
    const seconds = toLocal(fromUnix(sql, 1_000_000), call.timezone, call);
    const days = `(DATE '1970-01-01' + CAST(least(${sql}, 65535) AS INTEGER))`;
    const day = `CASE WHEN ${sql} > 65535 THEN CAST(${seconds} AS DATE) ELSE ${days} END`;
    return { sql: `(${day})`, type: scalar('Date', type.nullable) };
  }
  const moment = asMoment(argument, call, at);
  const local = toLocal(moment.sql, zoneOf(argument, call), call);
  return { sql: `CAST(${local} AS DATE)`, type: scalar('Date', type.nullable) };
};

/** What the clocks of its zone show at an argument, as a TIMESTAMP. */
export function localTime(argument: Printed, call: CallContext, at?: number): string {
  if (argument.type.name === 'Date') return `CAST(${argument.sql} AS TIMESTAMP)`;
  return toLocal(asMoment(argument, call, at).sql, zoneOf(argument, call), call);
}

/** A moment from a number of units since 1970, each of so many microseconds; NULL when it is out of all calendars. */
export function fromUnix(sql: string, microseconds: number): string {
  return `make_timestamp(try_cast(${sql} * CAST(${microseconds} AS DOUBLE) AS BIGINT))`;
}

/** An ISO date with or without an offset, or Unix seconds; what else is NULL. */
export function readMoment(text: string, zone: string, call: CallContext): string {
  return once(text, call, (name) => {
    const plain = `try_cast(${name} AS TIMESTAMP)`;
    const seconds = `make_timestamp(CAST(try_cast(${name} AS DOUBLE) * 1000000 AS BIGINT))`;
    return (
      `(CASE WHEN regexp_full_match(${name}, '[0-9]{9,10}([.][0-9]+)?') THEN ${seconds} ` +
      `WHEN NOT regexp_full_match(${name}, '${DATE_PATTERN}') THEN NULL ` +
      `WHEN regexp_matches(${name}, '${OFFSET_PATTERN}') THEN timezone('UTC', try_cast(${name} AS TIMESTAMPTZ)) ` +
      `ELSE ${fromLocal(plain, zone, call)} END)`
    );
  });
}

/** The text of an argument that must be written out in the query. */
export function writtenText(args: readonly Printed[], at: number, call: CallContext, what: string): string {
  const value = args[at]?.constant;
  return typeof value === 'string' ? value : call.refuse(`${what} must be a constant string.`, at);
}

/** The whole number of an argument that must be written out in the query. */
export function writtenWhole(args: readonly Printed[], at: number, call: CallContext, what: string): number {
  const value = args[at]?.constant;
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isSafeInteger(number)) {
    return call.refuse(`${what} must be a constant whole number.`, at);
  }
  return number;
}

/** The whole number, 1 or more, of an argument that must be written out in the query. */
export function writtenSize(args: readonly Printed[], at: number, call: CallContext, what: string): number {
  const size = writtenWhole(args, at, call, what);
  return size >= 1 ? size : call.refuse(`${what} must be 1 or more.`, at);
}

/** The whole number of an argument that must be written out in the query, within bounds. */
export function writtenWithin(
  args: readonly Printed[],
  at: number,
  call: CallContext,
  [what, least, most]: readonly [what: string, least: number, most: number],
): number {
  const number = writtenWhole(args, at, call, what);
  return number >= least && number <= most
    ? number
    : call.refuse(`${what} must be from ${least} to ${most}.`, at);
}

/** Whether one of the arguments may be NULL. */
export function isNullable(args: readonly Printed[]): boolean {
  return args.some(({ type }) => type.nullable);
}

/** The value that ClickHouse takes where there is none and the type has no NULL. */
export function defaultOf(type: ValueType): string {
  switch (type.name) {
    case 'Int64':
    case 'UInt64':
      return 'CAST(0 AS BIGINT)';
    case 'Float64':
      return 'CAST(0 AS DOUBLE)';
    case 'Bool':
      return 'false';
    case 'Date':
      return `DATE '1970-01-01'`;
    case 'DateTime':
      return `TIMESTAMP '1970-01-01 00:00:00'`;
    case 'UUID':
      return `CAST('00000000-0000-0000-0000-000000000000' AS UUID)`;
    case 'Array':
      return '[]';
    case 'Map':
      return `CAST(MAP {} AS ${duckdbType(type)})`;
    case 'Tuple':
      return tupleSql(type.items.map((item) => (item.nullable ? 'NULL' : defaultOf(item))));
    case 'String':
    case 'JSON':
      return `''`;
    default:
      return 'NULL';
  }
}
