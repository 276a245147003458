import { scalar, withNull, type IntervalUnit } from '../../value-type.ts';
import { alsoNamed, typed } from '../define-row.ts';
import { onceEach } from '../growth.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { fromLocal, namedZone, withinOffset, zoneOf } from '../local-time.ts';
import { asDay, asMoment, asWhole, isNullable, localTime } from '../read-argument.ts';
import { isCalendarUnit, namedUnit, UNITS, unitName } from '../time-unit.ts';

/** A span of whole units. */
export function interval(count: Printed, unit: IntervalUnit, call: CallContext): Printed {
  const whole = asWhole(count, call);
  const argument = ['second', 'minute', 'hour'].includes(unit)
    ? whole.sql
    : `try_cast(${whole.sql} AS INTEGER)`;
  return { sql: `to_${unit}s(${argument})`, type: { name: 'Interval', unit, nullable: whole.type.nullable } };
}

/**
 * A moment or day, moved by a span. Days and longer are those of the calendar in the zone of the moment; a Date stays
 * one unless it is moved by less than a day.
 */
export function shifted(start: Printed, sign: '+' | '-', span: Printed, call: CallContext): Printed {
  const unit = span.type.name === 'Interval' ? span.type.unit : 'second';
  const nullable = start.type.nullable || span.type.nullable;
  if (start.type.name === 'Date' && isCalendarUnit(unit)) {
    return { sql: `CAST((${start.sql} ${sign} ${span.sql}) AS DATE)`, type: scalar('Date', nullable) };
  }
  const moment = asMoment(start, call);
  const type = withNull(moment.type, nullable || moment.type.nullable);
  if (!isCalendarUnit(unit)) return { sql: `(${moment.sql} ${sign} ${span.sql})`, type };
  const zone = zoneOf(moment, call);
  const local = localTime(moment, call);
  return { sql: fromLocal(`(${local} ${sign} ${span.sql})`, zone, call), type };
}

/** The day from which astronomers count. */
const MODIFIED_JULIAN_ZERO = `DATE '1858-11-17'`;

const moves = UNITS.flatMap((unit) => [
  typed(`toInterval${unitName(unit)}`, 1, (args, call) => interval(args[0]!, unit, call)),
  typed(`add${unitName(unit)}s`, 2, (args, call) =>
    shifted(args[0]!, '+', interval(args[1]!, unit, call), call),
  ),
  typed(`subtract${unitName(unit)}s`, 2, (args, call) =>
    shifted(args[0]!, '-', interval(args[1]!, unit, call), call),
  ),
]);

/**
 * `make_interval(years, months, days, hours, minutes, seconds)`: all of them together. It moves by the calendar unless
 * there are no years, months and days in it.
 */
function madeInterval(args: readonly Printed[], call: CallContext): Printed {
  const units = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
  const spans = units.map((unit, at) => interval(args[at]!, unit, call));
  const isOfClock = args.slice(0, 3).every(({ constant }) => constant === 0n || constant === 0);
  return {
    sql: `(${spans.map(({ sql }) => sql).join(' + ')})`,
    type: { name: 'Interval', unit: isOfClock ? 'second' : 'day', nullable: isNullable(spans) },
  };
}

/** `dateAdd('day', 3, date)` or `dateAdd(date, INTERVAL 3 DAY)`. */
function moving(name: string, sign: '+' | '-'): FunctionRow {
  return typed(name, [2, 3], (args, call) => {
    const [first, second, third] = args;
    if (third !== undefined)
      return shifted(third, sign, interval(second!, namedUnit(args, 0, call), call), call);
    if (first!.type.name === 'Interval') return shifted(second!, sign, first!, call);
    if (second!.type.name !== 'Interval') return call.refuse('Expected an interval.', 1);
    return shifted(first!, sign, second!, call);
  });
}

/** Boundaries of the unit between two moments; those of days and longer are local. */
function difference(args: readonly Printed[], call: CallContext): Printed {
  const unit = namedUnit(args, 0, call);
  const zone = namedZone(args, 3, call);
  const [from, to] = args.slice(1, 3).map((one, at) => sided(one, unit, zone, call, at + 1));
  const nullable =
    isNullable(args.slice(1, 3)) || args.slice(1, 3).some(({ type }) => type.name === 'String');
  const type = scalar('Int64', nullable);
  if (unit !== 'week') return { sql: `date_diff('${unit}', ${from!}, ${to!})`, type };
  // DuckDB counts complete weeks, ClickHouse Mondays.
  return { sql: `(date_diff('day', date_trunc('week', ${from!}), date_trunc('week', ${to!})) // 7)`, type };
}

/** `age('month', from, to)`: complete units between two moments; those of days and longer are local. */
function age(args: readonly Printed[], call: CallContext): Printed {
  const unit = namedUnit(args, 0, call);
  const zone = namedZone(args, 3, call);
  const [from, to] = args.slice(1, 3).map((one, at) => sided(one, unit, zone, call, at + 1));
  const mayBeNull = args.slice(1, 3).some(({ type }) => type.nullable || type.name === 'String');
  const type = scalar('Int64', mayBeNull);
  const months = { month: 1, quarter: 3, year: 12 }[unit as string];
  if (months === undefined) return { sql: `date_sub('${unit}', ${from!}, ${to!})`, type };
  const sql = onceEach([from!, to!], call, (x, y) => {
    const [later, earlier] = [`${wholeMonths(x!, y!)} // ${months}`, `${wholeMonths(y!, x!)} // ${months}`];
    return `(CASE WHEN ${x!} <= ${y!} THEN ${later} ELSE -(${earlier}) END)`;
  });
  return { sql, type };
}

/** Months between two moments; one is over at its day and time, which a month without that day never reaches. */
function wholeMonths(from: string, to: string): string {
  const months = `date_diff('month', ${from}, ${to})`;
  const [a, b] = [from, to].map((one) => `(${one} - date_trunc('month', ${one}))`);
  return `(${months} - CASE WHEN ${a!} > ${b!} THEN 1 ELSE 0 END)`;
}

/** `date_bin(INTERVAL 15 MINUTE, x, origin)`: the beginning of the interval, which are counted from a moment. */
function dateBin([span, value, origin]: readonly Printed[], call: CallContext): Printed {
  if (span!.type.name !== 'Interval') return call.refuse('Expected an interval.', 0);
  const moment = asMoment(value!, call, 1);
  const zone = zoneOf(moment, call);
  const [local, from] = [localTime(moment, call, 1), localTime(asMoment(origin!, call, 2), call, 2)];
  const nullable = isNullable([span!, moment, asMoment(origin!, call, 2)]);
  const bucket = `time_bucket(${span!.sql}, ${local}, ${from})`;
  return {
    sql: fromLocal(bucket, zone, call),
    type: withNull({ ...moment.type, seconds: true } as Printed['type'], nullable),
  };
}

function sided(one: Printed, unit: IntervalUnit, zone: string | null, call: CallContext, at: number): string {
  const moment = asMoment(one, call, at);
  const meant: Printed =
    zone === null ? moment : { sql: moment.sql, type: { ...moment.type, zone } as Printed['type'] };
  if (zone === null && one.type.name === 'Date') return localTime(one, call);
  return isCalendarUnit(unit) ? localTime(meant, call) : moment.sql;
}

/** `toStartOfInterval(t, INTERVAL 6 HOUR)`: hours begin at midnight, weeks on Monday, the rest counts from 1970. */
export function startOfInterval(args: readonly Printed[], call: CallContext): Printed {
  const [argument, span] = args;
  if (span!.type.name !== 'Interval') return call.refuse('Expected an interval.', 1);
  const { unit } = span!.type;
  const zone = namedZone(args, 2, call);
  const plain = asMoment(argument!, call, 0);
  const moment = zone === null ? plain : { sql: plain.sql, type: { ...plain.type, zone } as Printed['type'] };
  const own = zoneOf(moment, call);
  const nullable = moment.type.nullable;
  const type = {
    name: 'DateTime',
    nullable,
    seconds: true,
    ...(zone === null ? {} : { zone }),
  } as const;
  if (!isCalendarUnit(unit)) {
    const bucket = (local: string) => `time_bucket(${span!.sql}, ${local}, ${origin(unit, local)})`;
    return { sql: withinOffset(moment.sql, own, call, bucket), type };
  }
  const local = zone === null ? localTime(argument!, call) : localTime(moment, call);
  const bucket = `time_bucket(${span!.sql}, ${local}, ${origin(unit, local)})`;
  if (unit === 'day') return { sql: fromLocal(bucket, own, call), type };
  return { sql: `CAST(${bucket} AS DATE)`, type: scalar('Date', nullable) };
}

function origin(unit: IntervalUnit, local: string): string {
  if (unit === 'hour') return `date_trunc('day', ${local})`;
  if (unit === 'week') return `TIMESTAMP '1970-01-05'`;
  return unit === 'year' ? `TIMESTAMP '0001-01-01' - INTERVAL 1 YEAR` : `TIMESTAMP '1970-01-01'`;
}

export const dateIntervals: readonly FunctionRow[] = [
  typed('make_interval', 6, madeInterval),
  ...moves,
  ...['dateAdd', 'date_add', 'timestampAdd', 'timestamp_add'].map((name) => moving(name, '+')),
  ...['dateSub', 'date_sub', 'date_subtract', 'timestampSub', 'timestamp_sub'].map((name) =>
    moving(name, '-'),
  ),
  ...alsoNamed(typed('dateDiff', [3, 4], difference), 'date_diff', 'timestampDiff', 'timestamp_diff'),
  typed('age', [3, 4], age),
  typed('toStartOfInterval', [2, 3], startOfInterval),
  typed('date_bin', 3, dateBin),
  typed('toDaysSinceYearZero', 1, (args, call) => {
    const day = asDay(args[0]!, call, 0);
    // ClickHouse counts from the first of January of the year 0.
    return {
      sql: `(date_diff('day', DATE '1970-01-01', ${day.sql}) + 719528)`,
      type: scalar('Int64', day.type.nullable),
    };
  }),
  typed('toModifiedJulianDay', 1, (args, call) => {
    const day = asDay(args[0]!, call, 0);
    return { sql: `(${day.sql} - ${MODIFIED_JULIAN_ZERO})`, type: scalar('Int64', day.type.nullable) };
  }),
  typed('fromModifiedJulianDay', 1, (args, call) => {
    const count = asWhole(args[0]!, call, 0);
    const sql = `try_cast(${MODIFIED_JULIAN_ZERO} + to_days(try_cast(${count.sql} AS INTEGER)) AS DATE)`;
    return { sql, type: scalar('Date', true) };
  }),
];
