import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';
import { insertSelect } from '../../db/insert-select.ts';
import type { TableWriteLock } from './table-write-lock.ts';

/** Rows that one step moves: a bounded transaction. */
const STEP_ROWS = 122_880;

/**
 * A pair of tables as described in 0003-persons.sql: `_recent` receives changes, `_settled` holds the latest state.
 */
export interface SettledTable {
  /** The name without `_recent` and `_settled`. */
  name: string;
  /** Columns that identify the object of which rows are versions. */
  key: readonly string[];
  /** All columns of the settled table. */
  columns: readonly string[];
  /** Sort order of the settled rows, for lookups. */
  order: readonly string[];
}

/**
 * Moves the current changes of a table into its settled rows, in steps, each under the write lock, while commits
 * append more, up to the version `most`. Returns the number of changes.
 */
export async function settle(
  connection: DuckDBConnection,
  writeLock: TableWriteLock,
  table: SettledTable,
  most = Infinity,
): Promise<number> {
  const newest = await connection.runAndReadAll(`SELECT max(version)::BIGINT FROM ${table.name}_recent`);
  const last = newest.value(0, 0) as bigint | null;
  const upTo = last !== null && last > most ? BigInt(most) : last;
  let taken = 0;
  for (let step = 1; upTo !== null && step > 0; taken += step)
    step = await writeLock.run(() => settleStep(connection, table, upTo));
  return taken;
}

/** One step in one transaction; returns how many changes it took, 0 when there are none up to that version. */
async function settleStep(connection: DuckDBConnection, table: SettledTable, upTo: bigint): Promise<number> {
  const recent = `${table.name}_recent`;
  const settled = `${table.name}_settled`;
  const key = table.key.join(', ');
  const columns = table.columns.join(', ');
  // Every row of one version goes in the same step: they were committed together.
  const cutRow = await connection.runAndReadAll(
    `SELECT max(version)::BIGINT FROM (
       SELECT version FROM ${recent} WHERE version <= $upTo ORDER BY version LIMIT ${STEP_ROWS})`,
    { upTo },
  );
  const cut = cutRow.value(0, 0) as bigint | null;
  if (cut === null) return 0;
  return await inTransaction(connection, async () => {
    await connection.run(
      `DELETE FROM ${settled} WHERE (${key}) IN (SELECT (${key}) FROM ${recent} WHERE version <= $cut)`,
      { cut },
    );
    await insertSelect(
      connection,
      `INSERT INTO ${settled} (${columns})
       SELECT ${columns} FROM (
         SELECT * FROM ${recent} WHERE version <= $cut
         QUALIFY row_number() OVER (PARTITION BY ${key} ORDER BY version DESC) = 1
       ) WHERE NOT is_deleted ORDER BY ${table.order.join(', ')}`,
      { cut },
    );
    return (await connection.run(`DELETE FROM ${recent} WHERE version <= $cut`, { cut })).rowsChanged;
  });
}
