import type { Feature } from '../../http/define-route.ts';
import { startLoopDelayMeter } from '../../lib/loop-delay.ts';
import type { Capture } from '../capture/index.ts';
import { ingestionRoutes } from './ingestion.routes.ts';

/** Ingestion: received, stored, dropped and why; queue, commits and the loop's delay. */
export function ingestionFeature(deps: { capture: Capture }): Feature {
  const loopDelay = startLoopDelayMeter();
  return {
    name: 'ingestion',
    routes: ingestionRoutes(deps.capture, loopDelay),
    close: () => loopDelay.stop(),
  };
}
