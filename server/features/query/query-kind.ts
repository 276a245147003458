import type { output, ZodRawShape, ZodType } from 'zod';
import type { Value } from '../../db/db.ts';
import type { Expr, OrderExpr, Query } from '../../hogql/ast.ts';
import type { ValueType } from '../../hogql/value-type.ts';
import type { PropertyKind, PropertyType } from '../../hogql/hogql-context.ts';
import type { Action } from '../actions/index.ts';
import type { Fields } from './legacy-filters.ts';
import type { ActorsPoint, PointShape, PropertyLeafNode } from './node-schema.ts';

/** The rows of one statement. */
export interface Table {
  readonly columns: readonly Column[];
  /** Values by the position of their column; a moment is ISO 8601 text in UTC with microseconds. */
  readonly rows: readonly (readonly Value[])[];
  /** There are more rows than `limit`. */
  readonly hasMore: boolean;
  readonly limit: number;
  readonly offset: number;
}

export interface Column {
  readonly name: string;
  /** As ClickHouse writes it: `UInt64`, `Nullable(String)`. */
  readonly type: string;
  readonly shown: ValueType;
}

/** A cohort that a query references. */
export interface NamedCohort {
  readonly id: number;
  readonly name: string;
  readonly isStatic: boolean;
}

/** A variable of SQL, with its default value. */
export interface QueryVariable {
  readonly id: string;
  readonly codeName: string;
  readonly defaultValue: unknown;
}

/** The context in which a kind of query runs. */
export interface KindContext {
  readonly projectId: number;
  /** IANA name. */
  readonly timezone: string;
  readonly weekStartDay: 'sunday' | 'monday';
  /**
   * Unix milliseconds; the same for all queries of one request. Results are cached by the values that a statement binds, so
   * a kind binds no finer moment than it needs: the end of the interval rather than now.
   */
  readonly now: number;
  /** The rows are exported to a file: a query without a LIMIT gets none. */
  readonly isExport: boolean;
  /** Names by their index. */
  readonly groupTypes: readonly string[];
  /** The test account filters of the project. */
  readonly testAccountFilters: readonly PropertyLeafNode[];
  /** Properties that name persons in the project; empty: the default ones. */
  readonly nameProperties: readonly string[];
  /** The project's rules that clean the names of pages, as they were stored. */
  readonly pathCleaningFilters: readonly unknown[];
  /** Type of a property by its definition; null: none, so text. */
  propertyType(owner: PropertyKind, name: string, groupTypeIndex?: number): PropertyType | null;
  /** A live cohort; null when there is none. */
  cohort(id: number): NamedCohort | null;
  /** A live action with its steps; null when there is none. */
  action(id: number): Promise<Action | null>;
  /** Every live action: pinned ones first, then those whose steps are newest. */
  goals(): Promise<readonly Action[]>;
  /** Greater than all person numbers, except of persons created meanwhile; null: unknown. */
  readonly personLimit: number | null;
  /** Whether the caller may read any object of a resource. */
  canRead(resource: string): boolean;
  /** The project's variables, which SQL references in braces. */
  variables(): Promise<readonly QueryVariable[]>;
  /** HogQL expressions within a query (breakdowns, filters, math). Throw HogqlError. */
  readonly parse: {
    expression(text: string): Promise<Expr>;
    order(text: string): Promise<OrderExpr>;
    /** Throws HogqlError, unlike the two above, which throw invalid_input with the text. */
    select(text: string): Promise<Query>;
    located(text: string): Promise<Expr>;
  };
  /**
   * Runs a query and reads up to `rows` rows (default: 50,000, the limit of a result; a LIMIT of its own may be smaller).
   * May be called several times, also concurrently: statements share the analytic lanes. Equal statements over unchanged
   * data run once. Throws HogqlError, query_timeout, query_memory, result_too_large.
   */
  runQuery(query: Query, options?: RunOptions): Promise<Table>;
  /** Throws HogqlError for a query that does not compile; runs nothing. */
  check(query: Query): Promise<void>;
  /** DuckDB's plan of a query, line by line. Throws as `runQuery`. */
  explain(query: Query): Promise<string[]>;
  /**
   * The actors of a point: of an insight with the fields of the point, of InsightActorsQuery and its like, or the persons
   * whose IDs are the first column of a HogQLQuery. Throws invalid_input for any other source.
   */
  actorsOf(source: unknown): Promise<ActorsSelect>;
  /** The answer to another query. Throws as its kind does. */
  answerOf(source: unknown): Promise<KindAnswer>;
}

export interface RunOptions {
  /** Rows of a query that has no LIMIT. */
  readonly rows?: number;
  /**
   * Whether to include it in the field `hogql` of the response; false for statements that only prepare another.
   * Default true.
   */
  readonly inHogql?: boolean;
}

/** The result of a kind: `results`, and fields of its own. hogql, timings and cache fields are added. */
export interface KindAnswer {
  readonly results: unknown;
  readonly columns?: string[];
  readonly types?: unknown[];
  readonly hasMore?: boolean;
  readonly limit?: number;
  readonly offset?: number;
  readonly [field: string]: unknown;
}

/** The persons, groups or sessions behind a point of an insight. */
export interface ActorsSelect {
  /**
   * Its first column, `actor_id`, is the id of a person (as `person_id` of events), the key of a group, or the id of a session,
   * of which `person_id` is the person.
   */
  readonly select: Query;
  /** Null: persons, or sessions. */
  readonly groupTypeIndex: number | null;
  readonly isOfSessions?: true;
}

/** The format of an insight before there were queries (management contract 9.6). */
interface LegacyInsight {
  /** Its name of the kind: `TRENDS`. */
  readonly name: string;
  /** The path below `insights/` that answers it: `trend`. */
  readonly path: string;
  /** The query of the same meaning. */
  source(filters: Fields): Fields;
}

/**
 * A kind of query: one folder, and one line in `query-kinds.ts`. `S` is the schema of its node, `P` the fields of a point that
 * it alone has.
 */
export interface QueryKind<S extends ZodType = ZodType, Plan = unknown, P extends ZodRawShape = ZodRawShape> {
  readonly kind: string;
  /** An insight draws a chart, a table lists rows; a tool helps an editor, and is not stored. */
  readonly role: 'insight' | 'table' | 'tool';
  readonly schema: S;
  readonly legacy?: LegacyInsight;
  readonly point?: P;
  /** The kind of a query that picks a point, beside InsightActorsQuery. */
  readonly pointKind?: string;
  /**
   * The fields of a query that change under filters and variables of a dashboard, or of one request; default: dates and
   * properties.
   */
  override?(this: void, query: Fields, filters: Fields, variables: Fields): Fields;
  /**
   * Reads a query that fits the schema: resolves its dates, expands macros and actions, reads filters, series and
   * breakdown. Throws HogqlError, and ApiError for what is wrong otherwise.
   */
  plan(query: output<S>, context: KindContext): Promise<Plan>;
  /** Builds the statements of a plan, runs them and shapes their rows. Throws as `plan`. */
  answer(plan: Plan, context: KindContext): Promise<KindAnswer>;
  /** The query whose rows an export writes; only of kinds whose results are its rows. */
  table?(plan: Plan): Query;
  /** The persons or groups of a point; absent: the kind has no points. */
  actors?(plan: Plan, point: ActorsPoint<P>, context: KindContext): Promise<ActorsSelect>;
}

/** Declares a kind; its functions see the query as its schema types it. */
export function defineKind<S extends ZodType, Plan, P extends ZodRawShape = PointShape>(
  kind: QueryKind<S, Plan, P>,
): QueryKind {
  return kind as unknown as QueryKind;
}
