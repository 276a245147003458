import { arrayOf, duckdbType, scalar, tupleOf, withNull, type ValueType } from '../../value-type.ts';
import { tupleSql } from '../../tuple-sql.ts';
import { unify } from '../common-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { joinedLists, limitOf, MOST_ITEMS, MOST_ITEMS_OF_ROWS, onceEach, unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asArray, asNumber, asWhole, defaultOf } from '../read-argument.ts';
import { runningList } from '../running-list.ts';
import { boundedArray, boundedCopies } from '../value-size.ts';

const INT = scalar('UInt64');
const BOOL = scalar('Bool');

/** The type of an array's items. */
export function itemOf(array: Printed, call: CallContext, at = 0): ValueType {
  const { type } = asArray(array, call, at);
  return type.name === 'Array' ? type.item : scalar('Nothing', true);
}

/** An array in, a value out whose type follows from it. */
function ofArray(
  name: string,
  sql: (array: string, call: CallContext) => string,
  type: (array: ValueType, item: ValueType) => ValueType,
): FunctionRow {
  return typed(name, 1, ([array], call) => {
    const item = itemOf(array!, call);
    return { sql: sql(array!.sql, call), type: withNull(type(array!.type, item), array!.type.nullable) };
  });
}

function same(array: ValueType): ValueType {
  return array;
}

/** The item at a place that counts from 1, or backwards from the end; the default of the type where there is none. */
export function elementAt(array: Printed, at: string, call: CallContext): Printed {
  const item = itemOf(array, call);
  const sql = `${array.sql}[${at}]`;
  return { sql: item.nullable ? sql : `coalesce(${sql}, ${defaultOf(item)})`, type: item };
}

function element(args: readonly Printed[], call: CallContext): Printed {
  const [from, key] = args;
  if (from!.type.name !== 'Map') return elementAt(from!, asWhole(key!, call, 1).sql, call);
  const { value } = from!.type;
  const sql = `list_extract(map_extract(${from!.sql}, ${key!.sql}), 1)`;
  return { sql: value.nullable ? sql : `coalesce(${sql}, ${defaultOf(value)})`, type: value };
}

/** Two or more arrays as arrays of one type. */
function alike(args: readonly Printed[], call: CallContext): { type: ValueType; sql: readonly string[] } {
  for (const [at, array] of args.entries()) asArray(array, call, at);
  return unify(args, call);
}

/** An item as the type of the array's items. */
function withItem(
  args: readonly Printed[],
  call: CallContext,
): { array: string; item: string; type: ValueType } {
  const [array, item] = args;
  itemOf(array!, call);
  const { type, sql } = unify([array!, { sql: `[${item!.sql}]`, type: arrayOf(item!.type) }], call);
  return { array: sql[0]!, item: `${sql[1]!}[1]`, type };
}

function membership(
  name: string,
  type: ValueType,
  sql: (array: string, item: string, canBeNull: boolean) => string,
): FunctionRow {
  return typed(name, 2, (args, call) => {
    const both = withItem(args, call);
    return { sql: sql(both.array, both.item, args[1]!.type.nullable), type };
  });
}

function overlap(name: string, duckdb: string): FunctionRow {
  return typed(name, 2, (args, call) => {
    const { sql, type } = alike(args, call);
    const known = `${duckdb}(${sql.join(', ')})`;
    const canHoldNull = args.every((one) => one.type.name === 'Array' && one.type.item.nullable);
    if (!canHoldNull || type.name !== 'Array') return { sql: known, type: BOOL };
    const hasNull = (list: string): string => `len(${list}) > list_count(${list})`;
    const [left, right] = [hasNull(sql[0]!), hasNull(sql[1]!)];
    return {
      sql:
        name === 'hasAny'
          ? `(${known} OR (${left} AND ${right}))`
          : `(${known} AND (${left} OR NOT ${right}))`,
      type: BOOL,
    };
  });
}

/** `range(end)`, `range(start, end)`, `range(start, end, step)`; more numbers than the limit are refused. */
function range(args: readonly Printed[], call: CallContext, duckdb = 'range'): Printed {
  const numbers = args.map((one, at) => asWhole(one, call, at).sql);
  const type = arrayOf(scalar('Int64'));
  const bounds = numbers.length === 1 ? ['0', numbers[0]!, '1'] : [...numbers, '1'].slice(0, 3);
  const most = mostItems(args);
  const sql = onceEach(bounds, call, (start, end, step) => {
    // Doubles, since the numbers may be so far apart that their difference is no whole number of the engine's.
    const items = `(${end!}::DOUBLE - ${start!}) / ${step!}`;
    const list = `${duckdb}(${start!}, ${end!}, ${step!})`;
    return unlessTooLarge(`${items} > ${most}`, list, limitOf(call, most, 'items'));
  });
  const [start, end, step] =
    numbers.length === 1 ? [0, args[0]!.constant, 1] : args.map((one) => one.constant);
  if (Math.abs(Number(end) - Number(start)) / Math.abs(Number(step ?? 1)) > MOST_ITEMS_OF_ROWS)
    call.noteLargeList();
  return { sql, type };
}

/** Items of a list of which the query writes out the size, or rows say it. */
function mostItems(args: readonly Printed[]): number {
  return isWritten(args) ? MOST_ITEMS : MOST_ITEMS_OF_ROWS;
}

function isWritten(args: readonly Printed[]): boolean {
  return args.every(({ constant }) => constant !== undefined);
}

/** A list of that size: where rows say what is in it, it must be shorter than where the query does. */
function sized(
  size: string,
  { args, filling }: { args: readonly Printed[]; filling: Printed },
  call: CallContext,
  sql: (size: string, value: string) => string,
): string {
  return once(size, call, (items) => {
    const bounded = boundedCopies(filling, items, call);
    const most = bounded === null ? mostItems(args) : MOST_ITEMS_OF_ROWS;
    const isLarge = args.some(({ constant }) => Number(constant) > MOST_ITEMS_OF_ROWS);
    if (isLarge && bounded === null) call.noteLargeList();
    const of = (value: string): string => {
      const list = sql(`greatest(${items}, 0)`, value);
      return unlessTooLarge(`${items} > ${most}`, list, limitOf(call, most, 'items'));
    };
    return bounded === null ? of(filling.sql) : once(filling.sql, call, (value) => bounded(of(value), value));
  });
}

/**
 * Slices an array from a position that counts from 1, or backwards from the end; `count` is a number of items, a
 * negative one leaves out items at the end.
 */
function slice(args: readonly Printed[], call: CallContext): Printed {
  const [array] = args;
  itemOf(array!, call);
  const sql = once(array!.sql, call, (list) => {
    const size = `len(${list})`;
    const offset = asWhole(args[1]!, call, 1).sql;
    const first = `(CASE WHEN ${offset} < 0 THEN ${size} + ${offset} + 1 ELSE ${offset} END)`;
    const start = `greatest(${first}, 1)`;
    if (args[2] === undefined)
      return `(CASE WHEN ${offset} = 0 THEN [] ELSE list_slice(${list}, ${start}, ${size}) END)`;
    const count = asWhole(args[2], call, 2).sql;
    const end = `(CASE WHEN ${count} < 0 THEN ${size} + ${count} ELSE ${first} + ${count} - 1 END)`;
    return `(CASE WHEN ${offset} = 0 OR ${end} < ${start} THEN [] ELSE list_slice(${list}, ${start}, ${end}) END)`;
  });
  return { sql, type: array!.type };
}

/** Filled with zeros, or what is given, to so many items; cut to them. */
function resize(args: readonly Printed[], call: CallContext): Printed {
  const item = itemOf(args[0]!, call);
  const filling = args[2] ?? { sql: defaultOf(item), type: item };
  const count = asWhole(args[1]!, call, 1).sql;
  const filled = sized(`abs(${count})`, { args, filling }, call, (size, value) => {
    return `list_resize(${args[0]!.sql}, ${size}, CAST(${value} AS ${duckdbType(item)}))`;
  });
  const number = Number(args[1]!.constant);
  if (number >= 0) return { sql: filled, type: args[0]!.type };
  // A size below 0 keeps the end, and fills the beginning.
  const reversed = sized(`abs(${count})`, { args, filling }, call, (size, value) => {
    return `list_reverse(list_resize(list_reverse(${args[0]!.sql}), ${size}, CAST(${value} AS ${duckdbType(item)})))`;
  });
  const sql = number < 0 ? reversed : `(CASE WHEN ${count} < 0 THEN ${reversed} ELSE ${filled} END)`;
  return { sql, type: args[0]!.type };
}

/** Items of several arrays at the same place, as tuples. */
function zip(args: readonly Printed[], call: CallContext): Printed {
  const items = args.map((array, at) => itemOf(array, call, at));
  const name = call.fresh();
  const parts = items.map((_, at) => `struct_extract(${name}, ${at + 1})`);
  const sql = `list_transform(list_zip(${args.map((one) => one.sql).join(', ')}), lambda ${name}: ${tupleSql(parts)})`;
  return { sql, type: arrayOf(tupleOf(items)) };
}

function reduced(args: readonly Printed[], call: CallContext): Printed {
  const written = args[0]!.constant;
  const [, name, level] = /^(\w+)(?:\((0(?:\.\d+)?|1)\))?$/.exec(String(written)) ?? [];
  if (name === 'quantile' || name === 'quantileExact') {
    const item = itemOf(args[1]!, call, 1);
    const at = level ?? '0.5';
    return name === 'quantile'
      ? { sql: `list_aggregate(${args[1]!.sql}, 'quantile_cont', ${at})`, type: scalar('Float64', true) }
      : { sql: `list_aggregate(${args[1]!.sql}, 'quantile_disc', ${at})`, type: withNull(item) };
  }
  if (name === 'groupArray' && itemOf(args[1]!, call, 1).name !== 'Nothing') return args[1]!;
  if (name === 'groupUniqArray') return { sql: `list_distinct(${args[1]!.sql})`, type: args[1]!.type };
  const known: Readonly<Record<string, [duckdb: string, type: (item: ValueType) => ValueType]>> = {
    sum: ['list_sum', (item) => item],
    min: ['list_min', (item) => item],
    max: ['list_max', (item) => item],
    avg: ['list_avg', () => scalar('Float64')],
    count: ['len', () => INT],
    any: ['list_any_value', (item) => item],
    median: ['list_median', () => scalar('Float64')],
    uniq: ['list_unique', () => INT],
    uniqExact: ['list_unique', () => INT],
    anyLast: ['list_last', (item) => item],
    stddevPop: ['list_stddev_pop', () => scalar('Float64')],
    stddevSamp: ['list_stddev_samp', () => scalar('Float64')],
    varPop: ['list_var_pop', () => scalar('Float64')],
    varSamp: ['list_var_samp', () => scalar('Float64')],
  };
  const found = name !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
  if (found === undefined)
    return call.refuse(`The aggregate must be one of: ${Object.keys(known).join(', ')}.`, 0);
  const item = itemOf(args[1]!, call, 1);
  return { sql: `${found[0]}(${args[1]!.sql})`, type: withNull(found[1](item)) };
}

/** The sums up to each place. */
function running(args: readonly Printed[], call: CallContext): Printed {
  const item = asNumber({ sql: 'x', type: itemOf(args[0]!, call) }, call, 0).type;
  const one = call.fresh();
  const known = `list_transform(${args[0]!.sql}, lambda ${one}: coalesce(${one}, 0))`;
  const sql = runningList(known, call, (a, b) => `${a} + ${b}`);
  return { sql, type: arrayOf(item) };
}

/** How far each item is from the one before it; of moments in seconds, of days in days. */
function differences(args: readonly Printed[], call: CallContext): Printed {
  const given = itemOf(args[0]!, call);
  const isMoment = given.name === 'DateTime';
  const isDay = given.name === 'Date';
  const item =
    isMoment || isDay
      ? scalar(isMoment ? 'Float64' : 'Int64', given.nullable)
      : asNumber({ sql: 'x', type: given }, call, 0).type;
  const at = call.fresh();
  const sql = once(args[0]!.sql, call, (list) => {
    const [one, before] = [`${list}[${at}]`, `${list}[${at} - 1]`];
    const apart = isMoment ? `(epoch_us(${one}) - epoch_us(${before})) / 1000000` : `${one} - ${before}`;
    const step = `CASE WHEN ${at} = 1 THEN 0 ELSE ${apart} END`;
    return `list_transform(range(1, len(${list}) + 1), lambda ${at}: ${step})`;
  });
  return { sql, type: arrayOf(item) };
}

export const arrays: readonly FunctionRow[] = [
  typed('array', [0, Infinity], boundedArray),
  typed('arrayElement', 2, element),
  typed('arrayJoin', 1, ([array], call) => ({ sql: `unnest(${array!.sql})`, type: itemOf(array!, call) })),
  typed('arrayConcat', [1, Infinity], (args, call) => {
    const { sql, type } = alike(args, call);
    return { sql: joinedLists(sql, call), type };
  }),
  ofArray(
    'arrayDistinct',
    (list, call) => once(list, call, distinctInOrder(call)),
    (array, item) => arrayOf(withNull(item, false), array.nullable),
  ),
  typed('arrayUniq', [1, 10], unique),
  ofArray('arrayReverse', (list) => `list_reverse(${list})`, same),
  ofArray('arrayCompact', (list, call) => once(list, call, compacted(call)), same),
  typed('arrayFlatten', 1, ([array], call) => {
    itemOf(array!, call);
    let [sql, type] = [array!.sql, array!.type];
    while (type.name === 'Array' && type.item.name === 'Array')
      [sql, type] = [`flatten(${sql})`, withNull(type.item, array!.type.nullable)];
    return { sql, type };
  }),
  ofArray(
    'arrayEnumerate',
    (list) => `range(1, len(${list}) + 1)`,
    () => arrayOf(INT),
  ),
  ofArray('arrayPopBack', (list) => `list_slice(${list}, 1, -2)`, same),
  ofArray('arrayPopFront', (list) => `list_slice(${list}, 2, -1)`, same),
  typed('arrayPushBack', 2, (args, call) => {
    const { array, item, type } = withItem(args, call);
    return { sql: `list_append(${array}, ${item})`, type };
  }),
  typed('arrayPushFront', 2, (args, call) => {
    const { array, item, type } = withItem(args, call);
    return { sql: `list_prepend(${item}, ${array})`, type };
  }),
  typed('arraySlice', [2, 3], slice),
  typed('arrayResize', [2, 3], resize),
  typed('arrayZip', [1, Infinity], zip),
  typed('arrayReduce', 2, reduced),
  typed('arrayCumSum', 1, running),
  typed('arrayDifference', 1, differences),
  typed('arrayIntersect', [2, 10], (args, call) => {
    const { sql, type } = alike(args, call);
    const both = (all: string, list: string): string => {
      const one = call.fresh();
      return onceEach([all, list], call, (left, right) => {
        const found = `list_filter(${left!}, lambda ${one}: list_contains(${right!}, ${one}))`;
        return once(found, call, distinctInOrder(call));
      });
    };
    return { sql: sql.reduce(both), type };
  }),
  membership('has', BOOL, (array, item, canBeNull) => {
    const found = `coalesce(list_contains(${array}, ${item}), false)`;
    return canBeNull
      ? `(CASE WHEN ${item} IS NULL THEN len(${array}) > list_count(${array}) ELSE ${found} END)`
      : found;
  }),
  membership('indexOf', INT, (array, item) => `coalesce(list_position(${array}, ${item}), 0)`),
  membership(
    'countEqual',
    INT,
    (array, item) => `len(list_filter(${array}, lambda v: v IS NOT DISTINCT FROM ${item}))`,
  ),
  overlap('hasAll', 'list_has_all'),
  overlap('hasAny', 'list_has_any'),
  typed('range', [1, 3], (args, call) => range(args, call)),
  // Unlike a range it has its end.
  typed('generateSeries', [2, 3], (args, call) => range(args, call, 'generate_series')),
  typed('arrayWithConstant', 2, (args, call) => {
    const sql = sized(asWhole(args[0]!, call, 0).sql, { args, filling: args[1]! }, call, (size, value) => {
      return `list_transform(range(${size}), lambda v: ${value})`;
    });
    return { sql, type: arrayOf(args[1]!.type) };
  }),
];

/** How many different items, or combinations of the items at one place, there are; NULL is one of them. */
function unique(args: readonly Printed[], call: CallContext): Printed {
  for (const [at, array] of args.entries()) itemOf(array, call, at);
  const zipped = args.length === 1 ? args[0]!.sql : `list_zip(${args.map(({ sql }) => sql).join(', ')})`;
  const sql = once(zipped, call, (list) => {
    const nulls =
      args.length === 1 ? ` + CASE WHEN len(${list}) > list_count(${list}) THEN 1 ELSE 0 END` : '';
    return `CAST(list_unique(${list})${nulls} AS BIGINT)`;
  });
  return { sql: `(${sql})`, type: INT };
}

/** Each item once, where it comes first; without NULL. */
function distinctInOrder(call: CallContext): (list: string) => string {
  const [item, at] = [call.fresh(), call.fresh()];
  return (list) =>
    `list_filter(${list}, lambda ${item}, ${at}: ${item} IS NOT NULL AND list_position(${list}, ${item}) = ${at})`;
}

/** Without items that follow one like them. */
function compacted(call: CallContext): (list: string) => string {
  const [item, at] = [call.fresh(), call.fresh()];
  return (list) => {
    return `list_filter(${list}, lambda ${item}, ${at}: ${at} = 1 OR ${item} IS DISTINCT FROM ${list}[${at} - 1])`;
  };
}
