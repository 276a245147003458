import type { Feature } from '../../http/define-route.ts';
import type { Capture } from '../capture/index.ts';
import { liveRoutes } from './live.routes.ts';

/** The live view: events as they are stored. */
export function createLive(deps: { capture: Capture }): Feature {
  return { name: 'live', routes: liveRoutes(deps.capture) };
}
