import type { Feature } from '../../http/define-route.ts';
import { featureFlagsRoutes, type FeatureFlagsDeps } from './feature-flags.routes.ts';

/** Feature flags: their definitions, for SDKs that evaluate them themselves. */
export function createFeatureFlags(deps: FeatureFlagsDeps): Feature {
  return { name: 'feature-flags', publicRoutes: featureFlagsRoutes(deps) };
}
