import type {
  Cte,
  Expr,
  GroupBy,
  JoinExpr,
  OrderExpr,
  Placeholder,
  Query,
  SelectQuery,
  SelectSetQuery,
  Window,
} from '../ast.ts';
import { printExpr, printExprs } from './hogql-expression.ts';
import { printChain, printName, printNames } from './hogql-literal.ts';

/** A query as HogQL on one line, with no more brackets than needed. Read again it gives the same tree, but for moments. */
export function printHogql(node: Query | Expr | OrderExpr): string {
  if (node.node === 'OrderExpr') return printOrder(node);
  if (node.node === 'SelectQuery') return printSelect(node);
  return node.node === 'SelectSetQuery' ? printSet(node) : printExpr(node, printers);
}

const printers = { query: printHogql, orders: printOrders, window: printWindow };

/** One part of a query after the other, those that are absent left out. */
function printSelect(query: SelectQuery): string {
  return joined([
    printCtes(query.ctes),
    'SELECT',
    query.distinct && 'DISTINCT',
    list(query.select),
    query.from && `FROM ${printJoins(query.from)}`,
    query.arrayJoin &&
      `${query.arrayJoin.left ? 'LEFT ARRAY JOIN' : 'ARRAY JOIN'} ${list(query.arrayJoin.arrays)}`,
    clause('WHERE', query.where),
    query.groupBy && `GROUP BY ${printGroupBy(query.groupBy)}`,
    clause('HAVING', query.having),
    clause('QUALIFY', query.qualify),
    query.windows &&
      `WINDOW ${query.windows.map(({ name, window }) => `${printName(name)} AS (${printWindow(window)})`).join(', ')}`,
    query.orderBy && `ORDER BY ${printOrders(query.orderBy)}`,
    printLimitBy(query.limitBy),
    ...printLimits(query),
    query.limitWithTies && 'WITH TIES',
  ]);
}

function printSet({ ctes, first, rest, limit, offset }: SelectSetQuery): string {
  const isOpen = limit === undefined && offset === undefined;
  const parts = rest.map(({ operator, query }, index) => {
    const isLast = isOpen && index === rest.length - 1;
    return `${operator} ${isOpen && staysOne(query, isLast) ? printHogql(query) : bracketed(query)}`;
  });
  const head = isOpen && staysOne(first, false) ? printHogql(first) : bracketed(first);
  return joined([printCtes(ctes), head, ...parts, ...printLimits({ limit, offset })]);
}

/** Whether a query of a set needs no brackets: only the last one may end in an order and a limit of its own. */
function staysOne(query: Query | Placeholder, isLast: boolean): query is SelectQuery {
  if (query.node !== 'SelectQuery' || query.ctes !== undefined) return false;
  const { orderBy, limitBy, limit, offset } = query;
  return isLast || [orderBy, limitBy, limit, offset].every((part) => part === undefined);
}

/** In brackets each query keeps its own names, order and limit. */
function bracketed(query: Query | Placeholder): string {
  return query.node === 'Placeholder' ? printExpr(query, printers) : `(${printHogql(query)})`;
}

function printLimits({ limit, offset }: { limit?: Expr | undefined; offset?: Expr | undefined }): string[] {
  return [clause('LIMIT', limit), clause('OFFSET', offset)].filter((part) => part !== undefined);
}

function printLimitBy(limitBy: SelectQuery['limitBy']): string | undefined {
  if (limitBy === undefined) return undefined;
  return joined([
    clause('LIMIT', limitBy.limit),
    clause('OFFSET', limitBy.offset),
    `BY ${list(limitBy.exprs)}`,
  ]);
}

function printCtes(ctes: readonly Cte[] | undefined): string | undefined {
  if (ctes === undefined) return undefined;
  const isRecursive = ctes.some((cte) => cte.kind === 'query' && cte.recursive);
  return `${isRecursive ? 'WITH RECURSIVE' : 'WITH'} ${ctes.map(printCte).join(', ')}`;
}

function printCte(cte: Cte): string {
  if (cte.kind === 'column') return `${printValue(cte.expr)} AS ${printName(cte.name)}`;
  const columns = cte.columns === undefined ? '' : `(${printNames(cte.columns)})`;
  return `${printName(cte.name)}${columns} AS (${printHogql(cte.query)})`;
}

function printJoins(join: JoinExpr): string {
  const { joinType, constraint, sample, next } = join;
  return joined([
    joinType,
    printTable(join),
    join.alias !== undefined && `AS ${printName(join.alias)}`,
    join.columnAliases && `(${printNames(join.columnAliases)})`,
    sample && `SAMPLE ${sample.ratio}${sample.offset === undefined ? '' : ` OFFSET ${sample.offset}`}`,
    constraint?.kind === 'ON' && `ON ${printValue(constraint.expr)}`,
    constraint?.kind === 'USING' && `USING (${printNames(constraint.columns)})`,
    next && printJoins(next),
  ]);
}

function printTable({ table, tableArgs }: JoinExpr): string {
  if (table.node === 'ValuesQuery') return `(VALUES ${table.rows.map((row) => `(${list(row)})`).join(', ')})`;
  if (table.node !== 'Field') return bracketed(table);
  return tableArgs === undefined
    ? printExpr(table, printers)
    : `${printChain(table.chain)}(${list(tableArgs)})`;
}

function printGroupBy(groupBy: GroupBy): string {
  return groupByText(groupBy, list);
}

/** GROUP BY, which HogQL and ClickHouse write alike; `print` prints keys with commas. */
export function groupByText(groupBy: GroupBy, print: (keys: readonly Expr[]) => string): string {
  switch (groupBy.kind) {
    case 'all':
      return 'ALL';
    case 'exprs':
      return print(groupBy.exprs);
    case 'grouping sets':
      return `GROUPING SETS (${groupBy.sets.map((set) => `(${print(set)})`).join(', ')})`;
    default:
      return `${groupBy.kind.toUpperCase()}(${print(groupBy.exprs)})`;
  }
}

function printOrders(orders: readonly OrderExpr[]): string {
  return orders.map(printOrder).join(', ');
}

function printOrder({ expr, order, nulls }: OrderExpr): string {
  return joined([printValue(expr), order === 'DESC' && 'DESC', nulls && `NULLS ${nulls}`]);
}

function printWindow(window: Window): string {
  return windowText(window, { list, orders: printOrders, value: printValue });
}

/** The content of the brackets of OVER, which HogQL and ClickHouse write alike. */
export function windowText(
  { partitionBy, orderBy, frame }: Window,
  print: {
    list: (exprs: readonly Expr[]) => string;
    orders: (orders: readonly OrderExpr[]) => string;
    value: (expr: Expr) => string;
  },
): string {
  return joined([
    partitionBy && `PARTITION BY ${print.list(partitionBy)}`,
    orderBy && `ORDER BY ${print.orders(orderBy)}`,
    frame && `${frame.method} ${frameText(frame, print.value)}`,
  ]);
}

function frameText({ start, end }: NonNullable<Window['frame']>, print: (expr: Expr) => string): string {
  const [from, to] = [start, end].map((bound) => {
    if (bound === undefined || bound.kind === 'CURRENT ROW') return bound?.kind;
    return `${bound.value === undefined ? 'UNBOUNDED' : print(bound.value)} ${bound.kind}`;
  });
  return to === undefined ? from! : `BETWEEN ${from} AND ${to}`;
}

function clause(words: string, expr: Expr | undefined): string | undefined {
  return expr === undefined ? undefined : `${words} ${printValue(expr)}`;
}

function list(exprs: readonly Expr[]): string {
  return printExprs(exprs, printers);
}

function printValue(expr: Expr): string {
  return printExpr(expr, printers);
}

function joined(parts: readonly (string | false | undefined)[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(' ');
}
