import { arrayOf, scalar, withNull, type ValueType } from '../../value-type.ts';
import { aggregate, aggregateCall, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { MOST_ITEMS_OF_ROWS, onceEach, unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asArray, asNumber, asWhole, isNullable } from '../read-argument.ts';

const INT = scalar('UInt64');
const BOOL = scalar('Bool');
const BITMAP = arrayOf(INT);

/** A bitmap is the array of its numbers, each once and in order. */
function bitmap(value: Printed, call: CallContext, at: number): string {
  return `list_sort(list_distinct(${wholeNumbers(value, call, at)}))`;
}

/** An array as one of whole numbers. */
function wholeNumbers(value: Printed, call: CallContext, at: number): string {
  const list = asArray(value, call, at);
  if (list.type.name === 'Array') asNumber({ sql: '', type: list.type.item }, call, at);
  return `CAST(${list.sql} AS BIGINT[])`;
}

function ofOne(name: string, type: ValueType, sql: (bitmap: string) => string): FunctionRow {
  return typed(name, 1, (args, call) => ({
    sql: sql(bitmap(args[0]!, call, 0)),
    type: withNull(type, isNullable(args)),
  }));
}

/** What two bitmaps have together, and how many numbers that are (`bitmapAndCardinality`). */
function ofTwo(name: string, sql: (a: string, b: string, call: CallContext) => string): FunctionRow[] {
  const both = (args: readonly Printed[], call: CallContext): string =>
    onceEach([bitmap(args[0]!, call, 0), bitmap(args[1]!, call, 1)], call, (a, b) => {
      return `(CASE WHEN ${a!} IS NOT NULL AND ${b!} IS NOT NULL THEN ${sql(a!, b!, call)} END)`;
    });
  return [
    typed(name, 2, (args, call) => ({
      sql: `list_sort(${both(args, call)})`,
      type: withNull(BITMAP, isNullable(args)),
    })),
    typed(`${name}Cardinality`, 2, (args, call) => ({
      sql: `len(${both(args, call)})`,
      type: withNull(INT, isNullable(args)),
    })),
  ];
}

/**
 * Numbers of the first list that the second lacks. Both lists and their intersection are sorted together, so that a
 * shared number is next to its duplicate and the work does not grow with the product of their lengths.
 */
function without(a: string, b: string, call: CallContext): string {
  const [one, at] = [call.fresh(), call.fresh()];
  return once(`list_sort(${a} || list_intersect(${a}, ${b}))`, call, (all) => {
    const isAlone = `${one} IS DISTINCT FROM ${all}[${at} + 1] AND (${at} = 1 OR ${one} <> ${all}[${at} - 1])`;
    return `list_filter(${all}, lambda ${one}, ${at}: ${isAlone})`;
  });
}

function holds(name: string, duckdb: string): FunctionRow {
  return typed(name, 2, (args, call) => ({
    sql: `${duckdb}(${bitmap(args[0]!, call, 0)}, ${bitmap(args[1]!, call, 1)})`,
    type: withNull(BOOL, isNullable(args)),
  }));
}

/** A part of a bitmap, by two whole numbers. */
function part(
  name: string,
  sql: (list: string, first: string, second: string, one: string) => string,
): FunctionRow {
  return typed(name, 3, (args, call) => {
    const numbers = args.slice(1).map((one, at) => asWhole(one, call, at + 1).sql);
    const made = onceEach([bitmap(args[0]!, call, 0), ...numbers], call, (list, first, second) => {
      const isKnown = `${first!} IS NOT NULL AND ${second!} IS NOT NULL`;
      return `(CASE WHEN ${isKnown} THEN ${sql(list!, first!, second!, call.fresh())} END)`;
    });
    return { sql: made, type: withNull(BITMAP, isNullable(args)) };
  });
}

/** The numbers of all bitmaps of many rows, and how often each is there. */
function timesOf(value: Printed, call: CallContext): string {
  const all = aggregateCall(call, `list(${bitmap(value, call, 0)})`);
  return `coalesce(list_histogram(flatten(${all})), map())`;
}

/** How many numbers are in all bitmaps, in one, or in an odd number of them. */
function folding(name: string, counts: (times: string, bitmaps: string) => string): FunctionRow {
  return aggregate(name, 1, ([value], call) => {
    const times = call.fresh();
    const rows = aggregateCall(call, `count(${value!.sql})`);
    const sql = `len(list_filter(map_values(${timesOf(value!, call)}), lambda ${times}: ${counts(times, rows)}))`;
    return { sql, type: INT };
  });
}

/** `bitmapTransform(bitmap, [from…], [to…])`: numbers of the first list become those at the same place of the second. */
function transformed(args: readonly Printed[], call: CallContext): Printed {
  const lists = args.map((one, at) => wholeNumbers(one, call, at));
  const sql = onceEach(lists, call, (numbers, from, to) => {
    const one = call.fresh();
    const changed = `list_transform(${numbers!}, lambda ${one}: coalesce(${to!}[list_position(${from!}, ${one})], ${one}))`;
    const isLarge = `len(${from!}) > ${MOST_ITEMS_OF_ROWS} OR len(${from!}) <> len(${to!})`;
    return unlessTooLarge(isLarge, `list_sort(list_distinct(${changed}))`);
  });
  return { sql, type: withNull(BITMAP, isNullable(args)) };
}

/** Sets of whole numbers. */
export const bitmaps: readonly FunctionRow[] = [
  ofOne('bitmapBuild', BITMAP, (list) => list),
  ofOne('bitmapToArray', BITMAP, (list) => list),
  ofOne('bitmapCardinality', INT, (list) => `len(${list})`),
  ofOne('bitmapMin', withNull(INT), (list) => `list_min(${list})`),
  ofOne('bitmapMax', withNull(INT), (list) => `list_max(${list})`),
  typed('bitmapContains', 2, (args, call) => ({
    sql: `list_contains(${bitmap(args[0]!, call, 0)}, ${asWhole(args[1]!, call, 1).sql})`,
    type: withNull(BOOL, isNullable(args)),
  })),
  holds('bitmapHasAny', 'list_has_any'),
  holds('bitmapHasAll', 'list_has_all'),
  ...ofTwo('bitmapAnd', (a, b) => `list_intersect(${a}, ${b})`),
  ...ofTwo('bitmapOr', (a, b) => `list_distinct(${a} || ${b})`),
  ...ofTwo('bitmapXor', (a, b, call) => `(${without(a, b, call)} || ${without(b, a, call)})`),
  ...ofTwo('bitmapAndnot', without),
  part('bitmapSubsetInRange', (list, from, to, one) => {
    return `list_filter(${list}, lambda ${one}: ${one} >= ${from} AND ${one} < ${to})`;
  }),
  part('bitmapSubsetLimit', (list, from, count, one) => {
    return `list_slice(list_filter(${list}, lambda ${one}: ${one} >= ${from}), 1, greatest(${count}, 0))`;
  }),
  typed('bitmapTransform', 3, transformed),
  folding('groupBitmapAnd', (times, rows) => `${times} = ${rows}`),
  folding('groupBitmapOr', (times) => `${times} > 0`),
  folding('groupBitmapXor', (times) => `${times} % 2 = 1`),
  part('subBitmap', (list, offset, count) => {
    return `list_slice(${list}, ${offset} + 1, ${offset} + greatest(${count}, 0))`;
  }),
];
