import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Runs an `INSERT INTO … SELECT …` and returns how many rows it inserted.
 * Others see them after COMMIT. Without RETURNING, DuckDB 1.5.5 inserts with all its threads and attaches whole row
 * groups to the table when COMMIT begins: until it has ended, every statement sees their rows, and those that the same
 * transaction has deleted elsewhere too. A statement that returns rows inserts with one thread, into the same files.
 */
export async function insertSelect(
  connection: DuckDBConnection,
  sql: string,
  params: Readonly<Record<string, string | number | bigint>> = {},
): Promise<number> {
  return (await connection.runAndReadAll(`${sql} RETURNING 1`, { ...params })).currentRowCount;
}
