import { sendPublicJson } from '../../http/send.ts';
import type { PublicRoute } from '../../http/public-route.ts';
import type { Door } from '../capture/index.ts';

/**
 * `POST /i/v1/logs?token=…`: logs of posthog-js (OTLP). They are taken, counted and not kept, because an SDK that is
 * refused tries again and again (ingestion contract 2.2).
 */
export function logsRoutes(door: Door): PublicRoute[] {
  return [
    {
      methods: ['POST'],
      paths: ['/i/v1/logs'],
      preflight: 'empty',
      summary: 'Accepts logs of SDKs, which are not stored.',
      handle: (request) =>
        door.receive(request, 'logs', { taken: ({ req, res }) => sendPublicJson(req, res, 200, '{}') }),
    },
  ];
}
