import fc from 'fast-check';
import {
  COMPARE_OPERATORS,
  JOIN_TYPES,
  type Expr,
  type JoinExpr,
  type OrderExpr,
  type Query,
  type SelectQuery,
  type Window,
} from '../../server/hogql/ast.ts';
import { and, constant, not, or, tuple } from '../../server/hogql/build.ts';
import { KEYWORDS } from '../../server/hogql/print/hogql-keywords.ts';

/** Trees of HogQL as the parser makes them: any text as a name or string, every kind of node. */

const text = fc.string({ unit: 'grapheme', maxLength: 6 });
const words = 'a,event,properties,$browser,x1,a b,é,Case,timestamp,id,left,if,any'
  .split(',')
  .concat([...KEYWORDS]);
const name = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...words) },
  { weight: 1, arbitrary: text.filter((one) => one !== '*') },
);
const number = fc.oneof(fc.nat(1000), fc.double(), fc.maxSafeInteger());
const value = fc.oneof(
  fc.constantFrom(null, true, false, -1, 0.1, Number.POSITIVE_INFINITY, Number.NaN, 18446744073709551615n),
  number.filter(isKept),
  fc.bigInt().filter((one) => one > 2n ** 53n),
  text,
);
/** Whole numbers beyond the safe ones are read as bigints, while they have digits only; zero has no sign. */
function isKept(one: number): boolean {
  return (
    !Object.is(one, -0) && (!Number.isInteger(one) || Number.isSafeInteger(one) || Math.abs(one) >= 1e21)
  );
}

const chain = fc.array(name, { minLength: 1, maxLength: 3 });
const field: fc.Arbitrary<Expr> = chain.map((parts) => ({ node: 'Field', chain: parts }));
const literal: fc.Arbitrary<Expr> = value.map(constant);
const functionName = fc.constantFrom('count', 'toString', 'sumIf', 'if', 'lower', 'any', 'weird name');

const { expr, query, select, order, window, join } = fc.letrec<{
  expr: Expr;
  query: Query;
  select: SelectQuery;
  order: OrderExpr;
  window: Window;
  join: JoinExpr;
}>((tie) => {
  const one = tie('expr');
  const few = fc.array(one, { minLength: 1, maxLength: 3, depthIdentifier: 'hogql' });
  const two = fc.array(one, { minLength: 2, maxLength: 3, depthIdentifier: 'hogql' });
  const maybe = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
    fc.option(arbitrary, { nil: undefined, freq: 1, depthIdentifier: 'hogql' });
  const count = fc.nat(1000).map(constant);
  const orders = fc.array(tie('order'), { minLength: 1, maxLength: 2, depthIdentifier: 'hogql' });
  const names = fc.array(name, { minLength: 1, maxLength: 2 });
  return {
    expr: fc.oneof(
      { depthSize: 'small', withCrossShrink: true, depthIdentifier: 'hogql' },
      { weight: 4, arbitrary: field },
      { weight: 3, arbitrary: literal },
      { weight: 1, arbitrary: chain.map((parts): Expr => ({ node: 'Placeholder', chain: parts })) },
      record({
        node: 'Call',
        name: functionName,
        args: fc.oneof(fc.constant([]), few),
        distinct: flag(),
      }).filter((call) => call.args.length > 0 || !call.distinct),
      record({ node: 'Call', name: functionName, args: few, filter: one, orderBy: maybe(orders) }),
      record({ node: 'Call', name: fc.constant('quantile'), args: few, params: few }),
      record({ node: 'Compare', op: fc.constantFrom(...COMPARE_OPERATORS), left: one, right: one }).map(
        (compare): Expr =>
          (compare.op === 'in' || compare.op === 'not in') && compare.right.node === 'Constant'
            ? { ...compare, right: tuple(compare.right) }
            : compare,
      ),
      record({ node: 'Between', expr: one, low: one, high: one, negated: flag() }),
      record({ node: 'Arithmetic', op: fc.constantFrom('+', '-', '*', '/', '%'), left: one, right: one }),
      two.map((exprs) => and(...exprs)),
      two.map((exprs) => or(...exprs)),
      one.map(not),
      record({ node: 'Alias', expr: one, alias: name }),
      record({
        node: 'Cast',
        expr: one,
        type: fc.constantFrom('int', 'string', 'decimal(10, 2)', 'nullable(float64)', 'array(string)'),
        try: flag(),
      }),
      record({ node: 'Lambda', args: fc.constantFrom(['x'], ['x', 'y'], ['Key']), expr: one }),
      record({ node: 'Tuple', exprs: few }),
      record({ node: 'Array', exprs: fc.oneof(fc.constant([]), few) }),
      record({ node: 'ArrayAccess', array: one, index: one }),
      record({ node: 'ArraySlice', array: one, from: count, to: count }),
      record({ node: 'TupleAccess', tuple: one, index: fc.integer({ min: 1, max: 9 }) }),
      record({ node: 'WindowFunction', name: functionName, args: few, over: fc.oneof(name, tie('window')) }),
      names.map((exclude): Expr => ({ node: 'Columns', kind: 'all', exclude })),
      tie('query'),
    ) as fc.Arbitrary<Expr>,
    order: record({
      node: 'OrderExpr',
      expr: one,
      order: fc.constantFrom('ASC', 'DESC'),
      nulls: maybe(fc.constantFrom('FIRST', 'LAST')),
    }) as fc.Arbitrary<OrderExpr>,
    window: record({
      partitionBy: maybe(few),
      orderBy: maybe(orders),
      frame: maybe(
        record({
          method: fc.constantFrom('ROWS', 'RANGE'),
          start: fc.constantFrom({ kind: 'PRECEDING' }, { kind: 'PRECEDING', value: constant(2) }),
          end: maybe(fc.constantFrom({ kind: 'CURRENT ROW' }, { kind: 'FOLLOWING', value: constant(1) })),
        }),
      ),
    }) as fc.Arbitrary<Window>,
    join: record({
      node: 'JoinExpr',
      table: fc.oneof({ depthSize: 'small', depthIdentifier: 'hogql' }, field, tie('query')),
      alias: maybe(name),
      sample: maybe(fc.constantFrom({ ratio: 0.1 }, { ratio: 0.5, offset: 0.25 })),
      next: maybe(
        fc.tuple(tie('join'), fc.constantFrom(...JOIN_TYPES), one).map(([table, joinType, on]) => ({
          ...table,
          joinType,
          ...(joinType !== 'CROSS JOIN' && { constraint: { kind: 'ON', expr: on } }),
        })),
      ),
    }) as fc.Arbitrary<JoinExpr>,
    select: record({
      node: 'SelectQuery',
      ctes: maybe(
        fc.oneof(
          record({ node: 'Cte', name, kind: 'query', query: tie('query'), columns: maybe(names) }).map(
            (cte) => [cte],
          ),
          record({ node: 'Cte', name, kind: 'column', expr: one }).map((cte) => [cte]),
        ),
      ),
      distinct: flag(),
      select: few,
      from: maybe(tie('join')),
      where: maybe(one),
      groupBy: maybe(
        fc.oneof(
          few.map((exprs) => ({ kind: 'exprs', exprs })),
          few.map((exprs) => ({ kind: 'rollup', exprs })),
          fc.constant({ kind: 'all' }),
        ),
      ),
      having: maybe(one),
      qualify: maybe(one),
      windows: maybe(fc.tuple(name, tie('window')).map(([of, one_]) => [{ name: of, window: one_ }])),
      orderBy: maybe(orders),
      limitBy: maybe(record({ limit: count, exprs: few })),
      limit: maybe(count),
      offset: maybe(count),
    }) as fc.Arbitrary<SelectQuery>,
    query: fc.oneof(
      { depthSize: 'small', depthIdentifier: 'hogql' },
      tie('select'),
      record({
        node: 'SelectSetQuery',
        first: tie('select'),
        rest: fc.array(
          record({
            operator: fc.constantFrom('UNION ALL', 'UNION DISTINCT', 'INTERSECT', 'EXCEPT'),
            query: tie('select'),
          }),
          { minLength: 1, maxLength: 2, depthIdentifier: 'hogql' },
        ),
        limit: maybe(count),
      }),
    ) as fc.Arbitrary<Query>,
  };
});

function flag(): fc.Arbitrary<true | undefined> {
  return fc.constantFrom(true, undefined);
}

/** A record of constants and arbitraries, without the keys whose value is undefined. */
function record(parts: Record<string, unknown>): fc.Arbitrary<any> {
  const arbitraries = Object.fromEntries(
    Object.entries(parts).map(([key, part]) => [key, typeof part === 'string' ? fc.constant(part) : part]),
  ) as Record<string, fc.Arbitrary<unknown>>;
  return fc
    .record(arbitraries)
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, part]) => part !== undefined)));
}

export const arbitraryExpr = expr;
export const arbitraryQuery = query;
export const arbitrarySelect = select;
export const arbitraryOrder = order;
export const arbitraryWindow = window;
export const arbitraryJoin = join;
