import type { DuckDBConnection } from '@duckdb/node-api';
import { insertSelect } from '../../db/insert-select.ts';

/** Members of static cohorts, written by the commit thread. Call inside an open transaction. */
export interface CohortPeople {
  /** Adds persons by ID. A person merged since the lookup is added as its survivor; a deleted person is skipped. */
  add(projectId: number, cohortId: number, personIds: readonly number[]): Promise<void>;
  /** Removes the person by its own ID and by the IDs of all persons merged into it. */
  remove(projectId: number, cohortId: number, personId: number): Promise<void>;
}

/** Opens the table on the commit connection. */
export function openCohortPeople(connection: DuckDBConnection): CohortPeople {
  return {
    async add(projectId, cohortId, personIds) {
      await insertSelect(
        connection,
        `INSERT INTO cohort_people SELECT DISTINCT $projectId::INTEGER, $cohortId::INTEGER, n.id
         FROM (SELECT coalesce(o.person_id, a.id) AS id
           FROM (SELECT unnest(from_json($personIds, '["INTEGER"]')) AS id) a
           LEFT JOIN person_overrides o ON o.old_person_id = a.id) n
         SEMI JOIN persons p ON p.id = n.id AND p.project_id = $projectId`,
        { projectId, cohortId, personIds: JSON.stringify(personIds) },
      );
    },
    async remove(projectId, cohortId, personId) {
      await connection.run(
        `DELETE FROM cohort_people WHERE project_id = $projectId AND cohort_id = $cohortId AND (person_id = $personId
           OR person_id IN (SELECT old_person_id FROM person_overrides WHERE person_id = $personId))`,
        { projectId, cohortId, personId },
      );
    },
  };
}
