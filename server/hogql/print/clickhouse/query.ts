import type {
  ArrayJoin,
  Cte,
  Expr,
  JoinExpr,
  OrderExpr,
  Query,
  SelectQuery,
  SelectSetQuery,
  Window,
} from '../../ast.ts';
import type { HogqlContext } from '../../hogql-context.ts';
import type { ItemNote, Notes } from '../../resolve/notes.ts';
import type { RowLimit } from '../../resolve/scope.ts';
import type { Source } from '../../resolve/source.ts';
import { findTable, TABLES } from '../../tables/tables.ts';
import { groupByText, windowText } from '../hogql.ts';
import { createExpressionPrinter, type ExpressionPrinter } from './expression.ts';
import { nameSql } from './sql-text.ts';
import { CLICKHOUSE_TABLES, columnList } from './tables.ts';

export interface ClickhouseStatement {
  readonly notes: Notes;
  readonly context: HogqlContext;
  readonly database: string;
  /** The placeholder of a text. */
  bind(value: string): string;
}

/** A table or query in FROM: its alias, and the SQL of what is read of it. */
export interface ClickhouseSource {
  readonly alias: string;
  /** A column, or a column of a table that is joined because it was named (`person`, `id`); what is left is read of its value. */
  read(parts: readonly string[]): { sql: string; rest: readonly string[] };
}

export interface QueryPrinter {
  query(node: Query): string;
  /** With the limit that it has in the end. */
  outermost(node: Query, rows: RowLimit): string;
  /** The content of the brackets of OVER. */
  window(window: Window): string;
  orders(orders: readonly OrderExpr[]): string;
  sourceOf(source: Source): ClickhouseSource;
}

/** The words of joins that ClickHouse writes otherwise. */
const JOINS: Readonly<Record<string, string>> = {
  'FULL JOIN': 'FULL OUTER JOIN',
};

/** Prints queries from their trees and what compiling them has noted. */
export function createQueryPrinter(statement: ClickhouseStatement): QueryPrinter {
  const { notes, context, database } = statement;
  const sources = new Map<Source, ClickhouseSource>();
  /** The names of the columns of queries, as their SQL has them. */
  const outputs = new WeakMap<Query, readonly string[]>();
  const ctes = new Map<string, readonly string[]>();
  let aliases = 0;
  const table = (name: string): string => `${nameSql(database)}.${nameSql(name)}`;

  const printer: QueryPrinter = {
    query: (node) => query(node, null),
    outermost: query,
    window,
    orders,
    sourceOf,
  };
  const { expression }: ExpressionPrinter = createExpressionPrinter(statement, printer);

  const list = (exprs: readonly Expr[]): string => exprs.map((one) => expression(one)).join(', ');

  function sourceOf(source: Source): ClickhouseSource {
    const found = sources.get(source);
    if (found === undefined) throw new Error(`no source ${source.name ?? ''}`);
    return found;
  }

  function query(node: Query, rows: RowLimit | null): string {
    const rewritten = notes.rewritten.get(node) as Query | undefined;
    if (rewritten !== undefined) {
      const text = query(rewritten, rows);
      outputs.set(node, outputs.get(rewritten)!);
      return text;
    }
    return node.node === 'SelectQuery' ? select(node, rows) : set(node, rows);
  }

  function set(node: SelectSetQuery, rows: RowLimit | null): string {
    const head = withText(node.ctes);
    const parts = [node.first, ...node.rest.map((one) => one.query)] as Query[];
    const texts = parts.map((one) => `(${query(one, null)})`);
    outputs.set(node, outputs.get(parts[0]!)!);
    const joined = texts.reduce((left, right, at) => `${left} ${node.rest[at - 1]!.operator} ${right}`);
    const end = limits(node, rows);
    return end === '' ? `${head}${joined}` : `${head}SELECT * FROM (${joined})${end}`;
  }

  function withText(list: readonly Cte[] | undefined): string {
    if (list === undefined || list.length === 0) return '';
    const texts = list.map((cte) => {
      if (cte.kind === 'column') return `${expression(cte.expr)} AS ${nameSql(cte.name)}`;
      const text = query(cte.query as Query, null);
      const columns = outputs.get(cte.query as Query)!;
      ctes.set(cte.name, columns);
      return `${nameSql(cte.name)} AS (${text})`;
    });
    return `WITH ${texts.join(', ')} `;
  }

  function select(node: SelectQuery, rows: RowLimit | null): string {
    const head = withText(node.ctes);
    const from = node.from === undefined ? null : fromText(node.from);
    const items = notes.items.get(node) ?? [];
    const names = outputNames(items);
    outputs.set(node, names);
    const columns = items.map((item, at) => `${itemSql(item)} AS ${nameSql(names[at]!)}`);
    const arrays = node.arrayJoin && arrayJoinText(node.arrayJoin);
    const rest = [
      clause('WHERE', node.where),
      node.groupBy ? ` GROUP BY ${groupByText(node.groupBy, list)}` : '',
      clause('HAVING', node.having),
      node.windows
        ? ` WINDOW ${node.windows.map(({ name, window: one }) => `${nameSql(name)} AS (${window(one)})`).join(', ')}`
        : '',
      clause('QUALIFY', node.qualify),
      node.orderBy ? ` ORDER BY ${orders(node.orderBy)}` : '',
      limitBy(node),
      limits(node, rows),
    ];
    // FROM comes last: now all that is read of its tables is known.
    const selected = `SELECT ${node.distinct ? 'DISTINCT ' : ''}${columns.join(', ')}`;
    return `${head}${selected}${from === null ? '' : ` FROM ${from()}`}${arrays ?? ''}${rest.join('')}`;
  }

  function itemSql(item: ItemNote): string {
    if (!('expr' in item)) return sourceOf(item.source).read([item.column]).sql;
    return expression(item.expr.node === 'Alias' ? item.expr.expr : item.expr);
  }

  /** Columns with an alias keep it, since other parts of the query name it; the others, and later ones of the same name, get one. */
  function outputNames(items: readonly ItemNote[]): string[] {
    const seen = new Set<string>();
    return items.map((item, at) => {
      const isNamed = 'expr' in item && item.expr.node === 'Alias' && !seen.has(item.name);
      seen.add(item.name);
      return isNamed ? item.name : `_c${at}`;
    });
  }

  function clause(word: string, condition: Expr | undefined): string {
    return condition === undefined ? '' : ` ${word} ${expression(condition)}`;
  }

  function orders(list: readonly OrderExpr[]): string {
    return list
      .map(({ expr, order, nulls }) => `${expression(expr)} ${order} NULLS ${nulls ?? 'LAST'}`)
      .join(', ');
  }

  function window(one: Window): string {
    return windowText(one, { list, orders, value: (expr) => expression(expr) });
  }

  function limitBy({ limitBy: by }: SelectQuery): string {
    if (by === undefined) return '';
    const offset = by.offset === undefined ? '' : ` OFFSET ${expression(by.offset)}`;
    return ` LIMIT ${expression(by.limit)}${offset} BY ${list(by.exprs)}`;
  }

  function limits(node: { limit?: Expr; offset?: Expr }, rows: RowLimit | null): string {
    if (rows !== null) return ` LIMIT ${rows.limit}${rows.offset === 0 ? '' : ` OFFSET ${rows.offset}`}`;
    const limit = node.limit === undefined ? '' : ` LIMIT ${expression(node.limit)}`;
    return `${limit}${node.offset === undefined ? '' : ` OFFSET ${expression(node.offset)}`}`;
  }

  /** Adds the sources of FROM; what it returns prints them once everything that is read of them is known. */
  function fromText(first: JoinExpr): () => string {
    const texts: { node: JoinExpr; text: () => string }[] = [];
    const before: Source[] = [];
    const conditions: string[] = [];
    for (let node: JoinExpr | undefined = first; node !== undefined; node = node.next) {
      texts.push({ node, text: addSource(node) });
      const source = notes.sources.get(node)!;
      conditions.push(constraint(node, before, source));
      before.push(source);
    }
    return () =>
      texts
        .map(({ node, text }, at) => {
          if (at === 0) return text();
          const type = node.joinType ?? 'CROSS JOIN';
          return ` ${JOINS[type] ?? type} ${text()}${conditions[at]!}`;
        })
        .join('');
  }

  function constraint({ constraint: given }: JoinExpr, before: readonly Source[], source: Source): string {
    if (given === undefined) return '';
    if (given.kind === 'ON') return ` ON ${expression(given.expr, 'on')}`;
    const equal = given.columns.map((column) => {
      const left = before.find((one) => one.find(column) !== null)!;
      return `equals(${sourceOf(left).read([column]).sql}, ${sourceOf(source).read([column]).sql})`;
    });
    return ` ON ${equal.join(' AND ')}`;
  }

  function addSource(node: JoinExpr): () => string {
    const source = notes.sources.get(node)!;
    const alias = source.name ?? `_s${(aliases += 1)}`;
    const { table: of } = node;
    if (of.node === 'Field') {
      const name = of.chain.join('.');
      if (node.tableArgs !== undefined) {
        const args = node.tableArgs.map((arg) => expression(arg)).join(', ');
        return add(
          source,
          alias,
          ['number'],
          () => `(SELECT toInt64(number) AS number FROM numbers(${args}))`,
          node,
        );
      }
      const columns = ctes.get(name);
      if (columns !== undefined) return add(source, alias, columns, () => nameSql(name), node);
      return addTable(source, alias, findTable(name)?.name ?? name, node);
    }
    if (of.node === 'ValuesQuery') {
      const rows = of.rows.map(
        (row) => `SELECT ${row.map((one, at) => `${expression(one)} AS c${at + 1}`).join(', ')}`,
      );
      const columns = of.rows[0]!.map((_, at) => `c${at + 1}`);
      return add(source, alias, columns, () => `(${rows.join(' UNION ALL ')})`, node);
    }
    const text = query(of as Query, null);
    return add(source, alias, outputs.get(of as Query)!, () => `(${text})`, node);
  }

  /** A query, whose columns are named in SQL as `columns` says, and in the language as the source says. */
  function add(
    source: Source,
    alias: string,
    columns: readonly string[],
    text: () => string,
    node: JoinExpr,
  ): () => string {
    const names = source.names();
    sources.set(source, {
      alias,
      read: ([name, ...rest]) => ({
        sql: `${nameSql(alias)}.${nameSql(columns[names.indexOf(name!)] ?? name!)}`,
        rest,
      }),
    });
    return () => `${text()} AS ${nameSql(node.alias ?? alias)}`;
  }

  function addTable(source: Source, alias: string, name: string, node: JoinExpr): () => string {
    const known = tableSource(alias, name, null, node.sample?.ratio ?? null);
    sources.set(source, known);
    return known.text;
  }

  /**
   * A table as a query of the columns that are read of it. Tables that are joined because they were named stand in it, so that
   * it is one source for whatever is around it.
   */
  function tableSource(
    alias: string,
    name: string,
    groupTypeIndex: number | null,
    sample: number | null,
  ): ClickhouseSource & { text: () => string } {
    const language = TABLES.get(name)!;
    const printed = CLICKHOUSE_TABLES[name]!;
    const columns = new Map<string, string>();
    /** The table's own columns that are read: ClickHouse analyzes all that are written, and sessions have sixty. */
    const own = new Set<string>();
    const expressions = new Set<string>();
    const joined = new Map<string, ReturnType<typeof tableSource>>();
    const inner = `_t${(aliases += 1)}`;
    return {
      alias,
      read([column, ...rest]) {
        const groupIndex = context.groupTypes.indexOf(column!);
        const lazy =
          language.lazy.get(column!) ??
          (groupIndex < 0 ? undefined : language.lazy.get(`group_${groupIndex}`));
        const isExpression = language.expressions?.has(column!) === true;
        if (isExpression) expressions.add(column!);
        else if (printed.columns[column!] !== undefined) own.add(column!);
        if (isExpression || printed.columns[column!] !== undefined || lazy === undefined) {
          columns.set(column!, `${nameSql(inner)}.${nameSql(column!)}`);
          return { sql: `${nameSql(alias)}.${nameSql(column!)}`, rest };
        }
        let other = joined.get(column!);
        if (other === undefined) {
          other = tableSource(`_${column!}`, lazy.table, lazy.groupTypeIndex ?? null, null);
          joined.set(column!, other);
        }
        const found = other.read(rest);
        const key = `${column!}.${rest.slice(0, rest.length - found.rest.length).join('.')}`;
        columns.set(key, found.sql);
        return { sql: `${nameSql(alias)}.${nameSql(key)}`, rest: found.rest };
      },
      text() {
        if (joined.size === 0) return `${rowsText()} AS ${nameSql(alias)}`;
        const joins = [...joined].map(([column, other]) => {
          const lazy =
            language.lazy.get(column) ?? language.lazy.get(`group_${context.groupTypes.indexOf(column)}`)!;
          const on = lazy.on.map(([mine, theirs]) => {
            own.add(mine);
            return `${nameSql(inner)}.${nameSql(mine)} = ${other.read([theirs]).sql}`;
          });
          return ` LEFT JOIN ${other.text()} ON ${on.join(' AND ')}`;
        });
        return `(SELECT ${columnList([...columns])} FROM ${rowsText()} AS ${nameSql(inner)}${joins.join('')}) AS ${nameSql(alias)}`;
      },
    };

    /** What is read of the table, once that is complete: its expressions read other columns. */
    function rowsText(): string {
      const computed = expressionColumns(name, [...expressions], own);
      const list = [...own].map((column): [string, string] => [column, printed.columns[column]!]);
      const from = printed.rows({ project: context.projectId, groupTypeIndex, sample, table });
      const rows = `(SELECT ${list.length === 0 ? '1' : columnList(list)} FROM ${from})`;
      if (computed === null) return rows;
      return `(SELECT ${nameSql(computed.alias)}.*, ${columnList(computed.columns)} FROM ${rows} AS ${nameSql(computed.alias)})`;
    }
  }

  /** Columns of a table that are expressions over others, which are added to `own`. */
  function expressionColumns(
    name: string,
    names: readonly string[],
    own: Set<string>,
  ): { alias: string; columns: [string, string][] } | null {
    if (names.length === 0) return null;
    const alias = `_t${(aliases += 1)}`;
    const columns = names.map((column): [string, string] => {
      const { expr, source } = notes.expressions.get(`${name}.${column}`)!;
      sources.set(source, {
        alias,
        read([read, ...rest]) {
          own.add(read!);
          return { sql: `${nameSql(alias)}.${nameSql(read!)}`, rest };
        },
      });
      return [column, expression(expr)];
    });
    return { alias, columns };
  }

  function arrayJoinText({ left, arrays }: ArrayJoin): string {
    const list = arrays.map(({ expr, alias }) => `${expression(expr)} AS ${nameSql(alias)}`);
    return ` ${left ? 'LEFT ARRAY JOIN' : 'ARRAY JOIN'} ${list.join(', ')}`;
  }

  return printer;
}
