import { fail } from '../../errors.ts';
import type { Resource } from '../../http/define-resource.ts';
import type { Feature } from '../../http/define-route.ts';
import { readPathId } from '../../http/fields.contract.ts';
import type { CohortRouteParts } from './cohort-route-parts.ts';
import { cohortResource } from './cohorts.resource.ts';
import { cohortRoutes } from './cohorts.routes.ts';
import { createCohorts, type CohortParts, type Cohorts } from './cohorts.service.ts';

export { cohort, type CohortJson } from './cohorts.contract.ts';
export { createCohortWriter } from './cohort-json.ts';
export { type Cohorts } from './cohorts.service.ts';
export type { CohortDraft } from './cohort-draft.ts';

export async function cohortsFeature(
  needs: CohortParts & Omit<CohortRouteParts, 'cohorts'>,
): Promise<Feature & { cohorts: Cohorts }> {
  const cohorts = createCohorts(needs);
  await cohorts.load();
  const resource: Resource = {
    ...cohortResource,
    access: {
      async find(actor, project, id) {
        const found = await cohorts.find(actor, project.id, readPathId(id), 'viewer');
        if (found.deleted) throw fail('not_found');
        return found;
      },
    },
  };
  return { name: 'cohorts', cohorts, resources: [resource], routes: cohortRoutes({ ...needs, cohorts }) };
}
