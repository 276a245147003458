import type { ValueType } from '../../value-type.ts';
import { textSql } from './sql-text.ts';

/** A call in ClickHouse from the SQL of its arguments; `types` are those that Burrow knows of them. */
export type PrintCall = (
  args: readonly string[],
  call: { types: readonly (ValueType | undefined)[]; timezone: string; now: number },
) => string;

/** A call of another function with the same arguments. */
function renamed(name: string): PrintCall {
  return (args) => `${name}(${args.join(', ')})`;
}

function cast(type: string): PrintCall {
  return ([value]) => `accurateCastOrNull(${value!}, ${textSql(type)})`;
}

function zoned(args: readonly string[], at: number, timezone: string): string {
  return args[at] ?? textSql(timezone);
}

/** A text at best effort, in the project's time zone; a moment, day or number as it is. */
const toDateTime: PrintCall = (args, { types: [type], timezone }) => {
  const zone = zoned(args, 1, timezone);
  return type?.name === 'String' || type?.name === 'JSON' || type === undefined
    ? `parseDateTime64BestEffortOrNull(${args[0]!}, 6, ${zone})`
    : `toDateTime64(${args[0]!}, 6, ${zone})`;
};

const toDate: PrintCall = ([value], { types: [type] }) =>
  type?.name === 'String' || type?.name === 'JSON' || type === undefined
    ? `toDate32OrNull(${value!})`
    : `toDate32(${value!})`;

/** A function of lists or texts that follows the type of its first argument. */
function byKind(ofList: string, ofText: string): PrintCall {
  return (args, { types: [type] }) =>
    `${type?.name === 'Array' || type?.name === 'Map' ? ofList : ofText}(${args.join(', ')})`;
}

const concat: PrintCall = (args, { types }) =>
  types.every((type) => type?.name === 'Array')
    ? `arrayConcat(${args.join(', ')})`
    : `concat(${args.map((one) => `ifNull(toString(${one}), '')`).join(', ')})`;

/** A unit that is written as a text: `dateAdd('day', 3, d)`. */
function shift(sign: 'plus' | 'minus'): PrintCall {
  return (args, { types }) => {
    const unit = /^'(\w+)'$/.exec(args[0]!)?.[1];
    if (unit === undefined || types.length !== 3)
      return `${sign === 'plus' ? 'dateAdd' : 'dateSub'}(${args.join(', ')})`;
    return `${sign}(${args[2]!}, toInterval${unit[0]!.toUpperCase()}${unit.slice(1).toLowerCase()}(${args[1]!}))`;
  };
}

/** The time of the query, which is the same wherever it is named. */
const nowSql: PrintCall = ([zone], { timezone, now }) => {
  const moment = new Date(now).toISOString().replace('T', ' ').slice(0, -1);
  return `toTimeZone(toDateTime64(${textSql(moment)}, 6, 'UTC'), ${zone ?? textSql(timezone)})`;
};

/** Functions whose calls read differently in ClickHouse, by their names in lower case. */
export const CLICKHOUSE_CALLS: ReadonlyMap<string, PrintCall> = new Map(
  Object.entries<PrintCall>({
    toInt: cast('Int64'),
    _toInt64: cast('Int64'),
    toFloat: cast('Float64'),
    toUUID: cast('UUID'),
    toBool: cast('Bool'),
    toNullableString: cast('Nullable(String)'),
    toIntOrZero: renamed('toInt64OrZero'),
    toFloatOrZero: renamed('toFloat64OrZero'),
    toFloatOrDefault: ([value, given]) => `toFloat64OrDefault(${value!}, toFloat64(${given ?? '0'}))`,
    toIntOrDefault: ([value, given]) => `toInt64OrDefault(${value!}, toInt64(${given ?? '0'}))`,
    toDecimal: ([value, scale]) =>
      `accurateCastOrNull(${value!}, concat('Decimal64(', toString(${scale!}), ')'))`,
    toDateTime,
    parseDateTimeBestEffort: toDateTime,
    toDate,
    _toDate: toDate,
    to_date: toDate,
    now: nowSql,
    today: (args, call) => `toDate32(${nowSql(args, call)})`,
    yesterday: (args, call) => `toDate32(${nowSql(args, call)}) - 1`,
    date_diff: renamed('dateDiff'),
    date_trunc: renamed('dateTrunc'),
    dateAdd: shift('plus'),
    date_add: shift('plus'),
    dateSub: shift('minus'),
    date_sub: shift('minus'),
    concat,
    left: renamed('leftUTF8'),
    right: renamed('rightUTF8'),
    length: byKind('length', 'lengthUTF8'),
    uniq: renamed('uniqExact'),
    median: renamed('quantileExactInclusive(0.5)'),
  }).map(([name, print]) => [name.toLowerCase(), print]),
);
