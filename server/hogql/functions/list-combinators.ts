import { arrayOf, withNull, type ValueType } from '../value-type.ts';
import { aggregateCall } from './define-row.ts';
import type { CallContext, FunctionRow, Printed } from './function-row.ts';
import { unlessTooLarge } from './growth.ts';
import { once } from './local-time.ts';
import { asArray, asNumber, defaultOf } from './read-argument.ts';

/** Makes the aggregate with a combinator out of the one without. */
export type Combine = (row: FunctionRow) => FunctionRow;

/** Aggregates that can be taken of a list, by the aggregate of DuckDB that takes all its items. */
const OF_LISTS: Readonly<Record<string, string>> = {
  count: 'count',
  sum: 'sum',
  avg: 'avg',
  min: 'min',
  max: 'max',
  any: 'any_value',
  median: 'median',
  uniq: 'distinct',
  uniqExact: 'distinct',
  countDistinct: 'distinct',
  groupArray: 'all',
  groupUniqArray: 'distinct items',
};

/** Items of all arrays together that -ForEach looks at, place by place. */
const MOST_CELLS = 10_000_000;

/** Whether the aggregate can be taken of a list. */
export function takesLists(name: string): boolean {
  return Object.hasOwn(OF_LISTS, name);
}

/** Aggregates whose items are read as numbers. */
const OF_NUMBERS: ReadonlySet<string> = new Set(['sum', 'avg', 'median']);

/** The types of the items, and of what the aggregate gives of them. */
export interface Folded {
  readonly item: ValueType;
  readonly result: ValueType;
}

/** The aggregate of a list, whose items that are NULL do not count. */
export function ofList(
  { name }: Pick<FunctionRow, 'name'>,
  list: string,
  { item, result }: Folded,
  call: CallContext,
): string {
  const how = OF_LISTS[name]!;
  const one = call.fresh();
  const number = OF_NUMBERS.has(how) ? asNumber({ sql: one, type: item }, call, 0).sql : one;
  const read = number === one ? list : `list_transform(${list}, lambda ${one}: ${number})`;
  const items = `list_filter(${read}, lambda v: v IS NOT NULL)`;
  if (how === 'all') return items;
  if (how === 'distinct items') return `list_distinct(${items})`;
  if (how === 'distinct') return `len(list_distinct(${items}))`;
  if (how === 'count') return `len(${items})`;
  const sql = `list_aggregate(${items}, '${how}')`;
  // Of nothing these are not a number, here NULL.
  const isMeasure = how === 'avg' || how === 'median';
  return result.nullable || isMeasure ? sql : `coalesce(${sql}, ${defaultOf(result)})`;
}

/** What the aggregate gives for values of a type. */
export function foldedOf(row: FunctionRow, { sql, type: item }: Printed, call: CallContext): Folded {
  const { type } = row.print([{ sql, type: item }], call);
  return { item, result: OF_LISTS[row.name] === 'all' ? withNull(type, false) : type };
}

/** What all rows have, as one list that is empty where there is no row. */
function collected(sql: string, call: CallContext, condition?: string): string {
  return `coalesce(${aggregateCall(call, `list(${sql})`, condition)}, [])`;
}

/** SQL for the items of the lists that all rows have, one after the other. */
export function allItems(lists: string, call: CallContext): string {
  return `coalesce(flatten(${collected(lists, call)}), [])`;
}

function oneArray(args: readonly Printed[], call: CallContext): { sql: string; item: ValueType } {
  const { sql, type } = asArray(args[0]!, call, 0);
  return type.name === 'Array' ? { sql, item: type.item } : call.refuse('Expected an array.', 0);
}

/** `sumArray(array)`: over all items of all rows. */
export const ofArrays: Combine = (row) => ({
  ...row,
  minArgs: 1,
  maxArgs: 1,
  print: (args, call) => {
    const { sql, item } = oneArray(args, call);
    const folded = foldedOf(row, { sql, type: item }, call);
    return { sql: ofList(row, allItems(sql, call), folded, call), type: folded.result };
  },
});

/** `sumForEach(array)`: over the first items of all rows, over the second ones…, as an array as long as the longest. */
export const forEach: Combine = (row) => ({
  ...row,
  minArgs: 1,
  maxArgs: 1,
  print: (args, call) => {
    const { sql, item } = oneArray(args, call);
    const folded = foldedOf(row, { sql, type: item }, call);
    const [at, one] = [call.fresh(), call.fresh()];
    const known = args[0]!.type.nullable ? `${sql} IS NOT NULL` : undefined;
    const all = once(collected(sql, call, known), call, (rows) =>
      once(`coalesce(list_max(list_transform(${rows}, lambda ${one}: len(${one}))), 0)`, call, (longest) => {
        const place = ofList(row, `list_transform(${rows}, lambda ${one}: ${one}[${at}])`, folded, call);
        const places = `list_transform(range(1, ${longest} + 1), lambda ${at}: ${place})`;
        return unlessTooLarge(`len(${rows}) * ${longest} > ${MOST_CELLS}`, places);
      }),
    );
    return { sql: all, type: arrayOf(folded.result) };
  },
});

/**
 * SQL for a list of entries `{key, value}` with each key once, ordered by key; its value is the fold over the list of
 * all values of the key.
 */
export function perKey(entries: string, call: CallContext, fold: (values: string) => string): string {
  const [at, begin, entry] = [call.fresh(), call.fresh(), call.fresh()];
  return once(`list_sort(${entries})`, call, (sorted) => {
    const isFirst = `${at} = 1 OR ${sorted}[${at}].key IS DISTINCT FROM ${sorted}[${at} - 1].key`;
    const begins = `list_filter(range(1, len(${sorted}) + 1), lambda ${at}: ${isFirst})`;
    return once(begins, call, (starts) => {
      const end = `coalesce(${starts}[${at} + 1], len(${sorted}) + 1)`;
      // Not list_slice, with which DuckDB copies the whole list for each key.
      const values = `list_transform(range(${begin}, ${end}), lambda ${entry}: ${sorted}[${entry}].value)`;
      return `list_transform(${starts}, lambda ${begin}, ${at}: {'key': ${sorted}[${begin}].key, 'value': ${fold(values)}})`;
    });
  });
}

/** SQL for a map of what the aggregate gives of all values of each key. */
export function ofEntries(
  row: Pick<FunctionRow, 'name'>,
  entries: string,
  folded: Folded,
  call: CallContext,
): string {
  return `map_from_entries(${perKey(entries, call, (values) => ofList(row, values, folded, call))})`;
}

/** `sumMap(map)`: over the values of each key, as a map. */
export const ofMaps: Combine = (row) => ({
  ...row,
  minArgs: 1,
  maxArgs: 1,
  print: ([map], call) => {
    if (map!.type.name !== 'Map') {
      return call.refuse(`Expected a map, found type ${map!.type.name}.`, 0);
    }
    const { key, value } = map!.type;
    const folded = foldedOf(row, { sql: map!.sql, type: value }, call);
    const entries = allItems(`map_entries(${map!.sql})`, call);
    const type: ValueType = { name: 'Map', key, value: folded.result, nullable: false };
    return { sql: ofEntries(row, entries, folded, call), type };
  },
});

/** `sumArgMax(x, by)`: over the rows whose last argument is the least, or greatest, of all. */
function atExtreme(duckdb: 'list_min' | 'list_max'): Combine {
  return (row) => ({
    ...row,
    minArgs: row.minArgs + 1,
    maxArgs: 2,
    print: (args, call) => {
      const [value, by] = [args[0]!, args.at(-1)!];
      const folded = foldedOf(row, value, call);
      const condition = by.type.nullable ? `${by.sql} IS NOT NULL` : undefined;
      const one = call.fresh();
      const rows = collected(`{'value': ${value.sql}, 'by': ${by.sql}}`, call, condition);
      const sql = once(rows, call, (all) =>
        once(`${duckdb}(list_transform(${all}, lambda ${one}: ${one}.by))`, call, (extreme) => {
          const found = `list_filter(${all}, lambda ${one}: ${one}.by = ${extreme})`;
          return ofList(row, `list_transform(${found}, lambda ${one}: ${one}.value)`, folded, call);
        }),
      );
      return { sql, type: folded.result };
    },
  });
}

/** `sumArgMin(x, by)` */
export const atLeast = atExtreme('list_min');
/** `sumArgMax(x, by)` */
export const atGreatest = atExtreme('list_max');
