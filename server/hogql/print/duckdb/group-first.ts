import type { Alias, Call, Cte, Expr, Field, Node, SelectQuery } from '../../ast.ts';
import { alias, arrayAccess, constant, field, from, select, tupleAccess } from '../../build.ts';
import { HogqlError } from '../../errors.ts';
import { findFunction } from '../../functions/find-function.ts';
import { aliasesIn, copyTree } from '../../resolve/walk.ts';
import { printHogql } from '../hogql.ts';

type Part = Readonly<Record<string, unknown>>;

function isPart(value: unknown): value is Part {
  return typeof value === 'object' && value !== null;
}

function isQuery({ node }: Part): boolean {
  return node === 'SelectQuery' || node === 'SelectSetQuery';
}

/** Whether a part of an expression, outside of the queries in it, is such a node. */
function has(part: unknown, isWanted: (node: Node) => boolean): boolean {
  if (Array.isArray(part)) return part.some((one) => has(one, isWanted));
  if (!isPart(part) || isQuery(part)) return false;
  return isWanted(part as unknown as Node) || Object.values(part).some((one) => has(one, isWanted));
}

const isAggregate = (node: Node): node is Call =>
  node.node === 'Call' && findFunction(node.name)?.aggregate === true;

/** An arrayJoin that a text calls; the trees of insights have theirs only where rows are not grouped. */
const isArrayJoin = (node: Node): node is Call =>
  node.node === 'Call' && node.name.toLowerCase() === 'arrayjoin' && node.start !== undefined;

/** Whether a query, or one in it, calls arrayJoin. */
export function callsArrayJoin(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(callsArrayJoin);
  if (!isPart(part)) return false;
  return isArrayJoin(part as unknown as Node) || Object.values(part).some(callsArrayJoin);
}

/** The names of the tables of FROM, which come before aliases where a part follows. */
function tableNames(node: SelectQuery): Set<string> {
  const names = new Set<string>();
  for (let join = node.from; join !== undefined; join = join.next) {
    if (join.alias !== undefined) names.add(join.alias);
    if (join.table.node === 'Field') names.add(join.table.chain.at(-1)!);
  }
  return names;
}

/** Nodes that the names of one SELECT may come to: each alias may name another twice, and so on. */
const MAX_NODES = 100_000;

/**
 * Expressions of a SELECT whose names of aliases are replaced by what they stand for. Throws HogqlError for those that come
 * to too much.
 */
function createExpander(node: SelectQuery): (expr: Expr) => Expr {
  let left = MAX_NODES;
  const known = new Map<string, Expr>();
  for (const cte of (node.ctes ?? []) as Cte[]) if (cte.kind === 'column') known.set(cte.name, cte.expr);
  for (const one of aliasesIn(node.select)) if (!known.has(one.alias)) known.set(one.alias, one.expr);
  const tables = tableNames(node);

  function named({ chain }: Field, hidden: ReadonlySet<string>): Expr | null {
    const [name, ...rest] = chain as [string, ...string[]];
    const expr = known.get(name);
    if (expr === undefined || hidden.has(name) || (rest.length > 0 && tables.has(name))) return null;
    const whole = expand(expr, new Set([...hidden, name])) as Expr;
    return rest.reduce<Expr>(
      (of, part) => (/^\d+$/.test(part) ? tupleAccess(of, Number(part)) : arrayAccess(of, constant(part))),
      whole,
    );
  }

  function expand(part: unknown, hidden: ReadonlySet<string>): unknown {
    if (Array.isArray(part)) return part.map((one) => expand(one, hidden));
    if (!isPart(part) || isQuery(part)) return copyTree(part);
    const one = part as unknown as Expr;
    left -= 1;
    if (left < 0) throw new HogqlError('The query is too large after its names are resolved.', node);
    if (one.node === 'Field') return named(one, hidden) ?? copyTree(one);
    if (one.node === 'Alias') return expand(one.expr, hidden);
    const inside = one.node === 'Lambda' ? new Set([...hidden, ...one.args]) : hidden;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, expand(value, inside)]));
  }
  return (expr) => expand(expr, new Set()) as Expr;
}

/** Whether HAVING, or another arrayJoin, is about the rows that arrayJoin makes: the engine has them only after both. */
export function readsJoined(node: SelectQuery): boolean {
  if (!callsArrayJoin([node.select, node.having])) return false;
  const expand = createExpander(node);
  const isNested = (one: Node): boolean =>
    isArrayJoin(one) && one.args.some((arg) => has(expand(arg), isArrayJoin));
  return has(node.select, isNested) || (node.having !== undefined && has(expand(node.having), isArrayJoin));
}

/**
 * A SELECT that groups rows and calls arrayJoin on what aggregates give, as two: the inner one groups, the outer one makes rows
 * of the arrays; its conditions and its order are those of the rows. Null for any other SELECT.
 */
export function groupFirst(node: SelectQuery): SelectQuery | null {
  const parts = [node.select, node.having, node.orderBy];
  if (!has(parts, isArrayJoin) || node.qualify !== undefined || node.windows !== undefined) return null;
  if (has(parts, (one) => one.node === 'WindowFunction')) return null;
  if (node.groupBy !== undefined && node.groupBy.kind !== 'exprs') return null;
  const expand = createExpander(node);
  const joined = (one: Node): boolean => isArrayJoin(one) && has(expand(one), isAggregate);
  if (!has(parts, joined)) return null;

  const columns: Alias[] = [];
  const names = new Map<string, string>();
  const column = (expr: Expr, name: string): Field => {
    columns.push(alias(expr, name));
    return field(name);
  };
  const aliases = new Map(aliasesIn(node.select).map((one): [string, Expr] => [one.alias, one.expr]));
  for (const [at, key] of (node.groupBy?.exprs ?? []).entries()) {
    const name = `__key${at}`;
    const position = key.node === 'Constant' ? node.select[Number(key.value) - 1] : undefined;
    const meant = position ?? key;
    const expr =
      meant.node === 'Field' && meant.chain.length === 1 ? aliases.get(meant.chain[0]!) : undefined;
    for (const one of [meant, ...(expr === undefined ? [] : [expr])]) names.set(printHogql(one), name);
    if (meant.node === 'Alias') names.set(printHogql(meant.expr), name);
    column(expand(meant), name);
  }

  function value(expr: Expr): Field {
    const name = `__value${columns.length}`;
    names.set(printHogql(expr), name);
    return column(expand(expr), name);
  }

  /** An expression over the rows of the inner SELECT; `hidden` are the parameters of the lambdas around it. */
  function over(part: unknown, hidden: readonly string[] = []): unknown {
    if (Array.isArray(part)) return part.map((value) => over(value, hidden));
    if (!isPart(part) || isQuery(part)) return part;
    const one = part as unknown as Expr;
    const isParameter = one.node === 'Field' && hidden.includes(one.chain[0]!);
    if (typeof one.node === 'string' && (one.node as string) !== 'OrderExpr' && !isParameter) {
      const name = names.get(printHogql(one));
      if (name !== undefined) return { ...field(name), start: one.start, end: one.end };
      if (isAggregate(one)) return value(one);
      // A value of the group by itself, so that what is written of it outside is short.
      if (one.node === 'Alias' && has(one.expr, isAggregate) && !has(expand(one.expr), isArrayJoin))
        return { ...one, expr: value(one.expr) };
    }
    const inside = one.node === 'Lambda' ? [...hidden, ...one.args] : hidden;
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, over(value, inside)]));
  }

  const items = node.select.map((item) => {
    const shown = over(item) as Expr;
    if (item.node === 'Alias') return shown.node === 'Alias' ? shown : alias(shown, item.alias);
    return alias(shown, item.node === 'Field' ? item.chain.at(-1)! : printHogql(item));
  });
  const { having, orderBy, limitBy } = node;
  const outer = {
    ...(having !== undefined && { where: over(having) as Expr }),
    ...(orderBy !== undefined && { orderBy: over(orderBy) as typeof orderBy }),
    ...(limitBy !== undefined && { limitBy: over(limitBy) as typeof limitBy }),
  };
  // The names of lambdas and aliases may have led back to the array itself.
  if (columns.some((one) => has(one.expr, isArrayJoin))) return null;
  const groups = columns.filter((one) => one.alias.startsWith('__key')).map((one) => field(one.alias));
  const inner = select({
    select: columns,
    ...(node.from !== undefined && { from: node.from }),
    ...(node.arrayJoin !== undefined && { arrayJoin: node.arrayJoin }),
    ...(node.where !== undefined && { where: expand(node.where) }),
    ...(node.groupBy !== undefined && { groupBy: groups }),
  });
  const { ctes, distinct, limit, limitWithTies, offset } = node;
  return {
    ...select({ select: items, from: from(inner) }),
    ...outer,
    ...(ctes !== undefined && { ctes }),
    ...(distinct !== undefined && { distinct }),
    ...(limit !== undefined && { limit }),
    ...(limitWithTies !== undefined && { limitWithTies }),
    ...(offset !== undefined && { offset }),
  };
}
