import { sendPublicJson } from '../../http/send.ts';
import { projectOfQuery, type FindProject } from '../../http/project-of-query.ts';
import type { PublicRoute } from '../../http/public-route.ts';
import type { PublicFeatures, PublicFeature } from './early-access-features.contract.ts';

export interface PublicFeatureParts {
  findProject: FindProject;
  /** Features of a project in some stages. */
  featuresOf: (projectId: number, stages: readonly string[]) => PublicFeature[];
}

/** The stages of a request that names none. */
const DEFAULT_STAGES = ['beta'];

/** `GET /api/early_access_features/?token=…&stage=…`: the features that a user may opt into (ingestion contract 10.5). */
export function publicFeatureRoutes({ findProject, featuresOf }: PublicFeatureParts): PublicRoute[] {
  return [
    {
      methods: ['GET', 'HEAD'],
      paths: ['/api/early_access_features'],
      preflight: 'empty',
      summary: 'Early access features of a project, for SDKs.',
      handle({ req, res, search }) {
        const project = projectOfQuery(search, findProject);
        const named = new URLSearchParams(search).getAll('stage');
        const stages = named.length === 0 ? DEFAULT_STAGES : named;
        const answer: PublicFeatures = { earlyAccessFeatures: featuresOf(project.id, stages) };
        sendPublicJson(req, res, 200, answer);
      },
    },
  ];
}
