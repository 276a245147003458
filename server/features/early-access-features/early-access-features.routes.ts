import { answerJson } from '../../http/answer.ts';
import { projectOfQuery, type FindProject } from '../../http/project-of-query.ts';
import type { PublicRoute } from '../../http/public-route.ts';
import type { EarlyAccessFeatures } from './early-access-features.contract.ts';

/** `GET /api/early_access_features/?token=…`: the features that a user may opt into. */
export function earlyAccessFeaturesRoutes(findProject: FindProject): PublicRoute[] {
  return [
    {
      methods: ['GET', 'HEAD'],
      paths: ['/api/early_access_features'],
      preflight: 'empty',
      summary: 'Early access features of a project, for SDKs.',
      handle({ req, res, search }) {
        projectOfQuery(search, findProject);
        const none: EarlyAccessFeatures = { earlyAccessFeatures: [] };
        answerJson(req, res, 200, none);
      },
    },
  ];
}
