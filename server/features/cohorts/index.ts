import type { Feature } from '../../http/define-route.ts';
import type { CohortRouteParts } from './cohort-route-parts.ts';
import { cohortResource } from './cohorts.resource.ts';
import { cohortRoutes } from './cohorts.routes.ts';
import { createCohorts, type CohortParts, type Cohorts } from './cohorts.service.ts';

export type { CohortJson } from './cohorts.contract.ts';
export { createCohortWriter } from './cohort-json.ts';
export { type Cohorts } from './cohorts.service.ts';
export type { CohortDraft } from './cohort-draft.ts';

export async function cohortsFeature(
  needs: CohortParts & Omit<CohortRouteParts, 'cohorts'>,
): Promise<Feature & { cohorts: Cohorts }> {
  const cohorts = createCohorts(needs);
  await cohorts.load();
  const routes = cohortRoutes({ ...needs, cohorts });
  return { name: 'cohorts', cohorts, resources: [cohortResource], routes };
}
