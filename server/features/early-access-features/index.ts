export { earlyAccessFeatureRoutes } from './early-access-features.routes.ts';
export { createEarlyAccessFeatures, type EarlyAccessFeatures } from './early-access-features.service.ts';
export type { PublicFeature } from './early-access-features.contract.ts';
export { publicFeatureRoutes } from './public-feature-routes.ts';
export { earlyAccessFeatureResource } from './early-access-features.resource.ts';
