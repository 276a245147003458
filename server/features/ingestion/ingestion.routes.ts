import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import type { LoopDelayMeter } from '../../lib/loop-delay.ts';
import type { Capture } from '../capture/index.ts';
import { ingestionReportOf } from './ingestion-report.ts';
import { ingestionApi } from './ingestion.contract.ts';

const route = routesOf(ingestionApi);

/** The account of ingestion: the API answers 200 to an event that it drops, and here its developer sees why. */
export function ingestionRoutes(capture: Capture, loopDelay: LoopDelayMeter): ManagementRoute[] {
  return [
    route('GET P/burrow/ingestion/', {
      auth: 'key',
      scope: ['query:read'],
      summary: 'Returns the ingestion report of the last hour.',
      handle: async ({ project }) => ingestionReportOf(await capture.report(project.id), loopDelay.read()),
    }),
  ];
}
