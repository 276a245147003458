export {
  overriddenAnswer,
  type OverridableFlag,
  type OverriddenAnswer,
  type Override,
} from './flag-override.ts';
export { flagOverrideRoutes } from './flag-overrides.routes.ts';
export { createFlagOverrides, type FlagOverrides } from './flag-overrides.service.ts';
