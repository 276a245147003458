import { scalar, type ValueType } from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { namedZone, once, zoneOf } from '../local-time.ts';
import { asMoment, localTime, writtenText, writtenWhole } from '../read-argument.ts';

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

/** Parts of a date that dateName writes, by the function of DuckDB. */
const NAMED_PARTS: Readonly<Record<string, string>> = {
  year: 'year',
  quarter: 'quarter',
  month: 'monthname',
  dayofyear: 'dayofyear',
  day: 'day',
  week: 'week',
  weekday: 'dayname',
  hour: 'hour',
  minute: 'minute',
  second: 'second',
};

/** ClickHouse's modes: 0 counts Monday as 1, 1 as 0; 2 counts Sunday as 0, 3 as 1. */
function dayOfWeek(args: readonly Printed[], call: CallContext): Printed {
  const mode = args[1] === undefined ? 0 : writtenWhole(args, 1, call, 'The mode of a week');
  const day = localTime(inNamedZone(args, 2, call), call, 0);
  const numbers = [`isodow(${day})`, `(isodow(${day}) - 1)`, `dayofweek(${day})`, `(dayofweek(${day}) + 1)`];
  return { sql: numbers[((mode % 4) + 4) % 4]!, type: scalar('Int64', mayBeNull(args[0]!)) };
}

/** How a mode of MySQL and ClickHouse, 0 to 9, divides a year into weeks. */
interface WeekMode {
  /** Weeks begin on Monday, not on Sunday. */
  readonly isMonday: boolean;
  /** Days of the beginning of a year belong to the last week of the year before, not to a week 0. */
  readonly isOfWeekYear: boolean;
  /** The day of a week, from 0, whose year the week belongs to. */
  readonly anchor: 0 | 3 | 6;
}

function weekMode(args: readonly Printed[], call: CallContext): WeekMode {
  const mode = args[1] === undefined ? 0 : writtenWhole(args, 1, call, 'The mode of a week');
  if (mode < 0 || mode > 9) return call.refuse('The modes of a week are 0 to 9.', 1);
  const isMonday = mode % 2 === 1;
  // Modes 8 and 9 have the week of 1 January first; others one that begins in the year, or has four days of it.
  const isWhole = ((mode & 4) !== 0) === isMonday;
  const anchor = mode > 7 ? 6 : isWhole ? 0 : 3;
  return { isMonday, isOfWeekYear: mode > 7 || (mode & 2) !== 0, anchor };
}

/** The day of the week that decides which year the week of a day belongs to. */
function anchorDay(day: string, { isMonday, anchor }: WeekMode): string {
  const past = isMonday ? `(isodow(${day}) - 1)` : `dayofweek(${day})`;
  return `(${day} - CAST(${past} AS INTEGER) + ${anchor})`;
}

/** The number of the week that a day is in, in its own year or that of its week. */
function week(args: readonly Printed[], call: CallContext): Printed {
  const mode = weekMode(args, call);
  const local = `CAST(${localTime(inNamedZone(args, 2, call), call, 0)} AS DATE)`;
  const sql = once(local, call, (day) => {
    const anchor = anchorDay(day, mode);
    if (mode.isOfWeekYear) return `((dayofyear(${anchor}) - 1) // 7 + 1)`;
    return `CAST(floor((${anchor} - CAST(date_trunc('year', ${day}) AS DATE)) / 7) + 1 AS BIGINT)`;
  });
  return { sql, type: scalar('Int64', mayBeNull(args[0]!)) };
}

/** `toYearWeek(date, [mode])`: the year that the week belongs to and its number: 202601. */
function yearWeek(args: readonly Printed[], call: CallContext): Printed {
  const mode = weekMode(args, call);
  const local = `CAST(${localTime(inNamedZone(args, 2, call), call, 0)} AS DATE)`;
  const sql = once(local, call, (day) =>
    once(anchorDay(day, mode), call, (anchor) => {
      return `(year(${anchor}) * 100 + (dayofyear(${anchor}) - 1) // 7 + 1)`;
    }),
  );
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

/** `timezone()` is the zone of the project; `timezone(zone, x)`, as in Postgres, a moment by the clocks of a zone. */
function timezone([zone, moment]: readonly Printed[], call: CallContext): Printed {
  if (zone === undefined) return { sql: call.bind(call.timezone).sql, type: scalar('String') };
  if (moment === undefined) return call.refuse('Expected a date and time after the time zone.', 0);
  return inNamedZone([moment, zone], 1, call);
}

/** `dateName('weekday', x)`: a part of a date as text. */
function dateName(args: readonly Printed[], call: CallContext): Printed {
  const name = writtenText(args, 0, call, 'The part').toLowerCase();
  const known = Object.hasOwn(NAMED_PARTS, name) ? NAMED_PARTS[name] : undefined;
  if (known === undefined) {
    return call.refuse(`The part must be one of: ${Object.keys(NAMED_PARTS).join(', ')}.`, 0);
  }
  const argument = inNamedZone(args.slice(1), 1, call);
  const sql = `CAST(${known}(${localTime(argument, call, 1)}) AS VARCHAR)`;
  return { sql, type: scalar('String', mayBeNull(argument)) };
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
  typed('toYearWeek', [1, 3], yearWeek),
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
  typed('dateName', [2, 3], dateName),
  typed('timezoneOf', 1, (args, call) => ({
    sql: call.bind(zoneOf(asMoment(args[0]!, call, 0), call)).sql,
    type: scalar('String'),
  })),
  typed('timezone', [0, 2], timezone),
  typed('timezoneOffset', 1, (args, call) => {
    const moment = asMoment(args[0]!, call, 0);
    const sql = `((epoch_us(${localTime(args[0]!, call)}) - epoch_us(${moment.sql})) // 1000000)`;
    return { sql, type: scalar('Int64', moment.type.nullable) };
  }),
];
