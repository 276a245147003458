import type {
  Alias,
  ArithmeticOperator,
  ArrayExpr,
  Call,
  Cast,
  CompareOperator,
  Constant,
  Cte,
  Expr,
  Field,
  GroupBy,
  JoinExpr,
  JoinType,
  Lambda,
  OrderExpr,
  Placeholder,
  Query,
  SelectQuery,
  SelectSetQuery,
  SetOperator,
  Tuple,
  Window,
  WindowFunction,
} from './ast.ts';

/** The ways to make HogQL in TypeScript: what a text would give, without offsets. */

/** `field('properties', '$browser')`: a name, one argument for each part. */
export function field(...chain: string[]): Field {
  return { node: 'Field', chain };
}

export function constant(value: null | boolean | number | bigint | string): Constant {
  return { node: 'Constant', value };
}

/** A moment by its Unix milliseconds. */
export function dateTime(unixMs: number): Constant {
  return { node: 'Constant', value: { moment: unixMs } };
}

export function call(name: string, ...args: Expr[]): Call {
  return { node: 'Call', name, args };
}

/** `quantile(0.9)(x)`: a call with parameters before its arguments. */
export function parametric(name: string, params: Expr[], ...args: Expr[]): Call {
  return { node: 'Call', name, args, params };
}

export type IntervalUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'quarter' | 'year';

export function interval(count: number | Expr, unit: IntervalUnit): Call {
  const name = `toInterval${unit.slice(0, 1).toUpperCase()}${unit.slice(1)}`;
  return call(name, typeof count === 'number' ? constant(count) : count);
}

export function compare(op: CompareOperator, left: Expr, right: Expr): Expr {
  return { node: 'Compare', op, left, right };
}

export function isNull(expr: Expr): Expr {
  return compare('==', expr, constant(null));
}

export function isNotNull(expr: Expr): Expr {
  return compare('!=', expr, constant(null));
}

export function between(expr: Expr, low: Expr, high: Expr): Expr {
  return { node: 'Between', expr, low, high };
}

export function arithmetic(op: ArithmeticOperator, left: Expr, right: Expr): Expr {
  return { node: 'Arithmetic', op, left, right };
}

/** All of them; true for none. */
export function and(...exprs: Expr[]): Expr {
  const flat = exprs.flatMap((expr) => (expr.node === 'And' ? expr.exprs : [expr]));
  return flat.length > 1 ? { node: 'And', exprs: flat } : (flat[0] ?? constant(true));
}

/** Any of them; false for none. */
export function or(...exprs: Expr[]): Expr {
  const flat = exprs.flatMap((expr) => (expr.node === 'Or' ? expr.exprs : [expr]));
  return flat.length > 1 ? { node: 'Or', exprs: flat } : (flat[0] ?? constant(false));
}

export function not(expr: Expr): Expr {
  return { node: 'Not', expr };
}

export function alias(expr: Expr, name: string): Alias {
  return { node: 'Alias', expr, alias: name };
}

export function cast(expr: Expr, type: string): Cast {
  return { node: 'Cast', expr, type: type.toLowerCase() };
}

export function lambda(args: string[], expr: Expr): Lambda {
  return { node: 'Lambda', args, expr };
}

export function tuple(...exprs: Expr[]): Tuple {
  return { node: 'Tuple', exprs };
}

export function array(...exprs: Expr[]): ArrayExpr {
  return { node: 'Array', exprs };
}

/** `array[index]`, counted from 1. */
export function arrayAccess(of: Expr, index: Expr): Expr {
  return { node: 'ArrayAccess', array: of, index };
}

/** `tuple.index`, counted from 1. */
export function tupleAccess(of: Expr, index: number): Expr {
  return { node: 'TupleAccess', tuple: of, index };
}

export function over(aggregate: Call, window: Window | string): WindowFunction {
  const { name, args, params } = aggregate;
  return { node: 'WindowFunction', name, args, ...(params && { params }), over: window };
}

export function placeholder(...chain: string[]): Placeholder {
  return { node: 'Placeholder', chain };
}

export function order(expr: Expr, direction: 'ASC' | 'DESC' = 'ASC'): OrderExpr {
  return { node: 'OrderExpr', expr, order: direction };
}

/** A table by its name, or a query, with its alias. */
export function from(table: string | Query, name?: string): JoinExpr {
  return {
    node: 'JoinExpr',
    table: typeof table === 'string' ? field(...table.split('.')) : table,
    ...(name !== undefined && { alias: name }),
  };
}

/** The tables of `left` with one more at the end: `join(from('events', 'e'), 'LEFT JOIN', from('persons', 'p'), on)`. */
export function join(left: JoinExpr, joinType: JoinType, right: JoinExpr, on?: Expr): JoinExpr {
  if (left.next !== undefined) return { ...left, next: join(left.next, joinType, right, on) };
  const constraint = on && { kind: 'ON' as const, expr: on };
  return { ...left, next: { ...right, joinType, ...(constraint && { constraint }) } };
}

/** `WITH name AS (query)` */
export function cte(name: string, query: Query): Cte {
  return { node: 'Cte', kind: 'query', name, query };
}

/** A query of WITH whose rows are found once, however many read them. */
export function keptCte(name: string, query: Query): Cte {
  return { node: 'Cte', kind: 'query', name, query, kept: true };
}

export type SelectParts = Omit<SelectQuery, 'node' | 'groupBy' | 'limit' | 'offset'> & {
  groupBy?: Expr[] | GroupBy;
  limit?: number | Expr;
  offset?: number | Expr;
};

/** A SELECT. Parts that are undefined or empty lists are left out. */
export function select({ groupBy, limit, offset, ...parts }: SelectParts): SelectQuery {
  const group: GroupBy | undefined =
    Array.isArray(groupBy) && groupBy.length > 0 ? { kind: 'exprs', exprs: groupBy } : undefined;
  const all = {
    ...parts,
    groupBy: Array.isArray(groupBy) ? group : groupBy,
    limit: count(limit),
    offset: count(offset),
  };
  const present = Object.entries(all).filter(
    ([key, value]) =>
      key === 'select' || (value !== undefined && !(Array.isArray(value) && value.length === 0)),
  );
  return { node: 'SelectQuery', ...Object.fromEntries(present) } as SelectQuery;
}

function count(value: number | Expr | undefined): Expr | undefined {
  return typeof value === 'number' ? constant(value) : value;
}

/** The rows of all queries, one after the other (or as `operator` says); a single query stays as it is. */
export function unionAll(queries: readonly Query[], operator: SetOperator = 'UNION ALL'): Query {
  const [first, ...rest] = queries;
  if (first === undefined) throw new Error('a union needs a query');
  if (rest.length === 0) return first;
  const set: SelectSetQuery = {
    node: 'SelectSetQuery',
    first,
    rest: rest.map((query) => ({ operator, query })),
  };
  return set;
}
