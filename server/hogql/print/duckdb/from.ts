import type { ArrayJoin, Expr, Field, JoinExpr, Query, ValuesQuery } from '../../ast.ts';
import { unify } from '../../functions/common-type.ts';
import { limitOf, unlessTooLarge } from '../../functions/growth.ts';
import { asWhole, defaultOf } from '../../functions/read-argument.ts';
import type { Printed } from '../../functions/function-row.ts';
import { didYouMean } from '../../nearest.ts';
import type { OutputColumn } from '../../resolve/output.ts';
import { lateralArray } from './lateral.ts';
import { refuse, type Scope, type SelectState } from '../../resolve/scope.ts';
import type { FirstRows, Source } from '../../resolve/source.ts';
import { HiddenPersonsError } from '../../errors.ts';
import type { Table } from '../../tables/table.ts';
import { findTable, TABLES, withoutSchema } from '../../tables/tables.ts';
import { scalar } from '../../value-type.ts';
import { callContext } from './call-context.ts';
import { comparison } from './compare.ts';
import { printCondition } from './expression.ts';
import { createQuerySource } from './query-source.ts';
import { createTableSource } from './table-source.ts';

const JOINS: Partial<Record<NonNullable<JoinExpr['joinType']>, string>> = {
  'INNER JOIN': 'JOIN',
  'LEFT JOIN': 'LEFT JOIN',
  'RIGHT JOIN': 'RIGHT JOIN',
  'FULL JOIN': 'FULL JOIN',
  'CROSS JOIN': 'CROSS JOIN',
  'ASOF JOIN': 'ASOF JOIN',
  'ASOF LEFT JOIN': 'ASOF LEFT JOIN',
  'LEFT SEMI JOIN': 'SEMI JOIN',
  'LEFT ANTI JOIN': 'ANTI JOIN',
  'ANY LEFT JOIN': 'LEFT JOIN LATERAL',
};
/** Joins after which the right side, or what is left of it, may be missing. */
const RIGHT_MAY_MISS = ['LEFT JOIN', 'ANY LEFT JOIN', 'FULL JOIN', 'ASOF LEFT JOIN'];
const LEFT_MAY_MISS = ['RIGHT JOIN', 'FULL JOIN'];
const MOST_NUMBERS = 10_000_000;
/** Numbers whose count is an expression: they are one list before they are rows. */
const MOST_COMPUTED = 1_000_000;
/** Tables of one FROM: DuckDB takes the cube of their number to order them, 9 s for a hundred. */
const MAX_JOINED = 50;

/**
 * Adds the sources of FROM to a SELECT and returns a function that prints them, to be called last: only then all
 * columns that are read are known.
 */
export function addSources(
  from: JoinExpr | undefined,
  select: SelectState,
): (firstRows: FirstRows | null) => string {
  const joins: { source: Source; node: JoinExpr; on: string }[] = [];
  for (let node = from; node !== undefined; node = node.next) {
    if (joins.length === MAX_JOINED) refuse(`FROM can join up to ${MAX_JOINED} tables.`, node);
    const source = sourceOf(node, select);
    select.statement.notes?.sources.set(node, source);
    if (source.name !== null && select.sources.some((one) => one.name === source.name)) {
      refuse(`"${source.name}" is joined twice: use a different alias for each.`, node);
    }
    const type = node.joinType;
    if (type !== undefined && RIGHT_MAY_MISS.includes(type)) source.isOuter = true;
    if (type !== undefined && LEFT_MAY_MISS.includes(type))
      for (const one of select.sources) one.isOuter = true;
    const before = [...select.sources];
    select.sources.push(source);
    joins.push({ source, node, on: constraint(node, before, source, select) });
    // In its own condition a column is what the other side may have; the trees of insights count on NULL.
    if (node.start !== undefined) {
      for (const one of select.sources) one.hasDefaults ||= one.isOuter;
    }
  }
  return (firstRows) =>
    joins
      .map(({ source, node, on }, at) =>
        at === 0
          ? source.text(true, joins.length === 1 ? firstRows : null)
          : joinText(node, source.text(false), on),
      )
      .join('');
}

function joinText(node: JoinExpr, text: string, on: string): string {
  const word = joinWord(node);
  if (node.joinType !== 'ANY LEFT JOIN') return ` ${word} ${text}${on}`;
  const [, alias] =
    / AS (\w+)$/.exec(text) ?? refuse('LEFT ANY JOIN requires a table without joins: use a subquery.', node);
  return ` ${word} (SELECT * FROM ${text}${on.replace(/^ ON /, ' WHERE ')} LIMIT 1) AS ${alias!} ON true`;
}

function joinWord(node: JoinExpr): string {
  const word = JOINS[node.joinType ?? 'CROSS JOIN'];
  return word ?? refuse(`${node.joinType} is not supported.`, node);
}

function constraint(node: JoinExpr, before: readonly Source[], source: Source, select: SelectState): string {
  const { constraint: given, joinType = 'CROSS JOIN' } = node;
  if (before.length === 0) return '';
  const word = joinWord(node);
  if (given === undefined) {
    return joinType === 'CROSS JOIN' ? '' : refuse(`${joinType} requires ON or USING.`, node);
  }
  if (joinType === 'CROSS JOIN') return refuse('CROSS JOIN does not support a condition.', node);
  select.clause = 'ON';
  const scope: Scope = { select, locals: new Map() };
  if (given.kind === 'ON' && word.startsWith('ASOF')) checkAsof(given.expr);
  const sql =
    given.kind === 'ON'
      ? printCondition(given.expr, scope, 'on')
      : given.columns.map((column) => usingSql(column, node, before, source, select)).join(' AND ');
  if (word === 'SEMI JOIN' || word === 'ANTI JOIN') source.isHidden = true;
  select.loose = [];
  return ` ON ${sql}`;
}

function usingSql(
  column: string,
  node: JoinExpr,
  before: readonly Source[],
  source: Source,
  select: SelectState,
): string {
  const read = (one: Source | undefined): Printed => {
    const found = one?.find(column);
    // A text column of a subquery is found as properties, since it may be read inside.
    const isText = found?.kind === 'properties' && found.printed.type.name === 'String';
    return found?.kind === 'value' || isText
      ? found.printed
      : refuse(`USING requires the column "${column}" on both sides.`, node);
  };
  const left = read(before.find((one) => one.find(column) !== null));
  select.shared.add(column);
  const field: Field = { node: 'Field', chain: [column] };
  return comparison('==', left, read(source), {
    statement: select.statement,
    mode: 'on',
    at: node,
    left: field,
    right: field,
  });
}

/** ASOF takes the nearest row by one inequality, among those that are equal in all else. */
function checkAsof(expr: Expr): void {
  const parts = expr.node === 'And' ? expr.exprs : [expr];
  const orders = parts.filter((part) => part.node === 'Compare' && ['<', '<=', '>', '>='].includes(part.op));
  const equals = parts.filter((part) => part.node === 'Compare' && part.op === '==');
  if (orders.length !== 1 || orders.length + equals.length !== parts.length) {
    refuse(
      'ASOF JOIN requires exactly one comparison with <, <=, > or >=, and otherwise equality conditions.',
      expr,
    );
  }
}

function sourceOf(node: JoinExpr, select: SelectState): Source {
  const { table } = node;
  switch (table.node) {
    case 'Field':
      return node.tableArgs === undefined ? named(node, table, select) : tableFunction(node, table, select);
    case 'ValuesQuery':
      return valuesSource(node, table, select);
    case 'Placeholder':
      return refuse(`{${table.chain.join('.')}} has no value here.`, table);
    default:
      return querySource(node, table, select);
  }
}

function querySource(node: JoinExpr, query: Query, select: SelectState): Source {
  if (node.sample) refuse('SAMPLE is only supported for tables: move it into the subquery.', node);
  const { sql, columns } = select.printer.query(query, null, select.queries);
  return createQuerySource(select.statement, node.alias ?? null, renamed(columns, node), `(${sql})`);
}

function named(node: JoinExpr, table: Field, select: SelectState): Source {
  const name = table.chain.join('.');
  const query = select.queries.get(name);
  if (query !== undefined) {
    select.statement.expand(query.expandedLength, table);
    return createQuerySource(select.statement, node.alias ?? name, renamed(query.columns, node), query.from);
  }
  if (name === 'numbers') return refuse(`Table function 'numbers' requires arguments`, table);
  const found = findTable(name);
  if (found === undefined || !isReadable(found, select)) {
    const known = [...TABLES.values()].filter((one) => isReadable(one, select)).map((one) => one.name);
    return refuse(`Unknown table "${name}".${didYouMean(name, [...known, ...select.queries.keys()])}`, table);
  }
  if (found.resource !== undefined) select.statement.noteStored();
  const { hidesPersons = false } = select.statement.context;
  if (hidesPersons && found.ofPersons && !table.isCounted)
    throw new HiddenPersonsError(`The table "${name}"`, table);
  if (node.sample && found.canSample !== true)
    refuse(`SAMPLE is only supported for events and sessions, not for "${name}".`, node);
  if (node.sample && node.sample.ratio > 1) refuse('SAMPLE requires a ratio between 0 and 1.', node);
  if (node.columnAliases) refuse('Columns of a table cannot be renamed.', node);
  return createTableSource(select, found, {
    name: node.alias ?? withoutSchema(name),
    sample: node.sample?.ratio ?? null,
  });
}

/** Whether the caller may read any row of a table. */
function isReadable({ resource }: Table, { statement }: SelectState): boolean {
  const rows = resource === undefined ? undefined : (statement.context.readableRows?.(resource) ?? null);
  return rows === undefined || (rows !== null && (rows.byDefault || rows.exceptions.length > 0));
}

function renamed(columns: readonly OutputColumn[], node: JoinExpr): readonly OutputColumn[] {
  const names = node.columnAliases;
  if (names === undefined) return columns;
  if (names.length !== columns.length)
    refuse(`Found ${columns.length} columns, but ${names.length} column names.`, node);
  return columns.map((column, at) => ({ ...column, name: names[at]! }));
}

/** `numbers(10)`: 0 to 9; `numbers(5, 10)`: 5 to 14. */
function tableFunction(node: JoinExpr, table: Field, select: SelectState): Source {
  const name = table.chain.join('.');
  if (findTable(name) !== undefined) return refuse(`Table '${name}' does not accept arguments`, table);
  if (name !== 'numbers') return refuse(`Unknown table function "${name}". Supported: "numbers".`, table);
  const args = node.tableArgs ?? [];
  if (args.length === 0) return refuse(`Table function 'numbers' requires at least 1 argument`, node);
  if (args.length > 2) return refuse(`Table function 'numbers' requires at most 2 arguments`, node);
  if (args.some((arg) => arg.node !== 'Constant')) return computedNumbers(node, args, select);
  const values = (node.tableArgs ?? []).map((arg) => (arg.node === 'Constant' ? arg.value : null));
  const counts = values.filter(
    (value): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0,
  );
  if (counts.length !== values.length) {
    return refuse('"numbers" requires a count, or an offset and a count, as whole numbers.', node);
  }
  const [start, count] = counts.length === 1 ? [0, counts[0]!] : [counts[0]!, counts[1]!];
  if (count > MOST_NUMBERS) refuse(`"numbers" returns up to ${MOST_NUMBERS} rows.`, node);
  if (count > 1) select.statement.noteRows();
  const text = `(SELECT range AS c0 FROM range(${start}, ${start + count}))`;
  return createQuerySource(
    select.statement,
    node.alias ?? name,
    renamed([{ name: 'number', type: scalar('Int64') }], node),
    text,
  );
}

/** `numbers(count)` and `numbers(offset, count)` of expressions that read no table. */
function computedNumbers(node: JoinExpr, args: readonly Expr[], select: SelectState): Source {
  const { statement } = select;
  const scope: Scope = { select: { ...select, sources: [], outer: null }, locals: new Map() };
  const call = { ...callContext(statement, node, args), name: 'numbers' };
  const values = args.map((arg, at) => asWhole(select.printer.expression(arg, scope), call, at).sql);
  const [start, count] = values.length === 1 ? ['0', values[0]!] : [values[0]!, values[1]!];
  const rows = unlessTooLarge(
    `${count} > ${MOST_COMPUTED}`,
    `range(${start}, ${start} + greatest(${count}, 0))`,
    limitOf(call, MOST_COMPUTED, 'rows'),
  );
  statement.noteRows();
  return createQuerySource(
    statement,
    node.alias ?? 'numbers',
    renamed([{ name: 'number', type: scalar('Int64') }], node),
    `(SELECT unnest(${rows}) AS c0)`,
  );
}

function valuesSource(node: JoinExpr, { rows }: ValuesQuery, select: SelectState): Source {
  const scope: Scope = { select: { ...select, sources: [] }, locals: new Map() };
  const printed = rows.map((row) => row.map((expr) => select.printer.expression(expr, scope)));
  const width = printed[0]?.length ?? 0;
  if (width === 0 || printed.some((row) => row.length !== width))
    return refuse('All rows of VALUES must have the same number of values.', node);
  const columns = Array.from({ length: width }, (_, at) =>
    unify(
      printed.map((row) => row[at]!),
      callContext(select.statement, node),
    ),
  );
  const text = printed.map(
    (_, row) => `SELECT ${columns.map(({ sql }, at) => `${sql[row]!} AS c${at}`).join(', ')}`,
  );
  const outputs = columns.map(({ type }, at) => ({ name: `c${at + 1}`, type }));
  return createQuerySource(
    select.statement,
    node.alias ?? null,
    renamed(outputs, node),
    `(${text.join(' UNION ALL ')})`,
  );
}

/** Adds the rows of ARRAY JOIN: what each name means from here on, and the text that follows FROM. */
export function addArrayJoin(
  join: ArrayJoin,
  select: SelectState,
): { names: Map<string, Printed>; text: string } {
  select.clause = 'ARRAY JOIN';
  const scope: Scope = { select, locals: new Map() };
  const alias = select.statement.fresh('a');
  const names = new Map<string, Printed>();
  const parts = join.arrays.map((array, at) => {
    const value = select.printer.expression(array.expr, scope);
    if (value.type.name !== 'Array') return refuse('ARRAY JOIN takes arrays.', array);
    const { item } = value.type;
    const sql = `${alias}.c${at}`;
    const isFilled = join.left === true && !item.nullable;
    names.set(array.alias, {
      sql: isFilled ? `coalesce(${sql}, ${defaultOf(item)})` : sql,
      type: item,
    });
    return `unnest(${lateralArray(value.sql, select.statement)}) AS c${at}`;
  });
  select.loose = [];
  const rows = `(SELECT ${parts.join(', ')}) AS ${alias}`;
  return { names, text: join.left ? ` LEFT JOIN ${rows} ON true` : ` CROSS JOIN ${rows}` };
}
