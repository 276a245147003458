import type { DuckDBConnection } from '@duckdb/node-api';
import { createColumnAppender, type Cell, type ColumnAppender, type ColumnKind } from './column-appender.ts';

/** Appends to several tables of one connection; appenders are created on first use. */
export interface TableAppenders<Table extends string> {
  /** Appends inside the open transaction; nothing happens for no rows. */
  append(table: Table, rows: readonly (readonly Cell[])[]): Promise<void>;
  close(): void;
}

/** `columns` lists the kinds of each table's columns, in their order. */
export function createTableAppenders<Table extends string>(
  connection: DuckDBConnection,
  columns: Readonly<Record<Table, readonly ColumnKind[]>>,
): TableAppenders<Table> {
  const made = new Map<Table, ColumnAppender>();

  return {
    async append(table, rows) {
      if (rows.length === 0) return;
      let appender = made.get(table);
      if (appender === undefined) {
        appender = await createColumnAppender(connection, table, columns[table]);
        made.set(table, appender);
      }
      try {
        appender.append(rows);
      } catch (error) {
        // An appender is unusable after a failure.
        made.delete(table);
        appender.close();
        throw error;
      }
    },
    close() {
      for (const appender of made.values()) appender.close();
      made.clear();
    },
  };
}
