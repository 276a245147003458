import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';
import { insertSelect } from '../../db/insert-select.ts';

/**
 * Rows of a DuckDB row group. An insert of this many rows goes straight into the file as a row group of its own;
 * fewer rows go through the write-ahead log and are compressed by the next checkpoint, which blocks commits.
 */
export const ROW_GROUP_ROWS = 122_880;

/**
 * Moves the first `rows` live rows of a table to its end, in one transaction. The next checkpoint drops row groups
 * without live rows. Order is preserved, since every row group of the table is moved.
 */
export async function moveFirstRows(connection: DuckDBConnection, name: string, rows: number): Promise<void> {
  const found = await connection.runAndReadAll(
    `SELECT max(rowid) FROM (SELECT rowid FROM ${name} LIMIT ${rows})`,
  );
  if (found.value(0, 0) === null) return;
  const last = String(found.value(0, 0));
  await inTransaction(connection, async () => {
    await insertSelect(connection, `INSERT INTO ${name} SELECT * FROM ${name} WHERE rowid <= ${last}`);
    await connection.run(`DELETE FROM ${name} WHERE rowid <= ${last}`);
  });
}

/**
 * The state of the table's head after a checkpoint, when all rows were moved from it: `gone` when its row groups were
 * dropped, `read` while a statement still reads them, or the number of live rows that share a row group with dead
 * ones.
 */
export async function headOf(connection: DuckDBConnection, name: string): Promise<'gone' | 'read' | number> {
  const first = (await connection.runAndReadAll(`SELECT min(rowid) FROM ${name}`)).value(0, 0) as
    bigint | null;
  if (first === 0n) return 'gone';
  const groups = await connection.runAndReadAll(
    `SELECT sum(count)::DOUBLE FROM pragma_storage_info('${name}') WHERE column_path = '[0]'
     GROUP BY row_group_id ORDER BY row_group_id`,
  );
  if (first === null) return groups.currentRowCount === 0 ? 'gone' : 'read';
  let end = 0;
  for (const [rows] of groups.getRows()) {
    const start = end;
    end += rows as number;
    if (Number(first) === start) return 'read';
    if (Number(first) < end) return end - Number(first);
  }
  return 'read';
}

/**
 * Makes the next checkpoint check the row groups of the table again. DuckDB drops row groups that a statement was
 * reading only after another change to the table; a comment is the cheapest.
 */
export async function touchTable(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(`COMMENT ON TABLE ${name} IS NULL`);
}
