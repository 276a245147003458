import type { DuckDBConnection, DuckDBPreparedStatement, DuckDBResult } from '@duckdb/node-api';
import type { Params, Row } from './db.ts';
import { BrokenOffError, readChunks } from './read-chunks.ts';
import { bindings, plainRows } from './values.ts';

/** Statements that a lane keeps, and the characters of one at most: their plans take 0.1 to 0.3 MB each. */
const PREPARED_KEPT = 64;
const PREPARED_CHARACTERS = 20_000;

/**
 * One connection and the statements that wait for it. A connection runs one statement at a time; waiting here and not
 * in the thread pool keeps the pool's threads for commits and files.
 */
export interface LaneConnection {
  /** Runs a statement; `onRows` gets each piece of at most 2,048 rows and may delay the next by its promise. */
  run(statement: {
    sql: string;
    params: Params;
    onRows: (rows: Row[]) => Promise<void> | void;
    /** Called when the statement starts; it may be interrupted from then on. */
    onStart?: (interrupt: () => void) => void;
  }): Promise<void>;
  readonly waiting: number;
  /**
   * Gives up on the statement that runs, which fails at once, and goes on with another connection. Resolves when DuckDB has
   * come back from the statement; the old connection is closed then.
   */
  replace(connection: DuckDBConnection): Promise<void>;
  close(): Promise<void>;
}

/** A statement went on after its interrupt, and its connection was given up. */
export class StuckStatementError extends Error {}

/**
 * Makes a lane over a connection, which `streams` its rows while they are computed or gives them once all are there. The last
 * statements stay prepared, for texts that come again. One without parameters is never kept: DuckDB would not plan it again,
 * and its plan leaves out what was empty the first time.
 */
export function createLane(first: DuckDBConnection, { streams }: { streams: boolean }): LaneConnection {
  let connection = first;
  let prepared = new Map<string, DuckDBPreparedStatement>();
  let current: { work: Promise<void>; abandon: (error: Error) => void } | null = null;
  let waiting = 0;
  let tail: Promise<unknown> = Promise.resolve();

  async function statementFor(sql: string): Promise<DuckDBPreparedStatement> {
    const statements = prepared;
    const known = statements.get(sql);
    if (known !== undefined) {
      statements.delete(sql);
      statements.set(sql, known);
      return known;
    }
    const made = await connection.prepare(sql);
    statements.set(sql, made);
    if (statements.size > PREPARED_KEPT) {
      const [oldest, statement] = statements.entries().next().value!;
      statements.delete(oldest);
      statement.destroySync();
    }
    return made;
  }

  async function result(sql: string, params: Params): Promise<DuckDBResult> {
    const how = streams ? 'stream' : 'run';
    if (Object.keys(params).length === 0) return await connection[how](sql);
    const { values, types } = bindings(params);
    if (sql.length > PREPARED_CHARACTERS) return await connection[how](sql, values, types);
    const statement = await statementFor(sql);
    statement.bind(values, types);
    return await statement[how]();
  }

  async function read(
    sql: string,
    params: Params,
    onRows: (rows: Row[]) => Promise<void> | void,
  ): Promise<void> {
    const rows = await result(sql, params);
    const names = rows.deduplicatedColumnNames();
    for await (const chunk of readChunks(rows)) await onRows(plainRows(chunk.getRows(), names));
  }

  /** DuckDB keeps to itself why rows broke off. Asked for all of them before the first, the statement says it. */
  async function reasonFor(sql: string, params: Params): Promise<unknown> {
    const { values, types } = bindings(params);
    return await connection.run(sql, values, types).then(
      () => null,
      (error: unknown) => error,
    );
  }

  /** A result that was not read to its end stays open, and forbids checkpoints, until its connection runs something else. */
  async function leave(): Promise<void> {
    await connection.run('SELECT 1').catch(() => undefined);
  }

  async function readAll(
    sql: string,
    params: Params,
    onRows: (rows: Row[]) => Promise<void> | void,
  ): Promise<void> {
    const own = connection;
    try {
      await read(sql, params, onRows);
    } catch (error) {
      if (!streams || own !== connection) throw error;
      if (error instanceof BrokenOffError) throw (await reasonFor(sql, params)) ?? error;
      await leave();
      throw error;
    }
  }

  return {
    get waiting() {
      return waiting;
    },
    run({ sql, params, onRows, onStart }) {
      waiting++;
      const turn = tail.then(async () => {
        const own = connection;
        let isGivenUp = false;
        try {
          onStart?.(() => own.interrupt());
          const work = readAll(sql, params, (rows) => {
            if (isGivenUp) throw new StuckStatementError('Its rows are no longer read');
            return onRows(rows);
          });
          const givenUp = new Promise<void>((_, reject) => {
            current = {
              work,
              abandon(error) {
                isGivenUp = true;
                reject(error);
              },
            };
          });
          await Promise.race([work, givenUp]);
        } finally {
          current = null;
          waiting--;
        }
      });
      tail = turn.catch(() => undefined);
      return turn;
    },
    async replace(next) {
      const [old, oldPrepared, stuck] = [connection, prepared, current];
      connection = next;
      prepared = new Map();
      stuck?.abandon(new StuckStatementError('The statement did not stop when it was interrupted'));
      await stuck?.work.catch(() => undefined);
      for (const statement of oldPrepared.values()) statement.destroySync();
      old.closeSync();
    },
    async close() {
      await tail;
      for (const statement of prepared.values()) statement.destroySync();
      connection.closeSync();
    },
  };
}
