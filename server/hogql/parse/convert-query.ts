import type {
  Alias,
  ArrayJoin,
  Cte,
  Expr,
  FrameBound,
  GroupBy,
  NamedWindow,
  OrderExpr,
  Placeholder,
  Query,
  SelectQuery,
  SelectSetQuery,
  SetOperator,
  Window,
} from '../ast.ts';
import { and, constant } from '../build.ts';
import { HogqlError } from '../errors.ts';
import type { GrammarNode } from './grammar.ts';
import { flag, optional, optionalList, part, type Reader } from './reader.ts';
import { readJoins } from './convert-join.ts';

const NOT_SUPPORTED: Readonly<Record<string, string>> = {
  limit_percent: 'LIMIT in percent is not supported.',
  interpolate: 'INTERPOLATE is not supported.',
};

/** A query, or several joined by UNION and the like. */
export function readQuery(json: GrammarNode, reader: Reader): Query {
  const place = reader.place(json);
  for (const [key, sentence] of Object.entries(NOT_SUPPORTED))
    if (json[key]) throw new HogqlError(sentence, place);
  return json.node === 'SelectSetQuery' ? readSet(json, reader) : readSelect(json, reader);
}

function readSelect(json: GrammarNode, reader: Reader): SelectQuery {
  const one = (value: unknown): Expr | undefined => (value ? reader.expr(value) : undefined);
  const [prewhere, where] = [one(json.prewhere), one(json.where)];
  return {
    node: 'SelectQuery',
    ...optionalList('ctes', readCtes(json.ctes, reader)),
    ...flag('distinct', json.distinct),
    select: reader.exprs(json.select),
    ...part('from', json.select_from, (node) => readJoins(node, reader)),
    ...optional('arrayJoin', readArrayJoin(json, reader)),
    ...optional('where', prewhere && where ? and(prewhere, where) : (prewhere ?? where)),
    ...optional('groupBy', readGroupBy(json, reader)),
    ...optional('having', one(json.having)),
    ...optional('qualify', one(json.qualify)),
    ...optionalList('windows', readWindows(json.window_exprs, reader)),
    ...optionalList('orderBy', reader.orders(json.order_by)),
    ...optional('limitBy', readLimitBy(json.limit_by as GrammarNode | undefined, reader)),
    ...optional('limit', one(json.limit)),
    ...flag('limitWithTies', json.limit_with_ties),
    ...optional('offset', one(json.offset)),
    ...reader.place(json),
  };
}

function readSet(json: GrammarNode, reader: Reader): SelectSetQuery {
  const others = json.subsequent_select_queries as { set_operator: string; select_query: GrammarNode }[];
  const place = reader.place(json);
  const last = reader.place(others.at(-1)!.select_query);
  // The tree has it neither for the set nor for its last query.
  if (reader.words(last.end, place.end).includes('order'))
    throw new HogqlError(
      'ORDER BY is not supported after a UNION of parenthesized queries. Put the UNION in a subquery and select from it.',
      { start: last.end, end: place.end },
    );
  const { first, ctes } = hoistCtes(json, reader);
  return {
    node: 'SelectSetQuery',
    ...optionalList('ctes', ctes),
    first,
    rest: others.map(({ set_operator: operator, select_query: query }) => ({
      operator: operator as SetOperator,
      query: reader.query(query),
    })),
    ...part('limit', json.limit, reader.expr),
    ...part('offset', json.offset, reader.expr),
    ...place,
  };
}

/** Names before the first query belong to the set, unless that query is in brackets. */
function hoistCtes(json: GrammarNode, reader: Reader): { first: Query | Placeholder; ctes: Cte[] } {
  const first = reader.query(json.initial_select_query);
  if (first.node === 'Placeholder' || first.ctes === undefined || first.start !== reader.place(json).start)
    return { first, ctes: [] };
  const { ctes, ...rest } = first;
  return { first: rest, ctes };
}

function readCtes(json: unknown, reader: Reader): Cte[] {
  return ((json ?? []) as GrammarNode[]).map((cte) => {
    const place = reader.place(cte);
    if (cte.using_key) throw new HogqlError('USING KEY is not supported.', place);
    const name = cte.name as string;
    if (cte.cte_type === 'column')
      return { node: 'Cte', name, kind: 'column', expr: reader.expr(cte.expr), ...place };
    return {
      node: 'Cte',
      name,
      kind: 'query',
      query: reader.query(cte.expr),
      ...optional('columns', cte.columns as string[] | null),
      ...flag('recursive', cte.recursive),
      ...place,
    };
  });
}

function readArrayJoin(json: GrammarNode, reader: Reader): ArrayJoin | undefined {
  if (!json.array_join_op) return undefined;
  return {
    ...flag('left', String(json.array_join_op).startsWith('LEFT')),
    arrays: reader.exprs(json.array_join_list) as Alias[],
  };
}

function readGroupBy(json: GrammarNode, reader: Reader): GroupBy | undefined {
  const mode = json.group_by_mode as string | undefined;
  if (mode === 'all') return { kind: 'all' };
  const nodes = (json.group_by ?? []) as GrammarNode[];
  if (nodes.length === 0) return undefined;
  if (mode === 'grouping_sets')
    return { kind: 'grouping sets', sets: nodes.map((set) => reader.exprs(set.exprs)) };
  return {
    kind: mode === 'rollup' || mode === 'cube' ? mode : 'exprs',
    exprs: reader.exprs(nodes),
  };
}

function readWindows(json: unknown, reader: Reader): NamedWindow[] {
  return Object.entries((json ?? {}) as Record<string, unknown>).map(([name, window]) => ({
    name,
    window: reader.window(window),
  }));
}

function readLimitBy(json: GrammarNode | null | undefined, reader: Reader): SelectQuery['limitBy'] {
  if (!json) return undefined;
  return {
    limit: reader.expr(json.n),
    ...part('offset', json.offset_value, reader.expr),
    exprs: reader.exprs(json.exprs),
  };
}

/** The position of nulls is not in the tree, so it is read from the text after the expression. */
export function readOrder(json: GrammarNode, reader: Reader): OrderExpr {
  const place = reader.place(json);
  if (json.with_fill) throw new HogqlError('WITH FILL is not supported.', place);
  const words = reader.words(reader.place(json.expr as GrammarNode).end, place.end);
  const nulls = words[words.indexOf('nulls') + 1];
  return {
    node: 'OrderExpr',
    expr: reader.expr(json.expr),
    order: json.order as 'ASC' | 'DESC',
    ...(words.includes('nulls') && { nulls: nulls === 'first' ? ('FIRST' as const) : ('LAST' as const) }),
    ...place,
  };
}

/** A window with its frame. */
export function readWindow(json: GrammarNode, reader: Reader): Window {
  const start = json.frame_start as GrammarNode | null;
  return {
    ...optionalList('partitionBy', reader.exprs(json.partition_by)),
    ...optionalList('orderBy', reader.orders(json.order_by)),
    ...optional(
      'frame',
      start && {
        method: json.frame_method as 'ROWS' | 'RANGE',
        start: readBound(start, reader),
        ...part('end', json.frame_end, (node) => readBound(node, reader)),
      },
    ),
  };
}

function readBound(json: GrammarNode, reader: Reader): FrameBound {
  const kind = json.frame_type as FrameBound['kind'];
  const value = json.frame_value as number | GrammarNode | null;
  if (kind === 'CURRENT ROW' || value === null) return { kind };
  return { kind, value: typeof value === 'number' ? constant(value) : reader.expr(value) };
}
