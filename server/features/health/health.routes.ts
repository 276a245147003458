import { answerJson } from '../../http/answer.ts';
import type { PublicRoute } from '../../http/public-route.ts';

/** Neither asks the database anything: it must answer while long queries run, and `isReady` is known beforehand. */
export function healthRoutes({ isReady }: { isReady: () => boolean }): PublicRoute[] {
  return [
    {
      methods: ['GET', 'HEAD'],
      paths: ['/_liveness'],
      preflight: 'empty',
      summary: 'Answers 200 as long as the process lives.',
      handle: ({ req, res }) => answerJson(req, res, 200, { status: 'ok' }, NOT_KEPT),
    },
    {
      methods: ['GET', 'HEAD'],
      paths: ['/_readiness'],
      preflight: 'empty',
      summary:
        'Answers 200 while events are accepted, 503 while the server starts or stops, or has lost its database.',
      handle: ({ req, res }) =>
        isReady()
          ? answerJson(req, res, 200, { status: 'ok' }, NOT_KEPT)
          : answerJson(req, res, 503, { status: 'unavailable' }, NOT_KEPT),
    },
  ];
}

const NOT_KEPT = { 'Cache-Control': 'no-store' };
