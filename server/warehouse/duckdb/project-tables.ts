import type { DuckDBConnection } from '@duckdb/node-api';
import { inTransaction } from '../../db/in-transaction.ts';

/** Tables whose rows belong to a project by the row of another that a column names. */
export const PARTS: readonly { name: string; column: string; parent: string }[] = [
  { name: 'dashboard_tiles', column: 'dashboard_id', parent: 'dashboards' },
  { name: 'dashboard_collaborators', column: 'dashboard_id', parent: 'dashboards' },
];

/** Rows of one transaction: deleting marks them, which takes milliseconds. */
const STEP_ROWS = 250_000;

/** A table that holds rows of projects. */
export interface ProjectTable {
  readonly name: string;
  /** Which rows are a project's; `$projectId` stands for it. */
  readonly condition: string;
  /**
   * Columns of text to be emptied before their rows are deleted; none where erasing rewrites the table. Row groups of a
   * table with a key are never dropped, so its texts would stay in the file.
   */
  readonly texts: readonly string[];
}

/** Every table that holds rows of projects; those that need another to find their rows come first. */
export async function listProjectTables(connection: DuckDBConnection): Promise<ProjectTable[]> {
  const found = await connection.runAndReadAll(
    `SELECT table_name, index_count > 0,
       list(column_name) FILTER (data_type = 'VARCHAR' AND column_name NOT IN (
         SELECT unnest(constraint_column_names) FROM duckdb_constraints() k
         WHERE k.table_name = c.table_name AND constraint_type IN ('PRIMARY KEY', 'UNIQUE'))),
       bool_or(column_name = 'project_id')
     FROM duckdb_tables() t JOIN duckdb_columns() c USING (table_name)
     WHERE NOT t.internal AND NOT t.temporary AND table_name <> 'project_removals'
     GROUP BY ALL ORDER BY table_name`,
  );
  const tables = found.getRowsJson() as [string, boolean, string[] | null, boolean][];
  const wanted = tables.flatMap(([name, isKeyed, texts, hasProject]): ProjectTable[] => {
    const part = PARTS.find((one) => one.name === name);
    if (part === undefined && !hasProject) return [];
    const condition = hasProject
      ? 'project_id = $projectId'
      : `${part!.column} IN (SELECT id FROM ${part!.parent} WHERE project_id = $projectId)`;
    return [{ name, condition, texts: isKeyed ? (texts ?? []) : [] }];
  });
  return wanted.sort((a, b) => Number(isPart(b)) - Number(isPart(a)));
}

function isPart({ name }: ProjectTable): boolean {
  return PARTS.some((part) => part.name === name);
}

/** Deletes a bounded number of the project's rows; returns how many, 0 when none is left. */
export async function deleteRows(
  connection: DuckDBConnection,
  { name, condition, texts }: ProjectTable,
  projectId: number,
): Promise<number> {
  return await inTransaction(connection, async () => {
    if (texts.length > 0) {
      const emptied = texts.map((column) => `"${column}" = ''`).join(', ');
      await connection.run(`UPDATE ${name} SET ${emptied} WHERE ${condition}`, { projectId });
    }
    const deleted = await connection.run(
      `DELETE FROM ${name} WHERE rowid IN (SELECT rowid FROM ${name} WHERE ${condition} LIMIT ${STEP_ROWS})`,
      { projectId },
    );
    return deleted.rowsChanged;
  });
}
