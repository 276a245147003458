import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Runs an `INSERT INTO … SELECT …` and returns how many rows it inserted. Other statements see the rows after COMMIT, and
 * not before: without RETURNING, DuckDB 1.5.5 inserts with all its threads and attaches whole row groups to the table when
 * COMMIT begins, where every statement finds them until it has ended, beside the rows that the same transaction deletes. A statement
 * that returns rows inserts with one thread, into the same files (decision 108).
 */
export async function insertSelect(
  connection: DuckDBConnection,
  sql: string,
  params: Readonly<Record<string, string | number | bigint>> = {},
): Promise<number> {
  return (await connection.runAndReadAll(`${sql} RETURNING 1`, { ...params })).currentRowCount;
}
