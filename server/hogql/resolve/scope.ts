import type { Expr, Located, Query, Window } from '../ast.ts';
import { HogqlError } from '../errors.ts';
import type { Printed } from '../functions/function-row.ts';
import type { Statement } from '../print/duckdb/statement.ts';
import type { OutputColumn } from './output.ts';
import type { Source } from './source.ts';

/** The part of a query that is being read; some parts allow no aggregates or windows. */
export type Clause =
  'SELECT' | 'WHERE' | 'GROUP BY' | 'HAVING' | 'QUALIFY' | 'ORDER BY' | 'ON' | 'ARRAY JOIN';

/** A query of WITH. */
export interface NamedQuery {
  readonly columns: readonly OutputColumn[];
  /** Its text after FROM. */
  readonly from: string;
  /** Characters of SQL that the engine plans at each use of its name. */
  readonly expandedLength: number;
}

/** A query in SQL, without parentheses. */
export interface PrintedQuery {
  readonly sql: string;
  readonly columns: readonly OutputColumn[];
}

/**
 * Rows to return and to skip, which are part of the text because DuckDB keeps only the first rows when their number
 * is a constant.
 */
export interface RowLimit {
  readonly limit: number;
  readonly offset: number;
}

/** The surroundings of a query. */
export interface Place {
  readonly statement: Statement;
  readonly printer: Printer;
  /** What is around it, where an expression may name the columns of that; null in FROM. */
  readonly outer: Scope | null;
  /** The queries of WITH that it sees. */
  readonly queries: ReadonlyMap<string, NamedQuery>;
  /** What to take for its LIMIT and OFFSET; null: its own. */
  readonly rows: RowLimit | null;
}

/** Prints the parts of a query; each part prints its inner parts with it. */
export interface Printer {
  expression(node: Expr, scope: Scope): Printed;
  /** Where NULL and false mean the same: WHERE, HAVING, ON, the condition of -If. */
  condition(node: Expr, scope: Scope): string;
  /** Prints the expression of an alias. */
  alias(name: string, scope: Scope): Printed;
  /** A query inside an expression (`outer` is the scope around it) or in FROM (null). */
  query(node: Query, outer: Scope | null, queries: ReadonlyMap<string, NamedQuery>): PrintedQuery;
}

/** What an alias was printed as, and what came with it. */
export interface PrintedAlias {
  readonly printed: Printed;
  readonly loose: readonly Located[];
  readonly hasAggregates: boolean;
  readonly hasWindows: boolean;
}

/** State of one SELECT while it is printed. */
export interface SelectState {
  readonly statement: Statement;
  readonly printer: Printer;
  /** Of the query around it, where an expression may name its columns; null inside FROM. */
  readonly outer: Scope | null;
  readonly sources: Source[];
  readonly queries: ReadonlyMap<string, NamedQuery>;
  readonly aliases: Map<string, Expr>;
  readonly printedAliases: Map<string, PrintedAlias>;
  /** Aliases that are being printed: inside, their names mean columns. */
  readonly resolving: Set<string>;
  readonly windows: Map<string, Window>;
  /** What ARRAY JOIN gives a name to. */
  readonly rowNames: Map<string, Printed>;
  /** Arrays whose items make rows, by their SQL: what `arrayJoin` is of each. */
  readonly arrayJoins: Map<string, { readonly item: Printed; readonly text: string }>;
  /** Columns named by USING are one, though both sides have them. */
  readonly shared: Set<string>;
  clause: Clause;
  /** Inside the arguments of an aggregate. */
  isInAggregate: boolean;
  hasAggregates: boolean;
  hasWindows: boolean;
  /** How many groups there are at most; null where that is unknown. */
  mostGroups: number | null;
  /** Texts by which rows are grouped. */
  readonly groupKeys: Set<string>;
  /** Columns read outside of aggregates since they were last looked at; those of a group key are taken out again. */
  loose: Located[];
}

/** The surroundings of an expression: its SELECT, and the parameters of the lambdas around it. */
export interface Scope {
  readonly select: SelectState;
  readonly locals: ReadonlyMap<string, Printed>;
}

/** The state at the beginning of a SELECT. */
export function newSelectState({ statement, printer, outer, queries }: Place): SelectState {
  return {
    statement,
    printer,
    outer,
    sources: [],
    queries,
    aliases: new Map(),
    printedAliases: new Map(),
    resolving: new Set(),
    windows: new Map(),
    rowNames: new Map(),
    arrayJoins: new Map(),
    shared: new Set(),
    clause: 'SELECT',
    isInAggregate: false,
    hasAggregates: false,
    hasWindows: false,
    mostGroups: null,
    groupKeys: new Set(),
    loose: [],
  };
}

/** A query that cannot be answered: says why and where. */
export function refuse(message: string, at: Located): never {
  throw new HogqlError(message, at);
}
