import type { Feature } from '../../http/define-route.ts';
import type { FindProject } from '../../http/project-of-query.ts';
import { surveysRoutes } from './surveys.routes.ts';

/** Surveys as SDKs see them. */
export function createSurveys(deps: { findProject: FindProject }): Feature {
  return { name: 'surveys', publicRoutes: surveysRoutes(deps.findProject) };
}
