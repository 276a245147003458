import { MAX_VERSION_LENGTH, MAX_VERSION_NUMBER, VERSION_PATTERN } from '../../../lib/version-text.ts';
import { NUMBER_PATTERN } from '../../../lib/number-text.ts';
import type { ValueType } from '../../value-type.ts';
import { BOT_FIELDS, BOTS } from '../../functions/bots.ts';
import { CHANNEL_LOOKUPS } from '../../functions/channel-sources.ts';
import type { ClickhouseDictionary } from './dictionaries.ts';
import { textSql } from './sql-text.ts';

/** A call in ClickHouse from the SQL of its arguments; `types` are undefined where none was found. */
export type PrintCall = (
  args: readonly string[],
  call: {
    types: readonly (ValueType | undefined)[];
    /** Texts that are written out; null for other arguments. */
    written: readonly (string | null)[];
    /** The numbers in `quantile(0.9)(x)`. */
    params: readonly string[];
    timezone: string;
    now: number;
    /** A dictionary of the warehouse, as a text. */
    dictionary: (name: ClickhouseDictionary) => string;
  },
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
const toDateTime: PrintCall = (args, { types: [type], written: [text], timezone }) => {
  const zone = zoned(args, 1, timezone);
  const usual = /^\d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d(\.\d+)?)?$/.exec(text ?? '');
  if (usual !== null)
    return usual[1] === undefined
      ? `toDateTime(${args[0]!}, ${zone})`
      : `toDateTime64(${args[0]!}, 6, ${zone})`;
  return type?.name === 'String' || type?.name === 'JSON' || type === undefined
    ? `parseDateTime64BestEffortOrNull(${args[0]!}, 6, ${zone})`
    : `toDateTime(${args[0]!}, ${zone})`;
};

const toDate: PrintCall = ([value], { types: [type] }) =>
  type?.name === 'String' || type?.name === 'JSON' || type === undefined
    ? `toDateOrNull(${value!})`
    : `toDate(${value!})`;

/** A function of lists or texts that follows the type of its first argument. */
function byKind(ofList: string, ofText: string): PrintCall {
  return (args, { types: [type] }) =>
    `${type?.name === 'Array' || type?.name === 'Map' ? ofList : ofText}(${args.join(', ')})`;
}

const concat: PrintCall = (args, { types }) =>
  types.every((type) => type?.name === 'Array')
    ? `arrayConcat(${args.join(', ')})`
    : `concat(${args.map((one) => `ifNull(toString(${one}), '')`).join(', ')})`;

const UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;

function titled(text: string): string {
  return `${text[0]!.toUpperCase()}${text.slice(1)}`;
}

/** A function of moments that takes no fractions of seconds. */
function ofSeconds(name: string, places: readonly number[] = [0]): PrintCall {
  // windowFunnel counts a window over days in days.
  const isOfMoments = !name.startsWith('windowFunnel');
  return (args, { types, params }) => {
    const whole = args.map((one, at) =>
      places.includes(at) && (types[at]?.name === 'DateTime' || (types[at]?.name === 'Date' && isOfMoments))
        ? `toDateTime(${one})`
        : one,
    );
    return `${name}${params.length === 0 ? '' : `(${params.join(', ')})`}(${whole.join(', ')})`;
  };
}

const SIZES = ['8', '16', '32', '64', '128', '256'];

/** Casts to whole numbers and floats of each size. */
const OF_SIZES: [string, PrintCall][] = SIZES.flatMap((size) =>
  ['Int', 'UInt', 'Float'].flatMap((kind): [string, PrintCall][] => {
    const type = `${kind}${size}`;
    return [
      [`to${type}OrDefault`, ([value, given]) => `to${type}OrDefault(${value!}, to${type}(${given ?? '0'}))`],
      [`_to${type}`, renamed(`to${type}`)],
    ];
  }),
);

/** A unit that is written as a text: `dateAdd('day', 3, d)`. */
function shift(sign: 'plus' | 'minus'): PrintCall {
  return (args, { types }) => {
    if (types.length !== 3) return `${sign}(${args.join(', ')})`;
    const units = UNITS.map(
      (unit) => `${textSql(unit)}, ${sign}(${args[2]!}, toInterval${titled(unit)}(${args[1]!}))`,
    );
    return `CASE lower(${args[0]!}) ${units.map((one) => `WHEN ${one.replace(', ', ' THEN ')}`).join(' ')} END`;
  };
}

/** The time of the query, which is the same wherever it is named. */
const nowSql: PrintCall = ([zone], { timezone, now }) => {
  const moment = new Date(now).toISOString().replace('T', ' ').slice(0, -1);
  return `toTimeZone(toDateTime64(${textSql(moment)}, 6, 'UTC'), ${zone ?? textSql(timezone)})`;
};

function textList(texts: readonly string[]): string {
  return `[${texts.map(textSql).join(', ')}]`;
}

/** Who visits: the first sign that the user agent contains, since longer ones come first; 0: none. */
const SIGN = `multiSearchFirstIndex(lower(ifNull(AGENT, '')), ${textList(BOTS.map(({ sign }) => sign))})`;

function ofAgent(sql: string): PrintCall {
  return ([agent]) => sql.replaceAll('AGENT', () => `toString(${agent!})`);
}

const VISITORS: [string, PrintCall][] = [
  ...Object.entries(BOT_FIELDS).flatMap(([name, { of, nameless, people }]): [string, PrintCall][] => {
    const label = `arrayElement(${textList([people, ...BOTS.map(of)])}, toInt64(${SIGN}) + 1)`;
    const print = ofAgent(`if(empty(ifNull(AGENT, '')), ${textSql(nameless)}, ${label})`);
    return [
      [name, print],
      [`__preview_${name}`, print],
    ];
  }),
  ...['isLikelyBot', '__preview_isBot'].map((name): [string, PrintCall] => [
    name,
    ofAgent(`toBool(or(empty(ifNull(AGENT, '')), ${SIGN} > 0))`),
  ]),
];

/** Sources and mediums of channels. */
const CHANNELS: [string, PrintCall][] = Object.entries(CHANNEL_LOOKUPS).map(([name, { ofSites }]) => [
  name,
  ([value], { dictionary }) => {
    const lookUp = (text: string): string =>
      `dictGetOrNull(${dictionary('channel_lookups')}, 'value', tuple(${textSql(name)}, ${text}))`;
    const text = `ifNull(toString(${value!}), '')`;
    return ofSites
      ? `coalesce(${lookUp(text)}, ${lookUp(`cutToFirstSignificantSubdomain(${text})`)})`
      : lookUp(text);
  },
]);

/** A version as a text whose order is that of versions: numbers with 39 digits, marks of numbers before those of words, none last. */
const textVersion: PrintCall = ([text]) => {
  const padded = (number: string): string => `leftPad(toString(${number}), 39, '0')`;
  const bare = `splitByChar('+', replaceRegexpOne(trim(BOTH ' \\t\\r\\n' FROM ifNull(${text!}, '')), '^[vV]', ''))[1]`;
  const numbers = [1, 2, 3].map((at) => `toInt128OrZero(g[${at}])`);
  const marks = `if(g[4] = '', '2', arrayStringConcat(arrayMap(m -> if(match(m, '^[0-9]+$'), concat('0', ${padded('toInt128OrZero(m)')}), concat('1', m)), splitByChar('.', g[4])), '\\0'))`;
  const version = `if(empty(g) OR greatest(${numbers.join(', ')}) > ${MAX_VERSION_NUMBER}, NULL, concat(${numbers.map(padded).join(', ')}, ${marks}))`;
  const groups = `extractGroups(if(length(t) <= ${MAX_VERSION_LENGTH}, t, ''), ${textSql(`^${VERSION_PATTERN}$`)})`;
  return `arrayMap(g -> ${version}, arrayMap(t -> ${groups}, [${bare}]))[1]`;
};

/** Functions whose calls read differently in ClickHouse, by their names in lower case. */
export const CLICKHOUSE_CALLS: ReadonlyMap<string, PrintCall> = new Map(
  [
    ...OF_SIZES,
    ...VISITORS,
    ...CHANNELS,
    ...Object.entries<PrintCall>({
      toInt: cast('Int64'),
      toUInt: cast('UInt64'),
      toFloat: cast('Float64'),
      toFloatOrNull: cast('Float64'),
      toUUID: cast('UUID'),
      toBool: cast('Bool'),
      toBoolean: cast('Bool'),
      _toNullableBool: cast('Nullable(Bool)'),
      toNullableString: cast('Nullable(String)'),
      toIntOrZero: renamed('toInt64OrZero'),
      toUIntOrZero: renamed('toUInt64OrZero'),
      toFloatOrZero: renamed('toFloat64OrZero'),
      toFloatOrDefault: ([value, given]) => `toFloat64OrDefault(${value!}, toFloat64(${given ?? '0'}))`,
      toIntOrDefault: ([value, given]) => `toInt64OrDefault(${value!}, toInt64(${given ?? '0'}))`,
      toDecimal: ([value, scale]) => `toDecimal64OrNull(toString(${value!}), ${scale!})`,
      toDateTime,
      toDateTime64: (args, { timezone }) =>
        `toDateTime64(${args[0]!}, ${args[1] ?? '6'}, ${zoned(args, 2, timezone)})`,
      fromUnixTimestamp: (args, { timezone }) => `toDateTime(${args[0]!}, ${zoned(args, 1, timezone)})`,
      to_timestamp: ([value], { timezone }) => `toDateTime(${value!}, ${textSql(timezone)})`,
      toDateTimeUS: ([value], { timezone }) =>
        `parseDateTime64BestEffortUSOrNull(${value!}, 6, ${textSql(timezone)})`,
      parseDateTimeBestEffort: toDateTime,
      toDate,
      _toDate: toDate,
      to_date: toDate,
      make_date: renamed('makeDate32'),
      make_timestamp: ([y, m, d, h, min, s], { timezone }) =>
        `makeDateTime64(${[y, m, d, h, min].join(', ')}, toUInt8(floor(${s!})), toUInt32((${s!} - floor(${s!})) * 1000000), 6, ${textSql(timezone)})`,
      now: nowSql,
      now64: (_, call) => nowSql([], call),
      nowInBlock: nowSql,
      current_timestamp: nowSql,
      current_date: (args, call) => `toDate(${nowSql(args, call)})`,
      today: (args, call) => `toDate(${nowSql(args, call)})`,
      yesterday: (args, call) => `toDate(${nowSql(args, call)}) - 1`,
      date_diff: renamed('dateDiff'),
      date_trunc: renamed('dateTrunc'),
      dateAdd: shift('plus'),
      date_add: shift('plus'),
      timestampAdd: shift('plus'),
      dateSub: shift('minus'),
      date_sub: shift('minus'),
      date_subtract: shift('minus'),
      timestampSub: shift('minus'),
      tumble: ofSeconds('tumble'),
      tumbleStart: ofSeconds('tumbleStart'),
      tumbleEnd: ofSeconds('tumbleEnd'),
      hop: ofSeconds('hop'),
      hopStart: ofSeconds('hopStart'),
      hopEnd: ofSeconds('hopEnd'),
      timeSlots: ofSeconds('timeSlots'),
      timezone: ([zone, moment]) => `toTimeZone(${moment!}, ${zone!})`,
      windowFunnel: ofSeconds('windowFunnel'),
      windowFunnelIf: ofSeconds('windowFunnelIf'),
      maxIntersections: ofSeconds('maxIntersections', [0, 1]),
      maxIntersectionsPosition: ofSeconds('maxIntersectionsPosition', [0, 1]),
      concat,
      left: renamed('leftUTF8'),
      right: renamed('rightUTF8'),
      btrim: (args) => `trim(BOTH ${args[1] ?? "' '"} FROM ${args[0]!})`,
      split_part: ([text, by, at]) => `arrayElement(splitByString(${by!}, ${text!}), ${at!})`,
      isEmpty: renamed('empty'),
      isNotEmpty: renamed('notEmpty'),
      div: renamed('intDiv'),
      generateSeries: ([from, to, step = '1']) =>
        `range(toInt64(${from!}), toInt64(${to!}) + sign(${step}), toInt64(${step}))`,
      length: byKind('length', 'length'),
      uniq: renamed('uniqExact'),
      uniqTheta: renamed('uniqExact'),
      median: renamed('quantileExactInclusive(0.5)'),
      quantile: (args, { params }) => `quantileExactInclusive(${params.join(', ')})(${args.join(', ')})`,
      medianExactInclusive: renamed('quantileExactInclusive(0.5)'),
      medianExactExclusive: renamed('quantileExactExclusive(0.5)'),
      percentile_cont: (args, { params }) =>
        `quantileExactInclusive(${params.join(', ')})(${args.join(', ')})`,
      percentile_disc: (args, { params }) => `quantileExactLow(${params.join(', ')})(${args.join(', ')})`,
      boolAnd: ([value]) => `min(${value!})`,
      bool_and: ([value]) => `min(${value!})`,
      every: ([value]) => `min(${value!})`,
      boolOr: ([value]) => `max(${value!})`,
      bool_or: ([value]) => `max(${value!})`,
      textNumber: ([value]) =>
        `if(match(${value!}, ${textSql(`^${NUMBER_PATTERN}$`)}), toFloat64OrNull(${value!}), NULL)`,
      textVersion,
      textMatches: ([value, pattern]) => `match(${value!}, ${pattern!})`,
      textMicros: ([value], { timezone }) =>
        `toUnixTimestamp64Micro(parseDateTime64BestEffortOrNull(${value!}, 6, ${textSql(timezone)}))`,
    }),
  ].map(([name, print]) => [name.toLowerCase(), print]),
);
