import type { Constant, Expr, Located, OrderExpr, SelectQuery } from '../../ast.ts';
import type { Printed } from '../../functions/function-row.ts';
import {
  newSelectState,
  refuse,
  type Place,
  type PrintedQuery,
  type Scope,
  type SelectState,
} from '../../resolve/scope.ts';
import type { FirstRows } from '../../resolve/source.ts';
import { aliasesIn } from '../../resolve/walk.ts';
import { namedQueries } from './ctes.ts';
import { addArrayJoin, addSources } from './from.ts';
import { rangesIn } from './ranges.ts';
import { selectItems, type Item } from './select-items.ts';

const MAX_CUBE_KEYS = 8;
/** More rows than this are not looked up one by one. */
const MOST_FIRST_ROWS = 60_000;

/** A SELECT in SQL; its columns are c0, c1… */
export function printSelect(node: SelectQuery, place: Place): PrintedQuery {
  const { printer, rows } = place;
  const { queries, text: withText } = namedQueries(node, place);
  const select = newSelectState({ ...place, queries });
  learnNames(node, select);
  // A query inside an expression may run for each row around it, and has a group for each of them then.
  const isOne = node.groupBy === undefined && place.outer === null;
  select.mostGroups = node.mostGroups ?? (isOne ? 1 : null);
  const fromText = addSources(node.from, select);
  const arrays = node.arrayJoin === undefined ? null : addArrayJoin(node.arrayJoin, select);
  for (const name of arrays?.names.keys() ?? []) select.rowLocals.add(name);
  const scope: Scope = { select, locals: arrays?.names ?? new Map() };

  const items = selectItems(node, scope);
  place.statement.notes?.items.set(
    node,
    items.map(({ name, at, source }) => (source ? { name, source, column: name } : { name, expr: at })),
  );
  const where = node.where && clause(select, 'WHERE', () => printer.condition(node.where!, scope));
  const [only, ...others] = select.sources;
  if (node.where !== undefined && others.length === 0)
    only?.narrow?.(clause(select, 'WHERE', () => rangesIn(node.where!, scope)));
  select.loose = [];
  const keys = groupKeys(node, items, scope);
  select.loose = [];
  const columns = clause(select, 'SELECT', () => items.map((item) => item.print()));
  const order = clause(select, 'ORDER BY', () =>
    (node.orderBy ?? []).map((one) => orderText(one, items, columns, node, scope)),
  );
  const having = node.having && clause(select, 'HAVING', () => printer.condition(node.having!, scope));
  const qualify = clause(select, 'QUALIFY', () => qualifyParts(node, order, columns, scope));
  const isGrouped = keys !== null || select.hasAggregates;
  if (isGrouped && node.groupBy?.kind !== 'all') refuseLoose(select);

  const parts: Parts = {
    list: columns.map((column, at) => `${column.sql} AS c${at}`),
    isDistinct: node.distinct === true,
    arrays: arrays?.text ?? null,
    // Without groups, HAVING is one more condition on rows.
    where: [where, isGrouped ? undefined : having].filter((part) => part !== undefined),
    groupBy: keys?.(columns) ?? null,
    having: isGrouped ? having : undefined,
    qualify,
    order,
    ...(rows ?? ownLimit(node)),
  };
  const isOfRows = !isGrouped && !select.hasWindows;
  const firstRows = isOfRows ? firstRowsOf(parts, placesAsText(order, columns)) : null;
  const from = node.from === undefined ? null : fromText(firstRows);
  return {
    sql: `${withText}${selectText(parts, from)}`,
    columns: columns.map(({ type }, at) => ({ name: items[at]!.name, type })),
  };
}

/** Names that the SELECT gives: its windows, the expressions of WITH, its aliases. */
function learnNames(node: SelectQuery, select: SelectState): void {
  for (const { name, window } of node.windows ?? []) select.windows.set(name, window);
  for (const cte of node.ctes ?? []) if (cte.kind === 'column') select.aliases.set(cte.name, cte.expr);
  for (const { alias, expr } of aliasesIn(node.select)) {
    if (!select.aliases.has(alias)) select.aliases.set(alias, expr);
  }
}

/** The rows that a source has to return: where each is shown as it is, the first in order are enough. */
function firstRowsOf(parts: Parts, order: readonly string[]): FirstRows | null {
  const { limit, offset, where, qualify, isDistinct, arrays } = parts;
  const isWhole = qualify.length === 0 && !isDistinct && arrays === null;
  if (!isWhole || limit === null || order.length === 0 || limit + offset > MOST_FIRST_ROWS) return null;
  return {
    where: where.length === 0 ? null : where.join(' AND '),
    order: order.join(', '),
    count: limit + offset,
  };
}

/** The clauses of a SELECT, printed. */
interface Parts {
  readonly list: readonly string[];
  readonly isDistinct: boolean;
  readonly arrays: string | null;
  readonly where: readonly string[];
  readonly groupBy: string | null;
  readonly having: string | undefined;
  readonly qualify: readonly string[];
  readonly order: readonly string[];
  readonly limit: number | null;
  readonly offset: number;
}

function selectText(parts: Parts, from: string | null): string {
  const { arrays, limit, offset } = parts;
  return [
    `SELECT ${parts.isDistinct ? 'DISTINCT ' : ''}${parts.list.join(', ')}`,
    from === null && arrays === null ? '' : ` FROM ${from ?? '(SELECT 1)'}${arrays ?? ''}`,
    parts.where.length === 0 ? '' : ` WHERE ${parts.where.join(' AND ')}`,
    parts.groupBy === null ? '' : ` GROUP BY ${parts.groupBy}`,
    parts.having === undefined ? '' : ` HAVING ${parts.having}`,
    parts.qualify.length === 0 ? '' : ` QUALIFY ${parts.qualify.join(' AND ')}`,
    parts.order.length === 0 ? '' : ` ORDER BY ${parts.order.join(', ')}`,
    limit === null ? '' : ` LIMIT ${limit}`,
    offset === 0 ? '' : ` OFFSET ${offset}`,
  ].join('');
}

function clause<T>(select: SelectState, name: SelectState['clause'], print: () => T): T {
  select.clause = name;
  return print();
}

/** Notes the texts that rows are grouped by; gives the way to write GROUP BY, or null where there is none. */
function groupKeys(
  node: SelectQuery,
  items: readonly Item[],
  scope: Scope,
): ((columns: readonly Printed[]) => string) | null {
  const { groupBy } = node;
  if (groupBy === undefined) return null;
  const { select } = scope;
  if (groupBy.kind === 'all') return () => 'ALL';
  select.clause = 'GROUP BY';
  const key = (expr: Expr): string => {
    const item = itemAt(expr, items);
    const { sql } = item === null ? select.printer.expression(expr, scope) : item.print();
    select.groupKeys.add(sql);
    return sql;
  };
  if (groupBy.kind === 'grouping sets') {
    const sets = groupBy.sets.map((set) => `(${set.map(key).join(', ')})`);
    return () => `GROUPING SETS (${sets.join(', ')})`;
  }
  const keys = groupBy.exprs.map(key);
  if (groupBy.kind === 'cube' && keys.length > MAX_CUBE_KEYS)
    refuse(
      `CUBE supports up to ${MAX_CUBE_KEYS} keys, because it groups by every combination of them.`,
      groupBy.exprs[0]!,
    );
  if (groupBy.kind !== 'exprs') return () => `${groupBy.kind.toUpperCase()} (${keys.join(', ')})`;
  return (columns) => keys.map((sql) => placeOf(sql, columns) ?? sql).join(', ');
}

/** The column that a whole number in GROUP BY or ORDER BY names, counted from 1. */
function itemAt(expr: Expr, items: readonly Item[]): Item | null {
  if (expr.node !== 'Constant' || typeof expr.value !== 'number' || !Number.isInteger(expr.value))
    return null;
  return (
    items[expr.value - 1] ??
    refuse(`Column ${expr.value} does not exist: ${items.length} columns are selected.`, expr)
  );
}

function placeOf(sql: string, columns: readonly Printed[]): string | null {
  const at = columns.findIndex((column) => column.sql === sql);
  return at < 0 ? null : String(at + 1);
}

function orderText(
  one: OrderExpr,
  items: readonly Item[],
  columns: readonly Printed[],
  node: SelectQuery,
  scope: Scope,
): string {
  const item = itemAt(one.expr, items);
  const sql =
    item === null ? scope.select.printer.expression(one.expr, scope).sql : columns[items.indexOf(item)]!.sql;
  const place = placeOf(sql, columns);
  if (place === null && node.distinct)
    refuse('With DISTINCT, ORDER BY can only use selected expressions.', one);
  return `${place ?? sql} ${one.order} NULLS ${one.nulls ?? 'LAST'}`;
}

/** ORDER BY for where a number is no place: in windows, and inside of sources. */
function placesAsText(order: readonly string[], columns: readonly Printed[]): string[] {
  return order.map((one) => one.replace(/^\d+(?= )/, (place) => columns[Number(place) - 1]!.sql));
}

/** QUALIFY, and LIMIT BY, which DuckDB does not know: the first rows of each of some groups. */
function qualifyParts(
  node: SelectQuery,
  order: readonly string[],
  columns: readonly Printed[],
  scope: Scope,
): string[] {
  const { printer } = scope.select;
  const parts = node.qualify === undefined ? [] : [printer.condition(node.qualify, scope)];
  if (node.limitBy === undefined) return parts;
  const { limit, offset, exprs } = node.limitBy;
  const by = exprs.map((expr) => printer.expression(expr, scope).sql);
  const ordered = placesAsText(order, columns);
  const window = `PARTITION BY ${by.join(', ')}${ordered.length === 0 ? '' : ` ORDER BY ${ordered.join(', ')}`}`;
  const first = offset === undefined ? 0 : wholeNumber(offset, 'OFFSET');
  const last = first + wholeNumber(limit, 'LIMIT');
  parts.push(`(row_number() OVER (${window}) > ${first} AND row_number() OVER (${window}) <= ${last})`);
  return parts;
}

function refuseLoose({ loose }: SelectState): void {
  const [column] = loose as readonly (Located & Partial<{ chain: string[] }>)[];
  if (column === undefined) return;
  const name = column.chain === undefined ? 'A column' : `"${column.chain.join('.')}"`;
  refuse(
    `${name} is not under an aggregate function and not in GROUP BY: add it to GROUP BY or use an aggregate function such as any(…).`,
    column,
  );
}

/** The numbers of LIMIT and OFFSET. */
export function ownLimit(node: { limit?: Expr; offset?: Expr; limitWithTies?: true }): {
  limit: number | null;
  offset: number;
} {
  if (node.limitWithTies) refuse('WITH TIES is not supported.', node.limit ?? {});
  return {
    limit: node.limit === undefined ? null : wholeNumber(node.limit, 'LIMIT'),
    offset: node.offset === undefined ? 0 : wholeNumber(node.offset, 'OFFSET'),
  };
}

function wholeNumber(expr: Expr, clauseName: string): number {
  const { value } = expr as Constant;
  const isNumber =
    expr.node === 'Constant' && typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isNumber ? value : refuse(`${clauseName} requires a whole number.`, expr);
}
