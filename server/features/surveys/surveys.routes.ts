import { answerJson } from '../../http/answer.ts';
import { projectOfQuery, type FindProject } from '../../http/project-of-query.ts';
import type { PublicRoute } from '../../http/public-route.ts';
import type { Surveys } from './surveys.contract.ts';

/** `GET /api/surveys/?token=…`: the surveys that a page may show. */
export function surveysRoutes(findProject: FindProject): PublicRoute[] {
  return [
    {
      methods: ['GET', 'HEAD'],
      paths: ['/api/surveys'],
      preflight: 'empty',
      summary: 'Surveys of a project, for SDKs.',
      handle({ req, res, search }) {
        projectOfQuery(search, findProject);
        const none: Surveys = { surveys: [], survey_config: null };
        answerJson(req, res, 200, none);
      },
    },
  ];
}
