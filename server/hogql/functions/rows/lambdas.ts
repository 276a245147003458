import { arrayOf, scalar, withNull, type ValueType } from '../../value-type.ts';
import { unify } from '../common-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asArray, asCondition, asNumber, defaultOf, type Reader } from '../read-argument.ts';
import { boundedItems, boundedState } from '../value-size.ts';
import { foldedList } from '../fold.ts';
import { itemOf } from './arrays.ts';

const INT = scalar('UInt64');
const BOOL = scalar('Bool');

/** A lambda over the items of one array, or over those of several arrays at the same place. */
export interface Applied {
  /** The array over which it runs: the only one, or all of them zipped. */
  list: string;
  /** DuckDB's lambda. */
  lambda: string;
  result: ValueType;
  /** An item of the first array, taken out of an item of `list`. */
  first: (item: string) => string;
}

/** Puts the lambda to work; without one, the items themselves are what it would make of them. */
function applied(args: readonly Printed[], read: Reader, call: CallContext): Applied {
  const [maybe, ...others] = args;
  const makes = maybe!.lambda;
  const arrays = (makes === undefined ? args : others).map((array, at) => asArray(array, call, at + 1));
  if (arrays.length === 0) return call.refuse('Expected an array after the lambda.');
  const items = arrays.map((array, at) => itemOf(array, call, at + 1));
  const arity = makes === undefined ? 1 : (maybe!.arity ?? arrays.length);
  if (arity !== arrays.length)
    return call.refuse(`The lambda has ${arity} parameters, but ${arrays.length} arrays were passed.`, 0);
  const name = call.fresh();
  const isOne = arrays.length === 1;
  const parameters = items.map((type, at) => ({
    sql: isOne ? name : `struct_extract(${name}, ${at + 1})`,
    type,
  }));
  const made = read(makes === undefined ? parameters[0]! : makes(parameters), call, 0);
  const place = call.fresh();
  const bounded = boundedItems(made, parameters, place, call);
  return {
    list: isOne ? arrays[0]!.sql : `list_zip(${arrays.map(({ sql }) => sql).join(', ')})`,
    lambda: bounded === null ? `lambda ${name}: ${made.sql}` : `lambda ${name}, ${place}: ${bounded}`,
    result: made.type,
    first: (item) => (isOne ? item : `struct_extract(${item}, 1)`),
  };
}

const plainly: Reader = (value) => value;

/** A condition in a lambda: NULL does not hold. */
export const holding: Reader = (value, call, at) => {
  const { sql, type } = asCondition(value, call, at);
  return { sql: type.nullable ? `coalesce(${sql}, false)` : sql, type: BOOL };
};

function firstItem(args: readonly Printed[], call: CallContext): ValueType {
  return itemOf(args[0]!.lambda === undefined ? args[0]! : args[1]!, call, 1);
}

type Make = (parts: Applied, item: ValueType, call: CallContext) => Printed;

/** A function of a lambda and the arrays over which it runs, or of one array alone. */
export function lambdaRow(name: string, read: Reader, make: Make): FunctionRow {
  return typed(name, [1, 10], (args, call) => make(applied(args, read, call), firstItem(args, call), call));
}

/** Items of the first array for which the condition holds. */
function kept({ list, lambda, first }: Applied, call: CallContext, condition = lambda): string {
  const found = `list_filter(${list}, ${condition})`;
  if (first('') === '') return found;
  const name = call.fresh();
  return `list_transform(${found}, lambda ${name}: ${first(name)})`;
}

/** How many items the condition holds for. */
function count({ list, lambda }: Applied): string {
  return `len(list_filter(${list}, ${lambda}))`;
}

/** The conditions one after the other. */
export function truths({ list, lambda }: Applied): string {
  return `list_transform(${list}, ${lambda})`;
}

/** Sorted by what the lambda makes of them; equals stay in their order. */
function sorted(parts: Applied, call: CallContext, isReversed: boolean): string {
  const [pair, place] = [call.fresh(), call.fresh()];
  const order = isReversed ? `'DESC'` : `'ASC'`;
  const sign = isReversed ? '-' : '';
  return once(parts.list, call, (list) => {
    const keys = `list_transform(${list}, ${parts.lambda})`;
    // NULL and NaN come last in both directions.
    const isLast = `${pair}[1] IS NULL${parts.result.name === 'Float64' ? ` OR isnan(${pair}[1])` : ''}`;
    const group = isReversed ? `NOT (${isLast})` : `(${isLast})`;
    const keyed = `list_transform(list_zip(${keys}, range(1, len(${list}) + 1)), lambda ${pair}: {'u': ${group}, 'k': ${pair}[1], 'n': ${sign}${pair}[2]})`;
    const item = parts.first(`${list}[abs(${place}.n)]`);
    return `list_transform(list_sort(${keyed}, ${order}, 'NULLS LAST'), lambda ${place}: ${item})`;
  });
}

/** An aggregate of numbers; where there are none, the default of the type. */
function folding(
  name: string,
  duckdb: string,
  type: (made: ValueType) => ValueType,
  isEmptyNull = false,
): FunctionRow {
  return lambdaRow(name, asNumber, (parts) => {
    const result = type(parts.result);
    const sql = `${duckdb}(${truths(parts)})`;
    if (isEmptyNull) return { sql, type: withNull(result) };
    return { sql: `coalesce(${sql}, ${defaultOf(result)})`, type: withNull(result, false) };
  });
}

/** The first or last item for which the condition holds. */
function finding(name: string, at: 1 | -1, isOrNull: boolean): FunctionRow {
  return lambdaRow(name, holding, (parts, item, call) => {
    const found = `${kept(parts, call)}[${at}]`;
    if (isOrNull) return { sql: found, type: withNull(item) };
    return { sql: item.nullable ? found : `coalesce(${found}, ${defaultOf(item)})`, type: item };
  });
}

/** `arrayFold((sum, x) -> …, array, start)` */
function folded(args: readonly Printed[], call: CallContext): Printed {
  const [lambda, array, start] = args;
  const makes = lambda!.lambda;
  if (makes === undefined || lambda!.arity !== 2)
    return call.refuse('Expected a lambda with two parameters: (sum, x) -> …', 0);
  const [sum, value] = [call.fresh(), call.fresh()];
  const item = itemOf(array!, call, 1);
  const { type } = start!;
  const made = makes([
    { sql: sum, type },
    { sql: value, type: item },
  ]);
  const both = unify([start!, made], call);
  // DuckDB folds values of one type, so a struct holds both the accumulator and the item.
  const [acc, step] = [call.fresh(), call.fresh()];
  const again = makes([
    { sql: `${acc}.a`, type: both.type },
    { sql: `${step}.v`, type: item },
  ]);
  const seed = `{'a': ${both.sql[0]!}, 'v': NULL}`;
  const name = call.fresh();
  const place = call.fresh();
  const first = boundedState(both.type, both.sql[0]!, place, call);
  const steps = `list_transform(${array!.sql}, lambda ${name}, ${place}: {'a': ${first}, 'v': ${name}})`;
  const next = boundedState(both.type, again.sql, `(${place} - 1)`, call);
  const sql = `${foldedList(steps, seed, `${acc}, ${step}, ${place}: {'a': ${next}, 'v': ${step}.v}`)}.a`;
  return { sql: `(${sql})`, type: both.type };
}

export const lambdas: readonly FunctionRow[] = [
  lambdaRow('arrayMap', plainly, (parts) => ({ sql: truths(parts), type: arrayOf(parts.result) })),
  lambdaRow('arrayFilter', holding, (parts, item, call) => ({ sql: kept(parts, call), type: arrayOf(item) })),
  lambdaRow('arrayCount', holding, (parts) => ({ sql: count(parts), type: INT })),
  lambdaRow('arrayExists', holding, (parts) => ({ sql: `(${count(parts)} > 0)`, type: BOOL })),
  lambdaRow('arrayAll', holding, (parts) => ({ sql: `(${count(parts)} = len(${parts.list}))`, type: BOOL })),
  lambdaRow('arrayFirstIndex', holding, (parts) => ({
    sql: `coalesce(list_position(${truths(parts)}, true), 0)`,
    type: INT,
  })),
  lambdaRow('arrayLastIndex', holding, (parts, _, call) => ({
    sql: once(truths(parts), call, (list) => {
      const fromEnd = `list_position(list_reverse(${list}), true)`;
      return `coalesce(len(${list}) + 1 - ${fromEnd}, 0)`;
    }),
    type: INT,
  })),
  finding('arrayFirst', 1, false),
  finding('arrayLast', -1, false),
  finding('arrayFirstOrNull', 1, true),
  finding('arrayLastOrNull', -1, true),
  lambdaRow('arraySort', plainly, (parts, item, call) => ({
    sql: sorted(parts, call, false),
    type: arrayOf(item),
  })),
  lambdaRow('arrayReverseSort', plainly, (parts, item, call) => ({
    sql: sorted(parts, call, true),
    type: arrayOf(item),
  })),
  folding('arraySum', 'list_sum', (made) => made),
  folding('arrayAvg', 'list_avg', () => scalar('Float64'), true),
  folding('arrayMin', 'list_min', (made) => made),
  folding('arrayMax', 'list_max', (made) => made),
  folding('arrayProduct', 'list_product', () => scalar('Float64')),
  typed('arrayFold', 3, folded),
];
