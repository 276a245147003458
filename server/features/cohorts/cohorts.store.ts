import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';
import { COHORT, toCohort, type Cohort, type CohortFields, type CohortRow } from './cohort-row.ts';

/** What a cohort becomes; `now` in Unix milliseconds. */
export interface NewCohort extends CohortFields {
  version: number;
  lastErrorMessage: string | null;
  now: number;
}

/** Also one that is deleted; null when the project has none with this id. */
export async function findCohort(db: Statements, projectId: number, id: number): Promise<Cohort | null> {
  const row = await db.first<CohortRow>(
    `SELECT ${COHORT} FROM cohorts WHERE id = $id AND project_id = $projectId`,
    { id, projectId },
  );
  return row === null ? null : toCohort(row);
}

/** Every cohort that is not deleted, of all projects. */
export async function readLiveCohorts(db: Statements): Promise<Cohort[]> {
  const rows = await db.all<CohortRow>(`SELECT ${COHORT} FROM cohorts WHERE NOT deleted ORDER BY id`);
  return rows.map(toCohort);
}

/** Those of the project's cohorts that are not deleted, newest first. */
export async function findLiveCohorts(
  db: Statements,
  projectId: number,
  ids: readonly number[],
): Promise<Cohort[]> {
  const rows = await db.all<CohortRow>(
    `SELECT ${COHORT} FROM cohorts
     WHERE project_id = $projectId AND NOT deleted AND list_contains($ids::BIGINT[], id) ORDER BY created_at DESC, id DESC`,
    { projectId, ids },
  );
  return rows.map(toCohort);
}

export async function insertCohort(
  tx: Statements,
  { projectId, createdBy, ...fields }: NewCohort & { projectId: number; createdBy: number },
): Promise<Cohort> {
  const row = await tx.first<CohortRow>(
    `INSERT INTO cohorts (project_id, name, description, legacy_groups, filters, query, is_static, cohort_type, version,
       last_calculation, last_error_message, created_by, created_at, updated_at, deleted)
     VALUES ($projectId, $name, $description, $groups, $filters, $query, $isStatic, $cohortType, $version,
       epoch_ms($now), $lastErrorMessage, $createdBy, epoch_ms($now), epoch_ms($now), $deleted)
     RETURNING ${COHORT}`,
    { projectId, createdBy, ...paramsOf(fields) },
  );
  return toCohort(row!);
}

/** `isMoved`: its rule or list changed, so that a count before says nothing any more. */
export async function updateCohort(
  tx: Statements,
  { id, isMoved, ...fields }: NewCohort & { id: number; isMoved: boolean },
): Promise<Cohort> {
  const row = await tx.first<CohortRow>(
    `UPDATE cohorts SET name = $name, description = $description, legacy_groups = $groups, filters = $filters,
       query = $query, is_static = $isStatic, cohort_type = $cohortType, version = $version,
       last_calculation = CASE WHEN $isMoved THEN epoch_ms($now) ELSE last_calculation END,
       last_error_message = $lastErrorMessage, updated_at = epoch_ms($now), deleted = $deleted
     WHERE id = $id RETURNING ${COHORT}`,
    { id, isMoved, ...paramsOf(fields) },
  );
  return toCohort(row!);
}

/** The statement must contain every bound value: only these, whatever else the object holds. */
function paramsOf(fields: NewCohort) {
  const { name, description, groups, filters, query, isStatic, cohortType, deleted } = fields;
  const { version, lastErrorMessage, now } = fields;
  const text = (value: unknown): string => jsonText(value);
  return {
    name,
    description,
    groups: text(groups),
    filters: filters === null ? null : text(filters),
    query: query === null ? null : text(query),
    isStatic,
    cohortType,
    deleted,
    version,
    lastErrorMessage,
    now,
  };
}
