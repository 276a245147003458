import type { QueryName } from '../lib/stopped-queries.ts';

/** Whether a statement only reads, by its first word. One that begins with WITH may write. */
export function readsOnly(sql: string): boolean {
  return /^\s*(SELECT|FROM)\b/i.test(sql);
}

/** Statements for reads of lists, analytic or small. */
export type ReadStatements = Pick<Statements, 'all'>;

/** Analytic statements with shared options, such as a signal that cancels them when the client disconnects. */
export function withQueryOptions(analytics: Analytics, options: QueryOptions): ReadStatements {
  return { all: <T = Row>(sql: string, params?: Params) => analytics.all<T>(sql, params, options) };
}

/**
 * The database for the rest of the server: statements by message to the one thread that holds the one DuckDB instance
 * (`owner.ts`). Named parameters only: `$name` in the text, `{ name: value }` beside it.
 */

/** A value bound to a parameter. Whole numbers are bound as BIGINT, other numbers as DOUBLE; lists as VARCHAR[] or BIGINT[]. */
export type Param = string | number | bigint | boolean | null | readonly string[] | readonly number[];
export type Params = Readonly<Record<string, Param>>;

/**
 * A value read back. TIMESTAMP arrives as ISO text with microseconds (`2026-11-20T09:10:11.123456Z`), UUID as text,
 * BIGINT and HUGEINT as a number, or as text of their digits beyond 2^53, LIST as an array, STRUCT as the array of its
 * values, MAP as an array of keys with their values.
 */
export type Value = string | number | boolean | null | Value[];
export type Row = Record<string, Value>;

export interface Statements {
  /** Runs one statement and returns its rows. Throws DatabaseError. */
  all<T = Row>(sql: string, params?: Params): Promise<T[]>;
  /** Runs one statement and returns its only row, or null. */
  first<T = Row>(sql: string, params?: Params): Promise<T | null>;
  /** Runs one statement for its effect. */
  run(sql: string, params?: Params): Promise<void>;
}

/** Small statements over the management tables. */
export interface Db extends Statements {
  /**
   * Runs `work` in one transaction: all of it or nothing. Management transactions run one after another, so that two
   * writers never conflict; `work` must use the statements it is given, not `db`.
   */
  transaction<T>(work: (tx: Statements) => Promise<T>): Promise<T>;
  /**
   * Grows when something begins that may write, and when it has ended: what was read between two equal numbers is still
   * so, in tables that no service of the owner writes.
   */
  changes(): number;
}

export interface QueryOptions {
  /** The query of the statement; statements without one are never refused. */
  query?: QueryName;
  /** Interrupts the statement when it fires (the client went away). */
  signal?: AbortSignal;
  /** Milliseconds until the statement is interrupted. Default 60,000. */
  timeoutMs?: number;
}

/** Analytic statements over events: at most three run concurrently, the rest wait in order. */
export interface Analytics {
  all<T = Row>(sql: string, params?: Params, options?: QueryOptions): Promise<T[]>;
  /** The rows in pieces of at most 2,048, as they are computed; nothing is held whole. */
  stream<T = Row>(sql: string, params?: Params, options?: QueryOptions): AsyncIterable<T[]>;
}

/** A statement failed inside the store. Its text may quote SQL: for logs, never for clients. */
export class DatabaseError extends Error {}
/** The warehouse beside the file does not answer; nothing is known of a statement that was sent. */
export class WarehouseAwayError extends DatabaseError {}
/** A statement was interrupted, by its signal or its time limit. */
export class InterruptedError extends DatabaseError {}
