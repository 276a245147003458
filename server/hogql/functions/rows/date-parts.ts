import { scalar, type ValueType } from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { namedZone, zoneOf } from '../local-time.ts';
import { asMoment, localTime, writtenWhole } from '../read-argument.ts';

/** The argument, meant in the zone that the argument at that place names. */
export function inNamedZone(args: readonly Printed[], at: number, call: CallContext): Printed {
  const zone = namedZone(args, at, call);
  if (zone === null) return args[0]!;
  const { sql, type } = asMoment(args[0]!, call, 0);
  return { sql, type: { ...(type as ValueType & { name: 'DateTime' }), zone } };
}

function mayBeNull(argument: Printed): boolean {
  return argument.type.nullable || argument.type.name === 'String' || argument.type.name === 'JSON';
}

/** A number read off the calendar or the clock of the zone. */
function part(name: string, sql: (local: string) => string): FunctionRow {
  return typed(name, [1, 2], (args, call) => {
    const argument = inNamedZone(args, 1, call);
    return { sql: sql(localTime(argument, call, 0)), type: scalar('Int64', mayBeNull(argument)) };
  });
}

const PARTS: readonly (readonly [names: readonly string[], duckdb: string])[] = [
  [['toYear', 'year'], 'year'],
  [['toQuarter', 'quarter'], 'quarter'],
  [['toMonth', 'month'], 'month'],
  [['toDayOfYear', 'dayofyear'], 'dayofyear'],
  [['toDayOfMonth', 'dayofmonth', 'day'], 'day'],
  [['toHour', 'hour'], 'hour'],
  [['toMinute', 'minute'], 'minute'],
  [['toSecond', 'second'], 'second'],
  [['toISOYear'], 'isoyear'],
  [['toISOWeek'], 'week'],
];

/** ClickHouse's modes: 0 counts Monday as 1, 1 as 0; 2 counts Sunday as 0, 3 as 1. */
function dayOfWeek(args: readonly Printed[], call: CallContext): Printed {
  const mode = args[1] === undefined ? 0 : writtenWhole(args, 1, call, 'The mode of a week');
  const day = localTime(inNamedZone(args, 2, call), call, 0);
  const numbers = [`isodow(${day})`, `(isodow(${day}) - 1)`, `dayofweek(${day})`, `(dayofweek(${day}) + 1)`];
  return { sql: numbers[((mode % 4) + 4) % 4]!, type: scalar('Int64', mayBeNull(args[0]!)) };
}

/** Weeks as MySQL numbers them, in the modes that are in use. */
function week(args: readonly Printed[], call: CallContext): Printed {
  const mode = args[1] === undefined ? 0 : writtenWhole(args, 1, call, 'The mode of a week');
  const day = localTime(inNamedZone(args, 2, call), call, 0);
  const years = `(isoyear(${day}) - year(${day}))`;
  const byMode: Readonly<Record<number, string>> = {
    0: `CAST(strftime(${day}, '%U') AS BIGINT)`,
    1: `(CASE ${years} WHEN -1 THEN 0 WHEN 1 THEN 53 ELSE week(${day}) END)`,
    3: `week(${day})`,
    5: `CAST(strftime(${day}, '%W') AS BIGINT)`,
  };
  const sql = byMode[mode] ?? call.refuse('The modes of a week are 0, 1, 3 and 5.', 1);
  return { sql, type: scalar('Int64', mayBeNull(args[0]!)) };
}

/** Units since 1970 in UTC. */
function unix(name: string, microseconds: number): FunctionRow {
  return typed(name, [1, 2], (args, call) => {
    const zone = namedZone(args, 1, call);
    const moment = asMoment(args[0]!, zone === null ? call : { ...call, timezone: zone }, 0);
    const micros = `epoch_us(${moment.sql})`;
    // Rounded down, also before 1970.
    const sql = microseconds === 1 ? micros : `CAST(floor(${micros} / ${microseconds}) AS BIGINT)`;
    return { sql, type: scalar('Int64', moment.type.nullable) };
  });
}

/** Digits of the date in a row: 20260329. */
function digits(name: string, format: string): FunctionRow {
  return part(name, (local) => `CAST(strftime(${local}, '${format}') AS BIGINT)`);
}

export const dateParts: readonly FunctionRow[] = [
  ...PARTS.flatMap(([[name, ...others], duckdb]) =>
    alsoNamed(
      part(name!, (local) => `${duckdb}(${local})`),
      ...others,
    ),
  ),
  part('toMillisecond', (local) => `(millisecond(${local}) % 1000)`),
  ...alsoNamed(typed('toDayOfWeek', [1, 3], dayOfWeek), 'dayOfWeek'),
  ...alsoNamed(typed('toWeek', [1, 3], week), 'week'),
  unix('toUnixTimestamp', 1_000_000),
  unix('toUnixTimestamp64Second', 1_000_000),
  unix('toUnixTimestamp64Milli', 1000),
  unix('toUnixTimestamp64Micro', 1),
  digits('toYYYYMM', '%Y%m'),
  digits('toYYYYMMDD', '%Y%m%d'),
  digits('toYYYYMMDDhhmmss', '%Y%m%d%H%M%S'),
  part('toRelativeYearNum', (local) => `year(${local})`),
  part('toRelativeQuarterNum', (local) => `(year(${local}) * 4 + quarter(${local}) - 1)`),
  part('toRelativeMonthNum', (local) => `(year(${local}) * 12 + month(${local}))`),
  part('toRelativeDayNum', (local) => `date_diff('day', TIMESTAMP '1970-01-01', ${local})`),
  typed('monthName', 1, (args, call) => ({
    sql: `monthname(${localTime(args[0]!, call, 0)})`,
    type: scalar('String', mayBeNull(args[0]!)),
  })),
  typed('timezoneOf', 1, (args, call) => ({
    sql: call.bind(zoneOf(asMoment(args[0]!, call, 0), call)).sql,
    type: scalar('String'),
  })),
  typed('timezone', 0, (_, call) => ({ sql: call.bind(call.timezone).sql, type: scalar('String') })),
  typed('timezoneOffset', 1, (args, call) => {
    const moment = asMoment(args[0]!, call, 0);
    const sql = `((epoch_us(${localTime(args[0]!, call)}) - epoch_us(${moment.sql})) // 1000000)`;
    return { sql, type: scalar('Int64', moment.type.nullable) };
  }),
];
