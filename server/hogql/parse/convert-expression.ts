import { and, array, arrayAccess, call, compare, constant, not, or, tuple, tupleAccess } from '../build.ts';
import {
  COMPARE_OPERATORS,
  type ArithmeticOperator,
  type Columns,
  type CompareOperator,
  type Expr,
} from '../ast.ts';
import { HogqlError } from '../errors.ts';
import type { GrammarNode } from './grammar.ts';
import { flag, optionalList, part, type Reader } from './reader.ts';

type Convert = (json: GrammarNode, reader: Reader) => Expr;

const CASE_FUNCTION = '_caseWithExpression';

/** Our form of each kind of expression of the grammar; a kind that is missing here is no part of a query. */
export const EXPRESSIONS: Readonly<Record<string, Convert>> = {
  Field: (json) => ({ node: 'Field', chain: json.chain as string[] }),
  Constant: (json, reader) => constant(valueOf(json, reader)),
  Call: readCall,
  WindowFunction: readWindowFunction,
  CompareOperation: readCompare,
  IsDistinctFrom: (json, reader) =>
    compare(
      json.negated === true ? 'is not distinct from' : 'is distinct from',
      reader.expr(json.left),
      reader.expr(json.right),
    ),
  BetweenExpr: (json, reader) => ({
    node: 'Between',
    expr: reader.expr(json.expr),
    low: reader.expr(json.low),
    high: reader.expr(json.high),
    ...flag('negated', json.negated),
  }),
  ArithmeticOperation: (json, reader) => ({
    node: 'Arithmetic',
    op: json.op as ArithmeticOperator,
    left: reader.expr(json.left),
    right: reader.expr(json.right),
  }),
  And: (json, reader) => and(...reader.exprs(json.exprs)),
  Or: (json, reader) => or(...reader.exprs(json.exprs)),
  Not: (json, reader) => not(reader.expr(json.expr)),
  Alias: (json, reader) => ({
    node: 'Alias',
    expr: reader.expr(json.expr),
    alias: json.alias as string,
  }),
  TypeCast: (json, reader) => ({
    node: 'Cast',
    expr: reader.expr(json.expr),
    type: json.type_name as string,
  }),
  TryCast: (json, reader) => ({
    node: 'Cast',
    expr: reader.expr(json.expr),
    type: json.type_name as string,
    try: true,
  }),
  Lambda: (json, reader) => ({
    node: 'Lambda',
    args: json.args as string[],
    expr: reader.expr(json.expr),
  }),
  Tuple: (json, reader) => tuple(...reader.exprs(json.exprs)),
  Array: (json, reader) => array(...reader.exprs(json.exprs)),
  ArrayAccess: (json, reader) => arrayAccess(reader.expr(json.array), reader.expr(json.property)),
  ArraySlice: (json, reader) => ({
    node: 'ArraySlice',
    array: reader.expr(json.array),
    ...part('from', json.start_expr, reader.expr),
    ...part('to', json.end_expr, reader.expr),
  }),
  TupleAccess: (json, reader) => tupleAccess(reader.expr(json.tuple), json.index as number),
  ColumnsExpr: readColumns,
  Placeholder: (json, reader) => {
    const inside = json.expr as GrammarNode;
    if (inside.node !== 'Field')
      throw new HogqlError('Only a name is allowed in braces, such as {filters}.', reader.place(json));
    return { node: 'Placeholder', chain: inside.chain as string[] };
  },
};

/** Numbers that JSON cannot hold come as text: large ones, NaN and the infinite ones; others would be rounded. */
function valueOf(json: GrammarNode, reader: Reader): null | boolean | number | bigint | string {
  const value = json.value as null | boolean | number | string;
  if (json.value_type === 'number') return /^-?\d+$/.test(String(value)) ? BigInt(value!) : toNumber(value!);
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  const { start, end } = reader.place(json);
  const digits = reader.between(start, end).replace(/\s/g, '');
  return /^[+-]?\d+$/.test(digits) ? BigInt(digits.replace('+', '')) : value;
}

/** Hexadecimal text beyond 64 bits, `Infinity`, `NaN`. */
function toNumber(text: string | number | boolean): number | bigint {
  return /^0x/i.test(String(text)) ? BigInt(String(text)) : Number(text);
}

/** Calls that PostHog's printer writes instead of operators, and that mean the same, with NULL too. */
const COMPARISONS: ReadonlyMap<string, CompareOperator> = new Map([
  ['equals', '=='],
  ['notequals', '!='],
  ['less', '<'],
  ['lessorequals', '<='],
  ['greater', '>'],
  ['greaterorequals', '>='],
  ['like', 'like'],
  ['notlike', 'not like'],
  ['ilike', 'ilike'],
  ['notilike', 'not ilike'],
  ['in', 'in'],
  ['notin', 'not in'],
]);

function readCall(json: GrammarNode, reader: Reader): Expr {
  const name = json.name as string;
  if (json.within_group) return readWithinGroup(name, json, reader);
  const args = reader.exprs(json.args);
  const plain = !json.params && json.distinct !== true && !json.filter_expr && !json.order_by;
  if (plain) {
    const word = name.toLowerCase();
    if (word === 'not' && args.length === 1) return not(args[0]!);
    if (word === 'and' && args.length > 1) return and(...args);
    if (word === 'or' && args.length > 1) return or(...args);
    const operator = COMPARISONS.get(word);
    if (operator !== undefined && args.length === 2) return compare(operator, args[0]!, args[1]!);
  }
  return {
    ...call(name === CASE_FUNCTION ? 'caseWithExpression' : name, ...args),
    ...(json.params ? { params: reader.exprs(json.params) } : {}),
    ...flag('distinct', json.distinct),
    ...part('filter', json.filter_expr, reader.expr),
    ...optionalList('orderBy', reader.orders(json.order_by)),
  };
}

/** `percentile_cont(0.5) WITHIN GROUP (ORDER BY x)` of standard SQL, as `percentile_cont(0.5)(x)`; in falling order with a word. */
function readWithinGroup(name: string, json: GrammarNode, reader: Reader): Expr {
  const [by, ...more] = reader.orders(json.within_group);
  if (!['percentile_cont', 'percentile_disc'].includes(name.toLowerCase()) || more.length > 0) {
    const sentence =
      'WITHIN GROUP is only supported for percentile_cont and percentile_disc, with one expression.';
    throw new HogqlError(sentence, reader.place(json));
  }
  const falling = by!.order === 'DESC' ? [constant('desc')] : [];
  return {
    ...call(name, by!.expr),
    params: [...reader.exprs(json.params), ...falling],
    ...part('filter', json.filter_expr, reader.expr),
  };
}

/**
 * The grammar puts the content of the first brackets into `exprs`: parameters, or arguments when there are no others.
 */
function readWindowFunction(json: GrammarNode, reader: Reader): Expr {
  const { start, end } = reader.place(json);
  if (/\)\s*filter\s*\(/i.test(reader.between(start, end)))
    throw new HogqlError('FILTER before OVER is not supported. Use a function that ends in If.', {
      start,
      end,
    });
  const [first, second] = [reader.exprs(json.exprs), reader.exprs(json.args)];
  const window = json.over_identifier as string | undefined;
  return {
    node: 'WindowFunction',
    name: json.name as string,
    ...(second.length > 0 ? { args: second, params: first } : { args: first }),
    over: window ?? reader.window(json.over_expr),
  };
}

function readCompare(json: GrammarNode, reader: Reader): Expr {
  const op = json.op as CompareOperator;
  if (!COMPARE_OPERATORS.includes(op))
    throw new HogqlError(`The operator ${op} is not supported.`, reader.place(json));
  const right = reader.expr(json.right);
  const isSingle = (op === 'in' || op === 'not in') && right.node === 'Constant';
  return compare(op, reader.expr(json.left), isSingle ? tuple(right) : right);
}

function readColumns(json: GrammarNode, reader: Reader): Columns {
  if (typeof json.regex === 'string') return { node: 'Columns', kind: 'regex', regex: json.regex };
  if (json.all_columns !== true)
    return { node: 'Columns', kind: 'list', columns: reader.exprs(json.columns) };
  const { start, end } = reader.place(json);
  // Of which table is not in the tree.
  if (reader.between(start, end)[0] !== '*')
    throw new HogqlError('EXCLUDE is only allowed after *: * EXCLUDE (a, b).', { start, end });
  return { node: 'Columns', kind: 'all', exclude: json.exclude as string[] };
}
