import { withNull } from '../value-type.ts';
import { aggregateCall } from './define-row.ts';
import type { FunctionRow, Printed } from './function-row.ts';
import { asArray, asCondition, defaultOf } from './read-argument.ts';

/** Endings that ClickHouse puts behind an aggregate, that make no sense for values that are not kept unfinished. */
const REFUSED = [
  'State',
  'Merge',
  'SimpleState',
  'MergeState',
  'ForEach',
  'Resample',
  'ArgMin',
  'ArgMax',
  'Map',
];

/** Whether the name ends like a combinator that is not offered. */
export function refusedCombinator(name: string, isAggregate: (base: string) => boolean): string | null {
  return (
    REFUSED.find((ending) => name.endsWith(ending) && isAggregate(name.slice(0, -ending.length))) ?? null
  );
}

type Combine = (row: FunctionRow) => FunctionRow;

/** `sumIf(x, condition)`: only the rows for which the condition, the last argument, holds. */
const onlyIf: Combine = (row) => ({
  ...row,
  minArgs: row.minArgs + 1,
  maxArgs: row.maxArgs + 1,
  print: (args, call) => {
    const condition = asCondition(args.at(-1)!, call, args.length - 1).sql;
    const filter = call.filter === undefined ? condition : `${condition} AND ${call.filter}`;
    return row.print(args.slice(0, -1), { ...call, filter });
  },
});

/** `sumDistinct(x)`: each value once. */
const distinct: Combine = (row) => ({
  ...row,
  print: (args, call) => row.print(args, { ...call, distinct: true }),
});

/** `sumOrNull(x)`: NULL instead of the default when there are no rows. Lists, which are never NULL, stay empty. */
const orNull: Combine = (row) => ({
  ...row,
  print: (args, call) => {
    const printed = row.print(
      args.map((one) => ({ ...one, type: withNull(one.type) })),
      call,
    );
    const { type, sql } = printed;
    if (type.name === 'Array' || type.name === 'Lambda' || type.nullable) return printed;
    const rows = aggregateCall(call, `count(${args[0]?.sql ?? '*'})`);
    return { sql: `(CASE WHEN ${rows} > 0 THEN ${sql} END)`, type: withNull(type) };
  },
});

/** `sumOrDefault(x)`: the default of the type instead of NULL. */
const orDefault: Combine = (row) => ({
  ...row,
  print: (args, call) => {
    const { sql, type } = row.print(args, call);
    return { sql: `coalesce(${sql}, ${defaultOf(type)})`, type: withNull(type, false) };
  },
});

/** Aggregates of arrays by the aggregate of DuckDB that takes all their items as one list. */
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
  groupArray: 'all',
  groupUniqArray: 'distinct items',
};

/** `sumArray(array)`: over all items of all rows. */
const ofArrays: Combine = (row) => ({
  ...row,
  minArgs: 1,
  maxArgs: 1,
  print: (args, call) => {
    const array = asArray(args[0]!, call, 0);
    if (array.type.name !== 'Array') return call.refuse('An array is wanted here.', 0);
    const { item } = array.type;
    const { type } = row.print([{ sql: array.sql, type: item }], call);
    const filter = call.filter === undefined ? '' : ` FILTER (WHERE ${call.filter})`;
    const items = `list_filter(flatten(list(${array.sql})${filter}${call.suffix === '' ? '' : ` ${call.suffix}`}), lambda v: v IS NOT NULL)`;
    return ofList(OF_LISTS[row.name]!, `coalesce(${items}, [])`, { sql: array.sql, type });
  },
});

function ofList(how: string, items: string, result: Printed): Printed {
  const { type } = result;
  if (how === 'all') return { sql: items, type: withNull(type, false) };
  if (how === 'distinct items') return { sql: `list_distinct(${items})`, type };
  if (how === 'distinct' || how === 'count') {
    return { sql: `len(${how === 'count' ? items : `list_distinct(${items})`})`, type };
  }
  const sql = `list_aggregate(${items}, '${how}')`;
  return { sql: type.nullable ? sql : `coalesce(${sql}, ${defaultOf(type)})`, type };
}

/** The combinators by their ending; several may follow each other, and the last one is applied first. */
const COMBINATORS: readonly (readonly [ending: string, combine: Combine])[] = [
  ['If', onlyIf],
  ['Distinct', distinct],
  ['OrNull', orNull],
  ['OrDefault', orDefault],
  ['Array', ofArrays],
];

/** The aggregate that a name with combinators means (`sumIf`, `uniqArrayIf`), or null. */
export function combined(name: string, base: (name: string) => FunctionRow | null): FunctionRow | null {
  for (const [ending, combine] of COMBINATORS) {
    if (!name.toLowerCase().endsWith(ending.toLowerCase())) continue;
    const stem = name.slice(0, -ending.length);
    const row = base(stem) ?? combined(stem, base);
    if (row?.aggregate !== true) continue;
    if (combine === ofArrays && OF_LISTS[row.name] === undefined) continue;
    return { ...combine(row), name };
  }
  return null;
}

/** All endings, for those who look for a name that is near. */
export const COMBINATOR_ENDINGS = COMBINATORS.map(([ending]) => ending);
