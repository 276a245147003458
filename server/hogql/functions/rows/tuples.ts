import { arrayOf, scalar, tupleOf, type ValueType } from '../../value-type.ts';
import { tuplePartSql, tupleSql } from '../../tuple-sql.ts';
import { unify } from '../common-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { writtenWhole } from '../read-argument.ts';
import { boundedParts } from '../value-size.ts';

function mapType(map: Printed, call: CallContext): { key: ValueType; value: ValueType } {
  const { type } = map;
  return type.name === 'Map' ? type : call.refuse(`Expected a map, found type ${type.name}.`, 0);
}

/** `map(key, value, …)`; of a key that is written out twice the last value stays. */
function map(all: readonly Printed[], call: CallContext): Printed {
  if (all.length % 2 !== 0) return call.refuse('Expected pairs of keys and values.');
  const isLast = (at: number): boolean =>
    !all.some((other, place) => place % 2 === 0 && place > at && isSame(all[at]!, other));
  const args = all.filter((_, at) => isLast(at - (at % 2)));
  const keys = unify(
    args.filter((_, at) => at % 2 === 0),
    call,
  );
  const values = unify(
    args.filter((_, at) => at % 2 === 1),
    call,
  );
  const sql = `map([${keys.sql.join(', ')}], [${values.sql.join(', ')}])`;
  return { sql, type: { name: 'Map', key: keys.type, value: values.type, nullable: false } };
}

function isSame(a: Printed, b: Printed): boolean {
  return a.constant !== undefined && a.constant === b.constant;
}

function element([tuple, at]: readonly Printed[], call: CallContext): Printed {
  if (tuple!.type.name !== 'Tuple') return call.refuse('Expected a tuple.', 0);
  const place = writtenWhole([at!], 0, call, 'The tuple index');
  const type =
    tuple!.type.items[place - 1] ?? call.refuse(`The tuple has ${tuple!.type.items.length} elements.`, 1);
  return { sql: tuplePartSql(tuple!.sql, place), type };
}

/** `tupleToNameValuePairs(tuple)`: its parts with their names, which are their places. */
function namedParts([tuple]: readonly Printed[], call: CallContext): Printed {
  if (tuple!.type.name !== 'Tuple') return call.refuse('Expected a tuple.', 0);
  const { items } = tuple!.type;
  const parts = unify(
    items.map((type, at) => ({ sql: tuplePartSql(tuple!.sql, at + 1), type })),
    call,
  );
  const pairs = parts.sql.map((part, at) => tupleSql([`'${at + 1}'`, part]));
  return { sql: `[${pairs.join(', ')}]`, type: arrayOf(tupleOf([scalar('String'), parts.type])) };
}

export const tuples: readonly FunctionRow[] = [
  typed('tupleToNameValuePairs', 1, namedParts),
  typed('tuple', [0, Infinity], (args, call) => ({
    sql: boundedParts(args, call, tupleSql),
    type: tupleOf(args.map(({ type }) => type)),
    parts: args,
  })),
  typed('tupleElement', 2, element),
  typed('map', [0, Infinity], map),
  typed('mapFromArrays', 2, ([keys, values], call) => {
    if (keys!.type.name !== 'Array' || values!.type.name !== 'Array')
      return call.refuse('Expected two arrays.');
    const type = { name: 'Map', key: keys!.type.item, value: values!.type.item, nullable: false } as const;
    return { sql: `map(${keys!.sql}, ${values!.sql})`, type };
  }),
  typed('mapKeys', 1, ([of], call) => ({
    sql: `map_keys(${of!.sql})`,
    type: arrayOf(mapType(of!, call).key),
  })),
  typed('mapValues', 1, ([of], call) => ({
    sql: `map_values(${of!.sql})`,
    type: arrayOf(mapType(of!, call).value),
  })),
  ...['mapContains', 'mapContainsKey'].map((name) =>
    typed(name, 2, ([of, key], call) => {
      mapType(of!, call);
      return { sql: `map_contains(${of!.sql}, ${key!.sql})`, type: scalar('Bool') };
    }),
  ),
];
