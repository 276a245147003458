import type { DuckDBConnection } from '@duckdb/node-api';
import { readContents } from './attached-file.ts';

/** What reading a whole database has found. */
export interface FileCheck {
  tables: number;
  rows: number;
  events: number;
  /** Sentences; none: the file is whole. */
  faults: string[];
}

/** Beside `project_id`, which every table may have: rows whose owner must be there. */
const OWNERS: readonly Owned[] = [
  { table: 'organization_members', column: 'user_id', owner: 'users' },
  { table: 'dashboard_tiles', column: 'dashboard_id', owner: 'dashboards' },
];

interface Owned {
  table: string;
  column: string;
  owner: string;
}

interface Table {
  name: string;
  columns: string[];
  required: string[];
  /** Columns of each primary key and unique constraint. */
  keys: string[][];
}

/**
 * Reads every block of every table of an attached database, and checks counts, keys, values that must be there, and rows
 * whose owner is missing. Columns are read one after the other, so that memory stays within DuckDB's limit. null: it is no
 * database of Burrow.
 */
export async function checkFile(connection: DuckDBConnection, database: string): Promise<FileCheck | null> {
  const contents = await readContents(connection, database);
  if (contents === null) return null;
  const tables = await tablesOf(connection, database);
  const faults: string[] = [];
  let rows = 0;
  for (const table of tables) {
    const counted = contents.rows.get(table.name) ?? 0;
    rows += counted;
    faults.push(...(await checkTable(connection, database, table, counted)));
  }
  const known = new Map(tables.map(({ name, columns }) => [name, columns]));
  const owned = tables
    .filter(({ name, columns }) => name !== 'project_removals' && columns.includes('project_id'))
    .map(({ name }) => ({ table: name, column: 'project_id', owner: 'projects' }));
  for (const rule of [...OWNERS, ...owned]) {
    // An older file may not have the table yet.
    if (!known.get(rule.table)?.includes(rule.column) || !known.has(rule.owner)) continue;
    faults.push(...(await findOrphans(connection, database, rule)));
  }
  const events = (contents.rows.get('events') ?? 0) + (contents.rows.get('events_recent') ?? 0);
  return { tables: tables.length, rows, events, faults };
}

async function tablesOf(connection: DuckDBConnection, database: string): Promise<Table[]> {
  const columns = await connection.runAndReadAll(
    `SELECT table_name, column_name, is_nullable FROM duckdb_columns()
     WHERE database_name = $database AND NOT internal ORDER BY table_name, column_index`,
    { database },
  );
  const tables = new Map<string, Table>();
  const names = await connection.runAndReadAll(
    'SELECT table_name FROM duckdb_tables() WHERE database_name = $database AND NOT internal ORDER BY 1',
    { database },
  );
  for (const [name] of names.getRows())
    tables.set(String(name), { name: String(name), columns: [], required: [], keys: [] });
  for (const [name, column, isNullable] of columns.getRows()) {
    const table = tables.get(String(name));
    table?.columns.push(String(column));
    if (isNullable === false) table?.required.push(String(column));
  }
  const keys = await connection.runAndReadAll(
    `SELECT table_name, to_json(constraint_column_names)::VARCHAR FROM duckdb_constraints()
     WHERE database_name = $database AND constraint_type IN ('PRIMARY KEY', 'UNIQUE')`,
    { database },
  );
  for (const [name, list] of keys.getRows())
    tables.get(String(name))?.keys.push(JSON.parse(String(list)) as string[]);
  return [...tables.values()];
}

async function checkTable(
  connection: DuckDBConnection,
  database: string,
  { name, columns, required, keys }: Table,
  rows: number,
): Promise<string[]> {
  const table = `"${database}"."${name}"`;
  const faults: string[] = [];
  for (const column of columns) {
    const look = async (): Promise<void> => {
      const [read, empty] = await numbers(
        connection,
        // A hash needs every value, where a count would be content with statistics.
        `SELECT count(*)::DOUBLE, count(*) FILTER (value IS NULL)::DOUBLE, bit_xor(hash(value))
         FROM (SELECT "${column}" AS value FROM ${table})`,
      );
      if (read !== rows) faults.push(`${name}.${column} has ${read} rows and not ${rows}.`);
      if (empty! > 0 && required.includes(column))
        faults.push(`${name}.${column} is empty in ${empty} rows and must not be.`);
    };
    await look().catch((error: unknown) => faults.push(unreadable(`${name}.${column}`, error)));
  }
  for (const key of keys) {
    const list = key.map((column) => `"${column}"`).join(', ');
    const look = async (): Promise<void> => {
      const [repeated] = await numbers(
        connection,
        `SELECT count(*)::DOUBLE FROM (SELECT 1 FROM ${table} GROUP BY ${list} HAVING count(*) > 1)`,
      );
      if (repeated! > 0) faults.push(`${name} holds ${repeated} values of ${key.join(', ')} twice.`);
    };
    await look().catch((error: unknown) => faults.push(unreadable(`${name} by ${key.join(', ')}`, error)));
  }
  return [...new Set(faults)];
}

async function findOrphans(
  connection: DuckDBConnection,
  database: string,
  { table, column, owner }: Owned,
): Promise<string[]> {
  const removed = column === 'project_id' ? await removals(connection, database) : [];
  try {
    const [orphans] = await numbers(
      connection,
      `SELECT count(*)::DOUBLE FROM "${database}"."${table}" rows WHERE rows."${column}" IS NOT NULL
         AND rows."${column}" NOT IN (SELECT id FROM "${database}"."${owner}")
         ${removed.length === 0 ? '' : `AND rows."${column}" NOT IN (${removed.join(', ')})`}`,
    );
    return orphans! > 0 ? [`${orphans} rows of ${table} name a ${column} that ${owner} does not hold.`] : [];
  } catch (error) {
    return [unreadable(`${table}.${column}`, error)];
  }
}

/** Projects whose rows are still being deleted. */
async function removals(connection: DuckDBConnection, database: string): Promise<number[]> {
  const found = await connection
    .runAndReadAll(`SELECT project_id::INTEGER FROM "${database}".project_removals`)
    .catch(() => null);
  return found === null ? [] : found.getRows().map(([id]) => Number(id));
}

async function numbers(connection: DuckDBConnection, sql: string): Promise<number[]> {
  return (await connection.runAndReadAll(sql)).getRows()[0]!.map(Number);
}

function unreadable(what: string, error: unknown): string {
  return `${what} cannot be read: ${oneSentence(error)}`;
}

/** DuckDB adds stack traces and advice on further lines. */
export function oneSentence(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split(/\n|\s*Stack Trace/i, 1)[0]!.replace(/\.*$/, '.');
}
