import type { DuckDBConnection } from '@duckdb/node-api';

/** Tables without `project_id` whose rows belong to a project through a parent row. */
export const PARTS: readonly { name: string; column: string; parent: string }[] = [
  { name: 'dashboard_tiles', column: 'dashboard_id', parent: 'dashboards' },
  { name: 'dashboard_collaborators', column: 'dashboard_id', parent: 'dashboards' },
];

/** Rows of one transaction: deleting marks them, which takes milliseconds. */
const STEP_ROWS = 250_000;

/** A table that holds rows of projects. */
export interface ProjectTable {
  readonly name: string;
  /** Which rows belong to the project with the ID `$projectId`. */
  readonly condition: string;
}

/**
 * Every table with rows of projects, in the order in which rows can be deleted: first those that need a parent to find their rows,
 * then recent ones, which maintenance moves to other tables between two steps.
 */
export async function listProjectTables(connection: DuckDBConnection): Promise<ProjectTable[]> {
  const found = await connection.runAndReadAll(
    `SELECT table_name, bool_or(column_name = 'project_id')
     FROM duckdb_tables() t JOIN duckdb_columns() USING (database_name, table_name)
     WHERE database_name = current_database() AND NOT t.internal AND NOT t.temporary AND table_name <> 'project_removals'
     GROUP BY table_name ORDER BY NOT ends_with(table_name, '_recent'), table_name`,
  );
  const tables = new Map(found.getRows() as [string, boolean][]);
  const parts = PARTS.filter(({ name }) => tables.has(name)).map(({ name, column, parent }) => ({
    name,
    condition: `${column} IN (SELECT id FROM ${parent} WHERE project_id = $projectId)`,
  }));
  const own = [...tables].filter(([, hasProject]) => hasProject);
  return [...parts, ...own.map(([name]) => ({ name, condition: 'project_id = $projectId' }))];
}

/** Deletes a bounded number of the project's rows; returns the count, 0 when none is left. */
export async function deleteRows(
  connection: DuckDBConnection,
  { name, condition }: ProjectTable,
  projectId: number,
): Promise<number> {
  const deleted = await connection.run(
    `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE ${condition} LIMIT ${STEP_ROWS})`,
    { projectId },
  );
  return deleted.rowsChanged;
}
