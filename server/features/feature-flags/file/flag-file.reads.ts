import { parseExactly } from '../../../lib/exact-number.contract.ts';
import type { Statements } from '../../../db/db.ts';

/** A live cohort as a file needs it. */
export interface StoredCohort {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isStatic: boolean;
  readonly filters: Readonly<Record<string, unknown>> | null;
  readonly createdBy: number | null;
}

/** The live cohorts of a project, by id. */
export async function listCohorts(db: Statements, projectId: number): Promise<StoredCohort[]> {
  const rows = await db.all<Omit<StoredCohort, 'filters'> & { filters: string | null }>(
    `SELECT id, name, description, is_static AS "isStatic", filters, created_by AS "createdBy" FROM cohorts
     WHERE project_id = $projectId AND NOT deleted ORDER BY id`,
    { projectId },
  );
  return rows.map((row) => ({
    ...row,
    filters: row.filters === null ? null : (parseExactly(row.filters) as StoredCohort['filters']),
  }));
}
