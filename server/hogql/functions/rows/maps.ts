import { duckdbType, isNumeric, scalar, type ValueType } from '../../value-type.ts';
import { commonType } from '../common-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { likeSql } from '../like.ts';
import { MOST_ITEMS_OF_ROWS, onceEach, unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asText, asWhole } from '../read-argument.ts';
import { boundedItems } from '../value-size.ts';
import { tuplePartSql } from '../../tuple-sql.ts';
import { holding } from './lambdas.ts';

type MapType = Extract<ValueType, { name: 'Map' }>;

function mapOf(value: Printed, call: CallContext, at: number): MapType {
  return value.type.name === 'Map'
    ? value.type
    : call.refuse(`Expected a map, found type ${value.type.name}.`, at);
}

/** Maps as maps of one type; looking up a key takes time by the size of a map, so that all are bounded. */
function alike(args: readonly Printed[], call: CallContext): { type: MapType; sql: string[] } {
  const types = args.map((map, at) => mapOf(map, call, at));
  const type = types.reduce<MapType>((all, one, at) => {
    const [key, value] = [commonType(all.key, one.key), commonType(all.value, one.value)];
    if (key === null || value === null) return call.refuse('Expected maps of the same type.', at);
    return { name: 'Map', key, value, nullable: all.nullable || one.nullable };
  }, types[0]!);
  return { type, sql: args.map(({ sql }) => `CAST(${sql} AS ${duckdbType(type)})`) };
}

function bounded(maps: readonly string[], sql: string): string {
  const keys = maps.map((map) => `cardinality(${map})`).join(' + ');
  return unlessTooLarge(`${keys} > ${MOST_ITEMS_OF_ROWS}`, sql);
}

/** All keys of several maps in their order, each with the value that `value` builds from its values. */
function merged(maps: readonly string[], call: CallContext, value: (key: string) => string): string {
  const key = call.fresh();
  const keys = `list_sort(list_distinct(${maps.map((map) => `map_keys(${map})`).join(' || ')}))`;
  const all = once(
    keys,
    call,
    (list) => `map(${list}, list_transform(${list}, lambda ${key}: ${value(key)}))`,
  );
  const isThere = maps.map((map) => `${map} IS NOT NULL`).join(' AND ');
  return bounded(maps, `(CASE WHEN ${isThere} THEN ${all} END)`);
}

/** `mapAdd(map, …)`: sums, or differences, key by key; a key that a map has not counts as 0. */
function arithmetic(name: string, sign: string): FunctionRow {
  return typed(name, [2, 10], (args, call) => {
    const { type, sql } = alike(args, call);
    if (!isNumeric(type.value) && type.value.name !== 'Nothing') {
      return call.refuse('Expected maps with numeric values.', 0);
    }
    const made = onceEach(sql, call, (...maps) =>
      merged(maps, call, (key) => `(${maps.map((map) => `coalesce(${map}[${key}], 0)`).join(` ${sign} `)})`),
    );
    return { sql: made, type };
  });
}

/** `mapUpdate(map, other)`: what the other has takes the place of what was there. */
function updated(args: readonly Printed[], call: CallContext): Printed {
  const { type, sql } = alike(args, call);
  const made = onceEach(sql, call, (map, other) => {
    const keys = call.fresh();
    const kept = `list_filter(map_keys(${map!}), lambda ${keys}: NOT map_contains(${other!}, ${keys}))`;
    const values = `list_transform(${kept}, lambda ${keys}: ${map!}[${keys}])`;
    const all = `map(${kept} || map_keys(${other!}), ${values} || map_values(${other!}))`;
    return bounded(
      [map!, other!],
      `(CASE WHEN ${map!} IS NOT NULL AND ${other!} IS NOT NULL THEN ${all} END)`,
    );
  });
  return { sql: made, type };
}

/** Entries of a map, as parameters of a lambda of two. */
function entry(args: readonly Printed[], call: CallContext): { name: string; made: Printed; type: MapType } {
  const [lambda, map] = args;
  if (lambda!.lambda === undefined || lambda!.arity !== 2) {
    return call.refuse('Expected a lambda with two parameters: (key, value) -> …', 0);
  }
  const type = mapOf(map!, call, 1);
  const name = call.fresh();
  const made = lambda!.lambda([
    { sql: `${name}.key`, type: type.key },
    { sql: `${name}.value`, type: type.value },
  ]);
  return { name, made, type };
}

/** `mapFilter((key, value) -> …, map)` */
function filtered(args: readonly Printed[], call: CallContext): Printed {
  const { name, made, type } = entry(args, call);
  const condition = holding(made, call, 0).sql;
  const entries = `list_filter(map_entries(${args[1]!.sql}), lambda ${name}: ${condition})`;
  return { sql: `map_from_entries(${entries})`, type };
}

/** `mapApply((key, value) -> (key, value), map)` */
function applied(args: readonly Printed[], call: CallContext): Printed {
  const { name, made, type } = entry(args, call);
  if (made.type.name !== 'Tuple' || made.type.items.length !== 2) {
    return call.refuse('The lambda must return a tuple of key and value.', 0);
  }
  const [key, value] = made.type.items;
  const pair = `{'key': ${tuplePartSql(made.sql, 1)}, 'value': ${tuplePartSql(made.sql, 2)}}`;
  const parameters = [
    { sql: `${name}.key`, type: type.key },
    { sql: `${name}.value`, type: type.value },
  ];
  const place = call.fresh();
  const entryAt = boundedItems({ ...made, sql: pair }, parameters, place, call) ?? pair;
  return {
    sql: `map_from_entries(list_transform(map_entries(${args[1]!.sql}), lambda ${name}, ${place}: ${entryAt}))`,
    type: { name: 'Map', key: key!, value: value!, nullable: type.nullable },
  };
}

/** The entries whose key has a shape of LIKE. */
function likeKeys(args: readonly Printed[], call: CallContext, make: (entries: string) => string): string {
  mapOf(args[0]!, call, 0);
  const name = call.fresh();
  const isLike = likeSql(`${name}.key`, asText(args[1]!, call, 1), false, call);
  return make(`list_filter(map_entries(${args[0]!.sql}), lambda ${name}: ${isLike})`);
}

/** `mapPopulateSeries(map, [last])`: all whole keys from the first to the last one; those that were missing with 0. */
function populated(args: readonly Printed[], call: CallContext): Printed {
  const type = mapOf(args[0]!, call, 0);
  if (!isWhole(type.key) || !isNumeric(type.value)) {
    return call.refuse('Expected a map from whole numbers to numbers.', 0);
  }
  const last = args[1] === undefined ? 'NULL' : asWhole(args[1], call, 1).sql;
  const sql = onceEach([args[0]!.sql, last], call, (map, end) => {
    const key = call.fresh();
    const [least, most] = [`list_min(map_keys(${map!}))`, `coalesce(${end!}, list_max(map_keys(${map!})))`];
    const keys = `range(${least}, ${most} + 1)`;
    const filled = `map(${keys}, list_transform(${keys}, lambda ${key}: coalesce(${map!}[${key}], 0)))`;
    const sized = unlessTooLarge(`${most} - ${least} > ${MOST_ITEMS_OF_ROWS}`, filled);
    return `(CASE WHEN cardinality(${map!}) > 0 THEN ${sized} ELSE ${map!} END)`;
  });
  return { sql, type };
}

function isWhole(type: ValueType): boolean {
  return isNumeric(type) && type.name !== 'Float64';
}

/** Functions of maps that make maps. */
export const maps: readonly FunctionRow[] = [
  typed('mapPopulateSeries', [1, 2], populated),
  arithmetic('mapAdd', '+'),
  arithmetic('mapSubtract', '-'),
  typed('mapUpdate', 2, updated),
  typed('mapFilter', 2, filtered),
  typed('mapApply', 2, applied),
  typed('mapContainsKeyLike', 2, (args, call) => ({
    sql: likeKeys(args, call, (entries) => `(len(${entries}) > 0)`),
    type: scalar('Bool', args[0]!.type.nullable),
  })),
  typed('mapExtractKeyLike', 2, (args, call) => ({
    sql: likeKeys(args, call, (entries) => `map_from_entries(${entries})`),
    type: mapOf(args[0]!, call, 0),
  })),
];
