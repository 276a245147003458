import { arrayOf, scalar, tupleOf, withNull, type ValueType } from '../../value-type.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { asText, writtenText, writtenWhole } from '../read-argument.ts';
import { together } from './aggregates.ts';

/** What is collected: several arguments as tuples, without NULL. */
function item(args: readonly Printed[]): Printed {
  const type: ValueType = args.length === 1 ? args[0]!.type : tupleOf(args.map((one) => one.type));
  return { sql: together(args), type: withNull(type, false) };
}

function known(args: readonly Printed[]): string | undefined {
  const conditions = args.filter(({ type }) => type.nullable).map(({ sql }) => `${sql} IS NOT NULL`);
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}

/** The values as an array, at most as many as the parameter says. */
function collected(args: readonly Printed[], call: CallContext, isDistinct: boolean): Printed {
  const value = item(args);
  const order = call.order === '' ? '' : ` ${call.order}`;
  const list = aggregateCall(call, `list(${isDistinct ? 'DISTINCT ' : ''}${value.sql}${order})`, known(args));
  const most = call.params.length === 0 ? null : writtenWhole(call.params, 0, call, 'The size');
  const sized = most === null ? list : `list_slice(${list}, 1, ${most})`;
  return { sql: `coalesce(${sized}, [])`, type: arrayOf(value.type) };
}

function collecting(name: string, isDistinct: boolean): FunctionRow {
  const row = aggregate(name, [1, 1], (args, call) => collected(args, call, isDistinct || call.distinct));
  return { ...row, minParams: 0, maxParams: 1 };
}

/** The most frequent values, the most frequent first, equals in their own order; exact. */
function topK(args: readonly Printed[], call: CallContext): Printed {
  const most = call.params.length === 0 ? 10 : writtenWhole(call.params, 0, call, 'The number of values');
  const entries = `map_entries(${aggregateCall(call, `histogram(${args[0]!.sql})`, known(args))})`;
  const [entry, pair] = [call.fresh(), call.fresh()];
  const ranked = `list_sort(list_transform(${entries}, lambda ${entry}: {'n': -CAST(${entry}.value AS BIGINT), 'v': ${entry}.key}))`;
  const values = `list_transform(list_slice(${ranked}, 1, ${most}), lambda ${pair}: ${pair}.v)`;
  return { sql: `coalesce(${values}, [])`, type: arrayOf(withNull(args[0]!.type, false)) };
}

/** Texts in one, with the separator between them. */
function joined(args: readonly Printed[], call: CallContext): Printed {
  const separator = call.params.length === 0 ? '' : writtenText(call.params, 0, call, 'The separator');
  const order = call.order === '' ? '' : ` ${call.order}`;
  const text = `string_agg(${asText(args[0]!, call).sql}, ${call.bind(separator).sql}${order})`;
  const type = scalar('String', args[0]!.type.nullable);
  const sql = aggregateCall(call, text);
  return { sql: type.nullable ? sql : `coalesce(${sql}, '')`, type };
}

export const collections: readonly FunctionRow[] = [
  collecting('groupArray', false),
  collecting('array_agg', false),
  collecting('groupUniqArray', true),
  { ...aggregate('topK', 1, topK), minParams: 0, maxParams: 1 },
  { ...aggregate('groupConcat', 1, joined), minParams: 0, maxParams: 1 },
];
