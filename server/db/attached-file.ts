import { quoteText } from '../lib/quote-sql.ts';
import type { DuckDBConnection } from '@duckdb/node-api';

/** The contents of another Burrow database: a backup, or a file to restore. */
export interface FileContents {
  /** The number of its last migration. */
  schema: number;
  /** Rows by the name of their table. */
  rows: ReadonlyMap<string, number>;
}

let attached = 0;

/**
 * Attaches a database file beside the connection's own while `work` runs, under a name that is given to it. The file has
 * no write-ahead log afterwards when it was written to.
 */
export async function whileAttached<T>(
  connection: DuckDBConnection,
  path: string,
  mode: 'READ_ONLY' | 'READ_WRITE',
  work: (database: string) => Promise<T>,
): Promise<T> {
  const database = `aside_${++attached}`;
  await connection.run(`ATTACH ${quoteText(path)} AS ${database} (${mode})`);
  try {
    return await work(database);
  } finally {
    await connection.run(`DETACH ${database}`);
  }
}

/**
 * Counts the rows of every table of an attached database, or of the connection's own; null when it is not one of
 * Burrow's.
 */
export async function readContents(
  connection: DuckDBConnection,
  database: string,
): Promise<FileContents | null> {
  const tables = await connection.runAndReadAll(
    `SELECT table_name FROM duckdb_tables() WHERE database_name = $database AND NOT internal AND NOT temporary`,
    { database },
  );
  const names = tables.getRows().map(([name]) => String(name));
  if (!names.includes('schema_migrations') || !names.includes('events')) return null;
  const counts = names
    .map((name, index) => `SELECT ${index}, count(*)::DOUBLE FROM "${database}"."${name}"`)
    .join(' UNION ALL ');
  const counted = (await connection.runAndReadAll(counts)).getRows() as [number, number][];
  const schema = await connection.runAndReadAll(
    `SELECT coalesce(max(number), 0)::INTEGER FROM "${database}".schema_migrations`,
  );
  return {
    schema: schema.value(0, 0) as number,
    rows: new Map(counted.map(([index, rows]) => [names[index]!, rows])),
  };
}

/**
 * Lists the parts of the schema of an attached database, or the connection's own: tables, keys, indexes, views,
 * sequences; sorted.
 */
export async function readShape(connection: DuckDBConnection, database: string): Promise<string[]> {
  const own = 'WHERE database_name = $database AND NOT';
  const found = await connection.runAndReadAll(
    `SELECT 'table ' || sql FROM duckdb_tables() ${own} internal
     UNION ALL SELECT 'key ' || table_name || constraint_text FROM duckdb_constraints() ${own} false
     UNION ALL SELECT 'index ' || index_name || coalesce(sql, '') FROM duckdb_indexes() ${own} false
     UNION ALL SELECT 'view ' || sql FROM duckdb_views() ${own} internal
     UNION ALL SELECT 'sequence ' || sequence_name FROM duckdb_sequences() ${own} temporary
     ORDER BY 1`,
    { database },
  );
  return found.getRows().map(([line]) => String(line));
}
