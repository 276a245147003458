import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';

/**
 * Asks for the rows deleted in the open transaction to leave the file too; called inside it, on its connection. The
 * rewriting follows in the background. `now` in Unix milliseconds.
 */
export async function requestErasure(connection: DuckDBConnection, now: number): Promise<void> {
  await connection.run('INSERT INTO erasures (requested_at) VALUES (epoch_ms($now::BIGINT))', { now });
}

/** Requests whose rows are still in the file. */
export interface PendingErasures {
  count: number;
  /** Unix ms of the oldest. */
  oldest: number | null;
  /** How many of them the rewriting under way covers; 0 when none is under way. */
  inPass: number;
}

export async function readPendingErasures(connection: DuckDBConnection): Promise<PendingErasures> {
  const rows = await connection.runAndReadAll(
    `SELECT count(*)::INTEGER, epoch_ms(min(requested_at))::DOUBLE, (count(*) FILTER (in_pass))::INTEGER
     FROM erasures`,
  );
  return {
    count: rows.value(0, 0) as number,
    oldest: rows.value(1, 0) as number | null,
    inPass: rows.value(2, 0) as number,
  };
}

/** A table that the rewriting under way has not finished. */
export interface UnfinishedTable {
  name: string;
  /** How many of its first rows are still to be moved. */
  remaining: number;
}

/**
 * Begins a rewriting that covers every request so far: notes how many rows each table holds. Tables with a key are left
 * out: they hold settings and accounts, nothing that came with events, and DuckDB never drops row groups of theirs.
 */
export async function beginPass(connection: DuckDBConnection): Promise<void> {
  const found = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables()
     WHERE NOT internal AND NOT temporary AND index_count = 0 AND table_name NOT LIKE 'erasure%'`,
  );
  const counts = found
    .getRows()
    .map(([name]) => `SELECT '${String(name)}', count(*) FROM ${String(name)}`)
    .join(' UNION ALL ');
  await inTransaction(connection, async () => {
    await connection.run('DELETE FROM erasure_progress');
    await connection.run(`INSERT INTO erasure_progress ${counts}`);
    await connection.run('UPDATE erasures SET in_pass = true');
  });
}

/** Every table of the pass, finished or not. */
export async function tablesOfPass(connection: DuckDBConnection): Promise<UnfinishedTable[]> {
  const rows = await connection.runAndReadAll('SELECT table_name, remaining::DOUBLE FROM erasure_progress');
  return rows
    .getRows()
    .map(([name, remaining]) => ({ name: name as string, remaining: remaining as number }));
}

/** Notes that `rows` more rows of the table were moved. */
export async function noteMoved(connection: DuckDBConnection, name: string, rows: number): Promise<void> {
  await connection.run(
    'UPDATE erasure_progress SET remaining = greatest(remaining - $rows::BIGINT, 0) WHERE table_name = $name',
    { rows, name },
  );
}

/** Ends the pass: its requests are carried out. A process that ends between the two goes on with the last step. */
export async function endPass(connection: DuckDBConnection): Promise<void> {
  await connection.run('DELETE FROM erasure_progress');
  await connection.run('DELETE FROM erasures WHERE in_pass');
}
