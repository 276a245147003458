import type { Expr, Query } from './ast.ts';
import type { CompiledQuery, HogqlContext, Param } from './hogql-context.ts';
import { printAlias } from './print/duckdb/alias.ts';
import { printCondition, printExpression } from './print/duckdb/expression.ts';
import { callsArrayJoin, groupFirst, readsJoined } from './print/duckdb/group-first.ts';
import { hasPerson, visible } from './print/duckdb/coerce.ts';
import { HiddenPersonsError, HogqlError } from './errors.ts';
import { ownLimit, printSelect } from './print/duckdb/select.ts';
import { printSet } from './print/duckdb/set-query.ts';
import { createStatement, type Statement } from './print/duckdb/statement.ts';
import { createNotes, type Notes } from './resolve/notes.ts';
import {
  newSelectState,
  type Place,
  type PrintedQuery,
  type Printer,
  type RowLimit,
  type Scope,
} from './resolve/scope.ts';
import { refuseDeep } from './resolve/walk.ts';
import { scalar, typeText } from './value-type.ts';

/**
 * Makes of a query the statement that answers it in its project, and in no other. Pure: the same query gives the same text.
 * Throws HogqlError, with the place and a sentence for its author, for what cannot be answered.
 */
export function compileHogql(query: Query, context: HogqlContext): CompiledQuery {
  return compileNoting(query, context, () => null).compiled;
}

/** The same, with what was found out about the nodes of the query, none of which may occur twice in it. */
export function compileWithNotes(
  query: Query,
  context: HogqlContext,
): { compiled: CompiledQuery; notes: Notes } {
  const { compiled, notes } = compileNoting(query, context, createNotes);
  return { compiled, notes: notes! };
}

interface CompileOptions {
  readonly notes: Notes | null;
  /** SELECTs that make rows of what their aggregates give become two, of which the inner one groups. */
  readonly groupsFirst: boolean;
}

interface Compiled {
  readonly compiled: CompiledQuery;
  readonly notes: Notes | null;
}

/**
 * A query that is refused as it is written is compiled once more, with its SELECTs in two where they make rows of what their
 * aggregates give. Throws what is wrong with the query as it is written.
 */
function compileNoting(query: Query, context: HogqlContext, notes: () => Notes | null): Compiled {
  refuseDeep(query);
  try {
    return compileOnce(query, context, { notes: notes(), groupsFirst: false });
  } catch (error) {
    const isRefused = error instanceof HogqlError && !(error instanceof HiddenPersonsError);
    if (!isRefused || !callsArrayJoin(query)) throw error;
    try {
      return compileOnce(query, context, { notes: notes(), groupsFirst: true });
    } catch (second) {
      if (!(second instanceof HogqlError)) throw second;
      throw error;
    }
  }
}

function compileOnce(query: Query, context: HogqlContext, { notes, groupsFirst }: CompileOptions): Compiled {
  const statement = createStatement(context, notes);
  const rows = rowLimit(query, context);
  const printed = printQuery(
    query,
    {
      statement,
      printer: createPrinter(statement, groupsFirst),
      outer: null,
      queries: new Map(),
      rows: { ...rows, limit: rows.limit + 1 },
    },
    groupsFirst,
  );
  if (printed.columns.some(({ type }) => type.name === 'PersonSet')) {
    throw new HogqlError('A set of persons cannot be returned.', query);
  }
  if (printed.columns.some(({ type }) => type.name === 'State')) {
    throw new HogqlError(
      'An aggregate function state (-State) cannot be returned: use -Merge in an outer query.',
      query,
    );
  }
  const sql = withUuids(printed, statement);
  statement.checkSize(sql, query);
  const compiled = {
    sql,
    params: statement.paramsIn(sql),
    columns: printed.columns.map(({ name, type }) => ({
      name,
      type: typeText(type, context.timezone),
      shown: type,
    })),
    timezone: context.timezone,
    limit: rows.limit,
    offset: rows.offset,
    readsStored: statement.readsStored,
  };
  return { compiled, notes };
}

/** Conditions read no table. */
const NO_PROJECT: HogqlContext = {
  projectId: 0,
  timezone: 'UTC',
  now: 0,
  propertyType: () => null,
  eventColumn: () => null,
  groupTypes: [],
  cohort: () => null,
  limits: { defaultRows: 1, maxRows: 1 },
};

/** A value of another statement, as SQL; it may be NULL. */
export interface ConditionInput {
  readonly type: 'String' | 'Float64' | 'JSON';
  readonly sql: string;
}

/**
 * SQL for a condition on values of another statement, by the names that the expression has for them. `bind` adds a
 * value to that statement; dates without a time zone are in `timezone`. The condition is true, or false or NULL.
 * Throws HogqlError.
 */
export function compileCondition(
  condition: Expr,
  inputs: Readonly<Record<string, ConditionInput>>,
  bind: (value: Param) => string,
  timezone: string,
): string {
  return compileWithInputs((scope) => printCondition(condition, scope), inputs, bind, timezone);
}

/** The same for the value of an expression. */
export function compileValue(
  value: Expr,
  inputs: Readonly<Record<string, ConditionInput>>,
  bind: (value: Param) => string,
  timezone: string,
): string {
  return compileWithInputs((scope) => printExpression(value, scope).sql, inputs, bind, timezone);
}

function compileWithInputs(
  print: (scope: Scope) => string,
  inputs: Readonly<Record<string, ConditionInput>>,
  bind: (value: Param) => string,
  timezone: string,
): string {
  const statement = createStatement({ ...NO_PROJECT, timezone });
  const place: Place = {
    statement,
    printer: createPrinter(statement),
    outer: null,
    queries: new Map(),
    rows: null,
  };
  // Their names until the values are bound: the SQL may hold names of parameters itself.
  const locals = new Map(
    Object.entries(inputs).map(([name, { type }]) => [
      name,
      { sql: `\u0000${name}\u0000`, type: scalar(type, true) },
    ]),
  );
  const printed = print({ select: newSelectState(place), locals });
  const params = statement.paramsIn(printed);
  return printed
    .replace(/\$(p\d+)/g, (match, key: string) => (key in params ? bind(params[key]!) : match))
    .split('\u0000')
    .map((part, at) => (at % 2 === 0 ? part : inputs[part]!.sql))
    .join('');
}

function rowLimit(query: Query, { limits }: HogqlContext): RowLimit {
  const { limit, offset } = ownLimit(query);
  return { limit: Math.min(limit ?? limits.defaultRows, limits.maxRows), offset };
}

function createPrinter(statement: Statement, groupsFirst = false): Printer {
  const printer: Printer = {
    expression: printExpression,
    condition: (node, scope) => printCondition(node, scope),
    alias: printAlias,
    query: (node, outer, queries) =>
      statement.nested(node, () =>
        printQuery(node, { statement, printer, outer, queries, rows: null }, groupsFirst),
      ),
  };
  return printer;
}

function printQuery(query: Query, place: Place, groupsFirst: boolean): PrintedQuery {
  if (query.node !== 'SelectQuery') return printSet(query, place);
  const grouped = groupsFirst || readsJoined(query) ? groupFirst(query) : null;
  if (grouped === null) return printSelect(query, place);
  place.statement.notes?.rewritten.set(query, grouped);
  return printSelect(grouped, place);
}

/** Persons in the result as UUIDs: looked up for the rows that are given, in the order that they have. */
function withUuids({ sql, columns }: PrintedQuery, statement: Statement): string {
  if (!columns.some(({ type }) => hasPerson(type))) return sql;
  const list = columns.map(
    ({ type }, at) => `${visible({ sql: `r.c${at}`, type }, statement).sql} AS c${at}`,
  );
  return `SELECT ${list.join(', ')} FROM (SELECT i.*, row_number() OVER () AS n FROM (${sql}) i) r ORDER BY r.n`;
}
