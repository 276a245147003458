import { arrayOf, tupleOf, withNull, type ValueType } from '../../value-type.ts';
import { tuplePartSql, tupleSql } from '../../tuple-sql.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { foldedOf, ofList, ofMaps, perKey } from '../list-combinators.ts';
import { once } from '../local-time.ts';
import { asArray, defaultOf } from '../read-argument.ts';
import { aggregates } from './aggregates.ts';
import { itemOf } from './arrays.ts';

/** Keys and values, from two arrays or from a tuple of two. */
function pairOf(args: readonly Printed[], call: CallContext): readonly [Printed, Printed] {
  const [first, second] = args;
  if (second !== undefined) return [asArray(first!, call, 0), asArray(second, call, 1)];
  const { type, sql } = first!;
  if (type.name !== 'Tuple' || type.items.length !== 2) {
    return call.refuse('Expected a map, or an array of keys and an array of values.', 0);
  }
  const parts = type.items.map((item, at): Printed => ({ sql: tuplePartSql(sql, at + 1), type: item }));
  for (const part of parts) asArray(part, call, 0);
  return [parts[0]!, parts[1]!];
}

/** Keys and values of all rows as entries; arrays that are not of one length are an error, as in ClickHouse. */
function entriesOf(keys: string, values: string, call: CallContext): string {
  const one = call.fresh();
  const pairs = `list_transform(list_zip(${keys}, ${values}), lambda ${one}: {'key': ${one}[1], 'value': ${one}[2]})`;
  const alike = `(CASE WHEN len(${keys}) <> len(${values}) THEN error('Keys and values must have the same length') ELSE ${pairs} END)`;
  const condition = `${keys} IS NOT NULL AND ${values} IS NOT NULL`;
  return `coalesce(flatten(${aggregateCall(call, `list(${alike})`, condition)}), [])`;
}

/** A number that is 0, which sumMap leaves out with its key. */
function isZero(value: string, type: ValueType): string {
  return `${value} = ${defaultOf(type)}`;
}

/** `sumMap(map)`, `sumMap(keys, values)` and `sumMap(tuple(keys, values))`; of arrays it gives a tuple of two. */
function byKey(name: 'sum' | 'min' | 'max'): FunctionRow {
  const row = aggregates.find((one) => one.name === name)!;
  const ofMap = ofMaps(row);
  return aggregate(`${name}Map`, [1, 2], (args, call) => {
    if (args.length === 1 && args[0]!.type.name === 'Map') return ofMap.print(args, call);
    const [keys, values] = pairOf(args, call);
    const folded = foldedOf(row, { sql: values.sql, type: itemOf(values, call, args.length - 1) }, call);
    const type = withNull(folded.result, false);
    const [entry, kept] = [call.fresh(), call.fresh()];
    const entries = perKey(entriesOf(keys.sql, values.sql, call), call, (list) =>
      ofList(row, list, { ...folded, result: type }, call),
    );
    const shown =
      name === 'sum'
        ? `list_filter(${entries}, lambda ${kept}: NOT (${isZero(`${kept}.value`, type)}))`
        : entries;
    const sql = once(shown, call, (all) =>
      tupleSql(['key', 'value'].map((part) => `list_transform(${all}, lambda ${entry}: ${entry}.${part})`)),
    );
    return { sql, type: tupleOf([arrayOf(itemOf(keys, call)), arrayOf(type)]) };
  });
}

/** Aggregates of the values of each key. */
export const mapAggregates: readonly FunctionRow[] = [byKey('sum'), byKey('min'), byKey('max')];
