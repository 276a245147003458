import type { Feature } from '../../http/define-route.ts';
import type { FindProject } from '../../http/project-of-query.ts';
import { earlyAccessFeaturesRoutes } from './early-access-features.routes.ts';

/** Early access features as SDKs see them. */
export function createEarlyAccessFeatures(deps: { findProject: FindProject }): Feature {
  return { name: 'early-access-features', publicRoutes: earlyAccessFeaturesRoutes(deps.findProject) };
}
