import type { Users } from '../users/index.ts';
import type { CohortCount } from './cohort-counts.ts';
import type { Cohort } from './cohort-row.ts';
import type { CohortJson } from './cohorts.contract.ts';
import type { Cohorts } from './cohorts.service.ts';
import { typeOf } from './read-rule.ts';

/** Writes cohorts as they are answered, with the counts of all of them. */
export type CohortWriter = (projectId: number, cohorts: readonly Cohort[]) => Promise<CohortJson[]>;

const UNKNOWN: CohortCount = { count: null, at: null, isCalculating: false };

export function createCohortWriter({ cohorts, users }: { cohorts: Cohorts; users: Users }): CohortWriter {
  function jsonOf(cohort: Cohort, { count, at, isCalculating }: CohortCount): CohortJson {
    const hasBehaviour = cohorts.known(cohort.projectId, cohort.id)?.hasBehaviour ?? false;
    const setAt = Date.parse(cohort.lastCalculation);
    return {
      id: cohort.id,
      name: cohort.name,
      description: cohort.description,
      groups: [...cohort.groups],
      deleted: cohort.deleted,
      filters: cohort.filters,
      query: cohort.query,
      version: cohort.version,
      pending_version: cohort.version,
      is_calculating: isCalculating,
      created_by: users.embedded(cohort.createdBy),
      created_at: cohort.createdAt,
      // The members of a static cohort change only when they are set; a dynamic cohort is recalculated from time to
      // time.
      last_calculation:
        cohort.isStatic || at === null || at < setAt
          ? cohort.lastCalculation
          : new Date(at).toISOString().replace('Z', '000Z'),
      errors_calculating: 0,
      last_error_message: cohort.lastErrorMessage,
      count,
      is_static: cohort.isStatic,
      cohort_type: typeOf(cohort, hasBehaviour),
      experiment_set: [],
    };
  }

  return async (projectId, list) => {
    const counts = await cohorts.counts.of(
      projectId,
      list.map(({ id }) => id),
    );
    return list.map((cohort) => jsonOf(cohort, counts.get(cohort.id) ?? UNKNOWN));
  };
}
