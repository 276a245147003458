import { withNull } from '../value-type.ts';
import { aggregateCall } from './define-row.ts';
import type { FunctionRow } from './function-row.ts';
import {
  atGreatest,
  atLeast,
  forEach,
  ofArrays,
  ofMaps,
  takesLists,
  type Combine,
} from './list-combinators.ts';
import { asCondition, defaultOf } from './read-argument.ts';
import { hasState, keepState, mergeStates } from './states.ts';

/** Endings that ClickHouse puts behind an aggregate, which not every aggregate takes here. */
const REFUSED = [
  'State',
  'Merge',
  'SimpleState',
  'MergeState',
  'Resample',
  'Array',
  'ForEach',
  'ArgMin',
  'ArgMax',
  'Map',
];

/** Why a name is no function that is an aggregate with the ending of a combinator, or null. */
export function refusedCombinator(name: string, isAggregate: (base: string) => boolean): string | null {
  for (const ending of REFUSED) {
    const base = name.slice(0, -ending.length);
    if (name.endsWith(ending) && isAggregate(base))
      return `The combinator -${ending} is not supported for "${base}".`;
  }
  return null;
}

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

/** The combinators by their ending; several may follow each other, and the last one is applied first. */
const COMBINATORS: readonly (readonly [ending: string, combine: Combine])[] = [
  ['If', onlyIf],
  ['Distinct', distinct],
  ['OrNull', orNull],
  ['OrDefault', orDefault],
  ['Array', ofArrays],
  ['ForEach', forEach],
  ['Map', ofMaps],
  ['ArgMin', atLeast],
  ['ArgMax', atGreatest],
  ['State', keepState],
  ['Merge', mergeStates],
];

/** Those that bring the values of all rows together in a list first. */
const BY_LIST: ReadonlySet<Combine> = new Set([ofArrays, forEach, ofMaps, atLeast, atGreatest]);

/** Those that keep what an aggregate has of its rows. */
const BY_STATE: ReadonlySet<Combine> = new Set([keepState, mergeStates]);

/** The aggregate that a name with combinators means (`sumIf`, `uniqArrayIf`), or null. */
export function combined(name: string, base: (name: string) => FunctionRow | null): FunctionRow | null {
  for (const [ending, combine] of COMBINATORS) {
    if (!name.toLowerCase().endsWith(ending.toLowerCase())) continue;
    const stem = name.slice(0, -ending.length);
    const row = base(stem) ?? combined(stem, base);
    if (row?.aggregate !== true) continue;
    if (BY_LIST.has(combine) && !takesLists(row.name)) continue;
    if (BY_STATE.has(combine) && !hasState(row)) continue;
    return { ...combine(row), name: `${row.name}${ending}` };
  }
  return null;
}

/** All endings, for those who look for a name that is near. */
export const COMBINATOR_ENDINGS = COMBINATORS.map(([ending]) => ending);
