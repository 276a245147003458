import type { Statements } from '../../db/db.ts';

/** Which of the projects have an event. Not an analytic statement: the console's start must not wait behind those. */
export async function listProjectsWithEvents(
  db: Statements,
  projectIds: readonly number[],
): Promise<number[]> {
  const rows = await db.all<{ id: number }>(
    `SELECT id FROM projects WHERE list_contains($projectIds, id) AND (
       EXISTS (SELECT 1 FROM events WHERE project_id = projects.id)
       OR EXISTS (SELECT 1 FROM recent_events WHERE project_id = projects.id))`,
    { projectIds },
  );
  return rows.map(({ id }) => id);
}
