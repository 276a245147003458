import { arrayOf, scalar, tupleOf, withNull, type ValueType } from '../../value-type.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { MOST_ITEMS_OF_ROWS, unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asText, asWhole, defaultOf, writtenSize, writtenText, writtenWhole } from '../read-argument.ts';
import { commonType, unify } from '../common-type.ts';
import { allKnown, together } from './aggregates.ts';
import { plainOf } from './json.ts';

/** What is collected: several arguments as tuples, without NULL. */
function item(args: readonly Printed[]): Printed {
  const type: ValueType = args.length === 1 ? args[0]!.type : tupleOf(args.map((one) => one.type));
  return { sql: together(args), type: withNull(type, false) };
}

/** What follows the last argument of DuckDB's aggregate. */
export function orderOf({ order }: CallContext): string {
  return order === '' ? '' : ` ${order}`;
}

/** The values as an array, at most as many as the parameter says. */
function collected(args: readonly Printed[], call: CallContext, isDistinct: boolean): Printed {
  const value = item(args);
  const distinct = isDistinct ? 'DISTINCT ' : '';
  const list = aggregateCall(call, `list(${distinct}${value.sql}${orderOf(call)})`, allKnown(args));
  const most = call.params.length === 0 ? null : writtenSize(call.params, 0, call, 'The size');
  const sized = most === null ? list : `list_slice(${list}, 1, ${most})`;
  return { sql: `coalesce(${sized}, [])`, type: arrayOf(value.type) };
}

function collecting(name: string, isDistinct: boolean): FunctionRow {
  const row = aggregate(name, [1, 1], (args, call) => collected(args, call, isDistinct || call.distinct));
  return { ...row, minParams: 0, maxParams: 1 };
}

/** The most frequent values, the most frequent first, equals in their own order; exact. */
function topK(args: readonly Printed[], call: CallContext): Printed {
  const most = call.params.length === 0 ? 10 : writtenSize(call.params, 0, call, 'The number of values');
  const entries = `map_entries(${aggregateCall(call, `histogram(${args[0]!.sql})`, allKnown(args))})`;
  const [entry, pair] = [call.fresh(), call.fresh()];
  const ranked = `list_sort(list_transform(${entries}, lambda ${entry}: {'n': -CAST(${entry}.value AS BIGINT), 'v': ${entry}.key}))`;
  const values = `list_transform(list_slice(${ranked}, 1, ${most}), lambda ${pair}: ${pair}.v)`;
  return { sql: `coalesce(${values}, [])`, type: arrayOf(withNull(args[0]!.type, false)) };
}

/** Texts in one, with the separator between them. */
function joined(args: readonly Printed[], call: CallContext): Printed {
  const separator = call.params.length === 0 ? '' : writtenText(call.params, 0, call, 'The separator');
  const text = `string_agg(${asText(args[0]!, call).sql}, ${call.bind(separator).sql}${orderOf(call)})`;
  const type = scalar('String', args[0]!.type.nullable);
  const sql = aggregateCall(call, text);
  return { sql: type.nullable ? sql : `coalesce(${sql}, '')`, type };
}

/** The default seed of a sample, so that a repeated query has the same result. */
const SEED = 123_456;

/** `groupArraySample(size, [seed])(x)`: so many of the values, each as likely as the others; the same for one seed. */
function sample(args: readonly Printed[], call: CallContext): Printed {
  const size = writtenSize(call.params, 0, call, 'The size');
  const seed = call.params.length === 1 ? SEED : writtenWhole(call.params, 1, call, 'The seed');
  const value = item(args);
  const list = `coalesce(${aggregateCall(call, `list(${value.sql}${orderOf(call)})`, allKnown(args))}, [])`;
  const [one, at] = [call.fresh(), call.fresh()];
  const sql = once(list, call, (all) => {
    const places = `list_transform(range(1, len(${all}) + 1), lambda ${at}: {'by': hash(${at}, ${seed}), 'at': ${at}})`;
    const chosen = `list_sort(list_transform(list_slice(list_sort(${places}), 1, ${size}), lambda ${one}: ${one}.at))`;
    return `list_transform(${chosen}, lambda ${at}: ${all}[${at}])`;
  });
  return { sql, type: arrayOf(value.type) };
}

/** `groupArrayInsertAt([default, [size]])(x, place)`: each value at its place, from 0; the first one where several are. */
function insertedAt([value, place]: readonly Printed[], call: CallContext): Printed {
  const known = { sql: value!.sql, type: withNull(value!.type, false) };
  const filling = call.params[0] ?? { sql: defaultOf(known.type), type: known.type };
  if (commonType(known.type, filling.type) === null) {
    return call.refuse(
      `A value of type ${filling.type.name} cannot be added to values of type ${known.type.name}.`,
      0,
    );
  }
  const { sql: typed, type } = unify([known, filling], call);
  const size = call.params.length < 2 ? null : writtenSize(call.params, 1, call, 'The size');
  const at = asWhole(place!, call, 1);
  const conditions = [
    `${at.sql} >= 0`,
    ...(size === null ? [] : [`${at.sql} < ${size}`]),
    ...(value!.type.nullable ? [`${value!.sql} IS NOT NULL`] : []),
  ].join(' AND ');
  const inserted = aggregateCall(
    call,
    `list({'at': ${at.sql}, 'value': ${typed[0]!}}${orderOf(call)})`,
    conditions,
  );
  const [one, n] = [call.fresh(), call.fresh()];
  const sql = once(`coalesce(${inserted}, [])`, call, (rows) => {
    const last = `list_max(list_transform(${rows}, lambda ${one}: ${one}.at))`;
    return once(size === null ? `coalesce(${last} + 1, 0)` : `${size}`, call, (length) => {
      // What fills a place comes behind all that rows put there; of each place the first is taken.
      const given = `list_transform(${rows}, lambda ${one}, ${n}: {'at': ${one}.at, 'n': ${n}, 'value': ${one}.value})`;
      const filled = `list_transform(range(0, ${length}), lambda ${n}: {'at': ${n}, 'n': len(${rows}) + 1, 'value': ${typed[1]!}})`;
      const all = once(`list_sort(${given} || ${filled})`, call, (sorted) => {
        const isFirst = `${n} = 1 OR ${sorted}[${n}].at <> ${sorted}[${n} - 1].at`;
        return `list_transform(list_filter(${sorted}, lambda ${one}, ${n}: ${isFirst}), lambda ${one}: ${one}.value)`;
      });
      return unlessTooLarge(`${length} > ${MOST_ITEMS_OF_ROWS}`, all);
    });
  });
  return { sql, type: arrayOf(type) };
}

/** `json_agg(x)`: all values as the text of a JSON array. */
function jsonOf(args: readonly Printed[], call: CallContext): Printed {
  const list = collected(args, call, call.distinct);
  return { sql: `CAST(to_json(${plainOf(list, call)}) AS VARCHAR)`, type: scalar('String') };
}

export const collections: readonly FunctionRow[] = [
  collecting('groupArray', false),
  collecting('array_agg', false),
  collecting('groupUniqArray', true),
  { ...aggregate('topK', 1, topK), minParams: 0, maxParams: 1 },
  { ...aggregate('groupConcat', 1, joined), minParams: 0, maxParams: 1 },
  { ...aggregate('groupArraySample', 1, sample), minParams: 1, maxParams: 2 },
  { ...aggregate('groupArrayInsertAt', 2, insertedAt), minParams: 0, maxParams: 2 },
  aggregate('json_agg', 1, jsonOf),
];
