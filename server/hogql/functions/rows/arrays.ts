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
  return { sql: `coalesce(${from!.sql}[${key!.sql}], ${defaultOf(value)})`, type: value };
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
  sql: (array: string, item: string) => string,
): FunctionRow {
  return typed(name, 2, (args, call) => {
    const both = withItem(args, call);
    return { sql: sql(both.array, both.item), type };
  });
}

function overlap(name: string, duckdb: string): FunctionRow {
  return typed(name, 2, (args, call) => {
    const { sql } = alike(args, call);
    return { sql: `${duckdb}(${sql.join(', ')})`, type: BOOL };
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
    const start = `(CASE WHEN ${offset} < 0 THEN greatest(${size} + ${offset} + 1, 1) ELSE ${offset} END)`;
    if (args[2] === undefined) return `list_slice(${list}, ${start}, ${size})`;
    const count = asWhole(args[2], call, 2).sql;
    const end = `(CASE WHEN ${count} < 0 THEN ${size} + ${count} ELSE ${start} + ${count} - 1 END)`;
    return `(CASE WHEN ${end} < ${start} THEN [] ELSE list_slice(${list}, ${start}, ${end}) END)`;
  });
  return { sql, type: array!.type };
}

/** Filled with zeros, or what is given, to so many items; cut to them. */
function resize(args: readonly Printed[], call: CallContext): Printed {
  const item = itemOf(args[0]!, call);
  const filling = args[2] ?? { sql: defaultOf(item), type: item };
  const sql = sized(asWhole(args[1]!, call, 1).sql, { args, filling }, call, (size, value) => {
    return `list_resize(${args[0]!.sql}, ${size}, CAST(${value} AS ${duckdbType(item)}))`;
  });
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
  const name = args[0]!.constant;
  const known: Readonly<Record<string, [duckdb: string, type: (item: ValueType) => ValueType]>> = {
    sum: ['list_sum', (item) => item],
    min: ['list_min', (item) => item],
    max: ['list_max', (item) => item],
    avg: ['list_avg', () => scalar('Float64')],
    count: ['len', () => INT],
    any: ['list_any_value', (item) => item],
    median: ['list_median', () => scalar('Float64')],
    uniq: ['list_unique', () => INT],
  };
  const found = typeof name === 'string' && Object.hasOwn(known, name) ? known[name] : undefined;
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

function differences(args: readonly Printed[], call: CallContext): Printed {
  const item = asNumber({ sql: 'x', type: itemOf(args[0]!, call) }, call, 0).type;
  const at = call.fresh();
  const sql = once(args[0]!.sql, call, (list) => {
    const step = `CASE WHEN ${at} = 1 THEN 0 ELSE ${list}[${at}] - ${list}[${at} - 1] END`;
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
  ofArray('arrayDistinct', (list, call) => once(list, call, distinctInOrder(call)), same),
  ofArray(
    'arrayUniq',
    (list) => `CAST(list_unique(${list}) AS BIGINT)`,
    () => INT,
  ),
  ofArray('arrayReverse', (list) => `list_reverse(${list})`, same),
  ofArray('arrayCompact', (list, call) => once(list, call, compacted(call)), same),
  ofArray(
    'arrayFlatten',
    (list) => `flatten(${list})`,
    (array, item) => (item.name === 'Array' ? item : array),
  ),
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
    return { sql: sql.reduce((all, list) => `list_intersect(${all}, ${list})`), type };
  }),
  membership('has', BOOL, (array, item) => `coalesce(list_contains(${array}, ${item}), false)`),
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

/** Each item once, where it comes first. */
function distinctInOrder(call: CallContext): (list: string) => string {
  const [item, at] = [call.fresh(), call.fresh()];
  return (list) => `list_filter(${list}, lambda ${item}, ${at}: list_position(${list}, ${item}) = ${at})`;
}

/** Without items that follow one like them. */
function compacted(call: CallContext): (list: string) => string {
  const [item, at] = [call.fresh(), call.fresh()];
  return (list) => {
    return `list_filter(${list}, lambda ${item}, ${at}: ${at} = 1 OR ${item} IS DISTINCT FROM ${list}[${at} - 1])`;
  };
}
