export {
  ACCESS_LEVELS,
  grantableLevels,
  isAtLeast,
  levelsOf,
  PROJECT_LEVELS,
  ruleResources,
  type AccessLevel,
  type AccessRule,
  type AccessSource,
  type ResourceLevels,
} from './access-levels.ts';
export { createAccess, type Access, type AccessObject } from './access.service.ts';
export type { AccessTarget } from './access.store.ts';
export {
  dashboardLevels,
  EDIT,
  insightLevels,
  type DashboardLevels,
  type PrivilegeLevel,
  type RestrictionLevel,
} from './dashboard-levels.ts';
export { readableResources, type ReadableResource } from './readable-resources.ts';
