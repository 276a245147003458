import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';

/**
 * A row group of DuckDB. So many rows at once go straight into the file as one row group of their own; fewer go through
 * the write-ahead log and are compressed by the next checkpoint, while commits wait.
 */
export const ROW_GROUP_ROWS = 122_880;

/**
 * Moves the first `rows` live rows of a table behind its last, in one transaction. A row group whose every row was moved
 * or deleted is dropped by the next checkpoint, with all that it held; the rest keeps its order, since every row group of
 * the table has its turn.
 */
export async function moveFirstRows(connection: DuckDBConnection, name: string, rows: number): Promise<void> {
  const found = await connection.runAndReadAll(
    `SELECT max(rowid) FROM (SELECT rowid FROM ${name} LIMIT ${rows})`,
  );
  if (found.value(0, 0) === null) return;
  const last = String(found.value(0, 0));
  await inTransaction(connection, async () => {
    await connection.run(`INSERT INTO ${name} SELECT * FROM ${name} WHERE rowid <= ${last}`);
    await connection.run(`DELETE FROM ${name} WHERE rowid <= ${last}`);
  });
}

/**
 * What a checkpoint has left at the head of the table, from which all rows were moved: `gone` when it has dropped those
 * row groups, `read` while a statement still reads them, or how many live rows share a row group with dead ones.
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
 * Makes the next checkpoint look at the row groups of the table again. Having once left dead ones to a statement that read
 * them, it drops them only after something else about the table has changed; a comment costs least, and changes no row.
 */
export async function touchTable(connection: DuckDBConnection, name: string): Promise<void> {
  await connection.run(`COMMENT ON TABLE ${name} IS NULL`);
}
