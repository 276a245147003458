import type { Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import { toVariable, VARIABLE, type InsightVariable, type VariableRow } from './variable-row.ts';

/** Variables of a project, oldest first, and how many there are in all. */
export async function listVariables(
  db: Statements,
  projectId: number,
  slice: Slice,
): Promise<{ rows: InsightVariable[]; count: number }> {
  const found = `SELECT ${VARIABLE} FROM insight_variables WHERE project_id = $projectId`;
  const { rows, count } = await selectPage<VariableRow>(db, found, { projectId }, '"createdAt", id', slice);
  return { rows: rows.map(toVariable), count };
}

/** All variables of a project, up to a thousand. */
export async function listAllVariables(db: Statements, projectId: number): Promise<InsightVariable[]> {
  return (await listVariables(db, projectId, { limit: 1_000, offset: 0 })).rows;
}
