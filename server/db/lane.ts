import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api';
import type { Params, Row } from './db.ts';
import { BrokenOffError, readChunks } from './read-chunks.ts';
import { bindings, plainRows } from './values.ts';

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
   * Abandons the running statement, which fails immediately, and continues with another connection. Resolves when
   * DuckDB has returned from the statement; the old connection is closed then.
   */
  replace(connection: DuckDBConnection): Promise<void>;
  close(): Promise<void>;
}

/** A statement went on after its interrupt, and its connection was given up. */
export class StuckStatementError extends Error {}

/**
 * Makes a lane over a connection, which `streams` its rows while they are computed or gives them once all are there.
 */
export function createLane(first: DuckDBConnection, { streams }: { streams: boolean }): LaneConnection {
  let connection = first;
  let current: { work: Promise<void>; abandon: (error: Error) => void } | null = null;
  let waiting = 0;
  let tail: Promise<unknown> = Promise.resolve();

  async function result(sql: string, params: Params): Promise<DuckDBResult> {
    const how = streams ? 'stream' : 'run';
    if (Object.keys(params).length === 0) return await connection[how](sql);
    const { values, types } = bindings(params);
    return await connection[how](sql, values, types);
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

  /**
   * DuckDB does not report why streamed rows broke off, so the statement runs again without streaming to get its
   * error.
   */
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
      const [old, stuck] = [connection, current];
      connection = next;
      stuck?.abandon(new StuckStatementError('The statement did not stop when it was interrupted'));
      await stuck?.work.catch(() => undefined);
      old.closeSync();
    },
    async close() {
      await tail;
      connection.closeSync();
    },
  };
}
