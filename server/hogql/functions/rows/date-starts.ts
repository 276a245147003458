import { scalar, type IntervalUnit, type ValueType } from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { fromLocal, namedZone, withinOffset, zoneOf } from '../local-time.ts';
import { asDay, asMoment, localTime, writtenWhole } from '../read-argument.ts';
import { namedUnit } from '../time-unit.ts';

/** A moment in whole seconds, in the zone of its argument. */
function seconds(nullable: boolean, zone: string | undefined): ValueType {
  return { name: 'DateTime', nullable, seconds: true, ...(zone === undefined ? {} : { zone }) };
}

/** The argument, meant in the zone that another argument names. */
function inZone(args: readonly Printed[], at: number, call: CallContext): Printed {
  const argument = args[0]!;
  const zone = namedZone(args, at, call);
  if (zone === null) return argument;
  const moment = asMoment(argument, call);
  return { sql: moment.sql, type: { ...seconds(moment.type.nullable, zone) } };
}

function ownZone(argument: Printed): string | undefined {
  return argument.type.name === 'DateTime' ? argument.type.zone : undefined;
}

/** Cuts a moment to its second, minute or hour, or to several minutes. */
function cutTime(argument: Printed, call: CallContext, change: (local: string) => string): Printed {
  const moment = asMoment(argument, call, 0);
  const sql = withinOffset(moment.sql, zoneOf(argument, call), call, change);
  return { sql, type: seconds(moment.type.nullable, ownZone(argument)) };
}

function startOfDay(argument: Printed, call: CallContext): Printed {
  const zone = zoneOf(argument, call);
  const { nullable } = asMoment(argument, call, 0).type;
  const sql = fromLocal(`date_trunc('day', ${localTime(argument, call)})`, zone, call);
  return { sql, type: seconds(nullable, ownZone(argument)) };
}

/** The time of day alone, on the second day of 1970, which ClickHouse gives to times without a day. */
function timeOfDay(argument: Printed, call: CallContext): Printed {
  const { nullable } = asMoment(argument, call, 0).type;
  return { sql: `strftime(${localTime(argument, call)}, '%H:%M:%S')`, type: scalar('String', nullable) };
}

/** Weeks begin on Monday here. */
function startOfDays(argument: Printed, unit: IntervalUnit, call: CallContext): Printed {
  const day = asDay(argument, call, 0);
  return { sql: `CAST(date_trunc('${unit}', ${day.sql}) AS DATE)`, type: day.type };
}

/** ClickHouse's mode of a week: odd ones begin on Monday, even ones on Sunday. */
function startOfWeek(argument: Printed, mode: number, call: CallContext): Printed {
  if (mode % 2 === 1) return startOfDays(argument, 'week', call);
  const day = asDay(argument, call, 0);
  return { sql: `CAST(date_trunc('week', ${day.sql} + 1) AS DATE) - 1`, type: day.type };
}

/** The first moment of the unit that holds the argument; a Date for weeks and longer, as ClickHouse has it. */
export function startOf(unit: IntervalUnit, argument: Printed, call: CallContext): Printed {
  if (unit === 'day') return startOfDay(argument, call);
  if (unit === 'second' || unit === 'minute' || unit === 'hour') {
    return cutTime(argument, call, (local) => `date_trunc('${unit}', ${local})`);
  }
  return startOfDays(argument, unit, call);
}

function minutes(count: number): (local: string) => string {
  return (local) => `time_bucket(INTERVAL ${count} MINUTE, ${local}, TIMESTAMP '1970-01-01')`;
}

function weekMode(args: readonly Printed[], call: CallContext): number {
  return args[1] === undefined ? 0 : writtenWhole(args, 1, call, 'The mode of a week');
}

const starts = (
  [
    ['toStartOfSecond', 'second'],
    ['toStartOfMinute', 'minute'],
    ['toStartOfHour', 'hour'],
    ['toStartOfDay', 'day'],
    ['toStartOfMonth', 'month'],
    ['toStartOfQuarter', 'quarter'],
    ['toStartOfYear', 'year'],
    ['toMonday', 'week'],
  ] as const
).map(([name, unit]) => typed(name, [1, 2], (args, call) => startOf(unit, inZone(args, 1, call), call)));

const buckets = (
  [
    ['toStartOfFiveMinutes', 5],
    ['toStartOfFiveMinute', 5],
    ['toStartOfTenMinutes', 10],
    ['toStartOfFifteenMinutes', 15],
    ['timeSlot', 30],
  ] as const
).map(([name, count]) =>
  typed(name, [1, 2], (args, call) => cutTime(inZone(args, 1, call), call, minutes(count))),
);

export const dateStarts: readonly FunctionRow[] = [
  typed('toTime', [1, 2], (args, call) => timeOfDay(inZone(args, 1, call), call)),
  ...starts,
  ...buckets,
  typed('toStartOfWeek', [1, 3], (args, call) => {
    const { sql, type } = startOfWeek(inZone(args, 2, call), weekMode(args, call), call);
    return { sql: `(${sql})`, type };
  }),
  typed('toLastDayOfWeek', [1, 3], (args, call) => {
    const { sql, type } = startOfWeek(inZone(args, 2, call), weekMode(args, call), call);
    return { sql: `(${sql} + 6)`, type };
  }),
  typed('toLastDayOfMonth', 1, (args, call) => {
    const day = asDay(args[0]!, call, 0);
    return { sql: `last_day(${day.sql})`, type: day.type };
  }),
  typed('toStartOfISOYear', 1, (args, call) => {
    const day = asDay(args[0]!, call, 0);
    // The fourth of January always lies in the first week of its ISO year.
    const fourth = `make_date(isoyear(${day.sql}), 1, 4)`;
    return { sql: `CAST(date_trunc('week', ${fourth}) AS DATE)`, type: scalar('Date', day.type.nullable) };
  }),
  ...alsoNamed(
    typed('dateTrunc', [2, 3], (args, call) => {
      const unit = namedUnit(args, 0, call);
      const [, argument] = args;
      return startOf(unit, inZone([argument!, ...args.slice(2)], 1, call), call);
    }),
    'date_trunc',
  ),
];
