import { openCohortPeople } from '../../warehouse/duckdb/cohort-people.ts';
import type { ParticipantContext, StoreParticipant } from '../../warehouse/duckdb/commit-participant.ts';
import type { CohortOrderOf } from './cohort-orders.ts';

/**
 * Members of a static cohort are written between two commits, because merges, deletions of persons and erasure change
 * the same rows there: two concurrent transactions would conflict.
 */
export async function openCohorts({ connection, order }: ParticipantContext): Promise<StoreParticipant> {
  const people = openCohortPeople(connection);
  const carryOut = (projectId: number, work: () => Promise<void>): Promise<void> =>
    order({ projectId, work, rolledBack: () => undefined });
  return {
    calls: {
      'cohorts.add': ({ projectId, cohortId, personIds }: CohortOrderOf<'cohorts.add'>) =>
        carryOut(projectId, () => people.add(projectId, cohortId, personIds)),
      'cohorts.remove': ({ projectId, cohortId, personId }: CohortOrderOf<'cohorts.remove'>) =>
        carryOut(projectId, () => people.remove(projectId, cohortId, personId)),
    },
  };
}
