export type { CohortConditions } from './cohort-conditions.ts';
export type { FlagUse } from './cohort-uses.ts';
export { cohort, type CohortJson } from './cohorts.contract.ts';
export { createCohortWriter, type CohortWriter } from './cohort-json.ts';
export { cohortRoutes } from './cohorts.routes.ts';
export { createCohorts, type Cohorts } from './cohorts.service.ts';
export type { CohortDraft } from './cohort-draft.ts';
export { cohortResource } from './cohorts.resource.ts';
