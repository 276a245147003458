import { sendPublicJson } from '../../http/send.ts';
import { projectOfQuery, type FindProject } from '../../http/project-of-query.ts';
import type { PublicRoute } from '../../http/public-route.ts';
import type { PublicSurvey, PublicSurveys } from './surveys.contract.ts';

export interface PublicSurveyParts {
  findProject: FindProject;
  /** The surveys of a project that pages may show now. */
  surveysOf: (projectId: number) => readonly PublicSurvey[];
}

/** `GET /api/surveys/?token=…`: the surveys that a page may show (ingestion contract 10.5). */
export function publicSurveyRoutes({ findProject, surveysOf }: PublicSurveyParts): PublicRoute[] {
  return [
    {
      methods: ['GET', 'HEAD'],
      paths: ['/api/surveys'],
      preflight: 'empty',
      summary: 'Surveys of a project, for SDKs.',
      handle({ req, res, search }) {
        const project = projectOfQuery(search, findProject);
        const answer: PublicSurveys = { surveys: [...surveysOf(project.id)], survey_config: null };
        sendPublicJson(req, res, 200, answer);
      },
    },
  ];
}
