import type { Feature } from '../../http/define-route.ts';
import type { Projects } from '../projects/index.ts';
import { earlyAccessFeatureResource } from './early-access-features.resource.ts';
import {
  earlyAccessFeatureRoutes,
  type EarlyAccessFeatureRouteParts,
} from './early-access-features.routes.ts';
import { createEarlyAccessFeatures, type EarlyAccessFeatureParts } from './early-access-features.service.ts';
import { publicFeatureRoutes } from './public-feature-routes.ts';

export async function earlyAccessFeature(
  needs: EarlyAccessFeatureParts & Omit<EarlyAccessFeatureRouteParts, 'features'> & { projects: Projects },
): Promise<Feature> {
  const features = createEarlyAccessFeatures(needs);
  await features.load();
  return {
    name: 'early-access-features',
    resources: [earlyAccessFeatureResource],
    routes: earlyAccessFeatureRoutes({ ...needs, features }),
    publicRoutes: publicFeatureRoutes({
      findProject: needs.projects.findByToken,
      featuresOf: features.inStages,
    }),
  };
}
