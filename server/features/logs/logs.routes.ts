import { answerJson } from '../../http/answer.ts';
import { projectOfQuery, type FindProject } from '../../http/project-of-query.ts';
import type { PublicRoute } from '../../http/public-route.ts';
import { readBody } from '../../http/read-body.ts';

/**
 * `POST /i/v1/logs?token=…`: logs of posthog-js (OTLP). They are taken and not kept, because an SDK that is refused tries
 * again and again (ingestion contract 2.2).
 */
export function logsRoutes(findProject: FindProject, maxBodyBytes: number): PublicRoute[] {
  return [
    {
      methods: ['POST'],
      paths: ['/i/v1/logs'],
      preflight: 'empty',
      summary: 'Takes logs of SDKs; they are not kept.',
      async handle(request) {
        projectOfQuery(request.search, findProject);
        await readBody(request, { maxBytes: maxBodyBytes });
        answerJson(request.req, request.res, 200, '{}');
      },
    },
  ];
}
