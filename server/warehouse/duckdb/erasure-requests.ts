import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Requests that the rows deleted in the open transaction leave the file too; called inside it, on its connection. The
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
}

export async function readPendingErasures(connection: DuckDBConnection): Promise<PendingErasures> {
  const rows = await connection.runAndReadAll(
    'SELECT count(*)::INTEGER, epoch_ms(min(requested_at))::DOUBLE FROM erasures',
  );
  return { count: rows.value(0, 0) as number, oldest: rows.value(1, 0) as number | null };
}

/**
 * Begins a rewriting that covers every request so far; returns how many rows each table holds. Tables with a key are left
 * out: they hold settings and accounts, nothing that came with events, and DuckDB never drops row groups of theirs.
 */
export async function beginPass(connection: DuckDBConnection): Promise<Map<string, number>> {
  await connection.run('UPDATE erasures SET in_pass = true');
  const found = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables()
     WHERE database_name = current_database() AND NOT internal AND NOT temporary AND index_count = 0 AND table_name NOT LIKE 'erasure%'`,
  );
  const counts = found
    .getRows()
    .map(([name]) => `SELECT '${String(name)}', count(*)::DOUBLE FROM ${String(name)}`)
    .join(' UNION ALL ');
  return new Map((await connection.runAndReadAll(counts)).getRows() as [string, number][]);
}

/** Writes something of no effect: a checkpoint without anything to write does nothing. */
export async function touchPass(connection: DuckDBConnection): Promise<void> {
  await connection.run('UPDATE erasures SET in_pass = true WHERE in_pass');
}

/** Ends the pass: its requests are carried out. */
export async function endPass(connection: DuckDBConnection): Promise<void> {
  await connection.run('DELETE FROM erasures WHERE in_pass');
}
