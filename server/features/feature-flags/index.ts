export { createDefinitionTexts, type DefinitionTexts } from './definition-texts.ts';
export {
  minimalFlag,
  type CreateFlagBody,
  type MinimalFlag,
  type UpdateFlagBody,
} from './feature-flags.contract.ts';
export { findMinimalFlags, listLastCalls } from './feature-flags.reads.ts';
export { featureFlagRoutes } from './feature-flags.routes.ts';
export { createFeatureFlags, type FeatureFlags } from './feature-flags.service.ts';
export { flagDefinitionRoutes } from './flag-definition-routes.ts';
export type { CohortSource } from './flag-memory.ts';
export type { EvaluateFlags } from './flag-question-routes.ts';
export type { Flag } from './flag-row.ts';
export { flagStatusOf } from './flag-status.ts';
export { localDefinitionsOf } from './local-definitions.ts';
export { REDACTED_PAYLOAD, shownFilters } from './minimal-flag.ts';
export { readFilters } from './read-filters.ts';
