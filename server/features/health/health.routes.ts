import { sendPublicJson } from '../../http/send.ts';
import type { PublicRoute } from '../../http/public-route.ts';
import type { Notices } from '../../lib/notices.ts';

/** Neither route reads the database: it must answer while long queries run, and `isReady` is known beforehand. */
export function healthRoutes(deps: {
  isReady: () => boolean;
  notices: Pick<Notices, 'refusal'>;
}): PublicRoute[] {
  return [
    {
      methods: ['GET', 'HEAD'],
      paths: ['/_liveness'],
      preflight: 'empty',
      summary: 'Returns 200 while the process is running.',
      handle: ({ req, res }) => sendPublicJson(req, res, 200, { status: 'ok' }, NOT_KEPT),
    },
    {
      methods: ['GET', 'HEAD'],
      paths: ['/_readiness'],
      preflight: 'empty',
      summary:
        'Returns 200 while events are accepted; 503 while the server starts or stops, or rejects events, with the `reason`.',
      handle({ req, res }) {
        if (!deps.isReady()) return sendPublicJson(req, res, 503, { status: 'unavailable' }, NOT_KEPT);
        const refusal = deps.notices.refusal();
        if (refusal === null) return sendPublicJson(req, res, 200, { status: 'ok' }, NOT_KEPT);
        return sendPublicJson(req, res, 503, { status: 'unavailable', reason: refusal.title }, NOT_KEPT);
      },
    },
  ];
}

const NOT_KEPT = { 'Cache-Control': 'no-store' };
