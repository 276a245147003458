import type { Feature } from '../../http/define-route.ts';
import type { Capture } from '../capture/index.ts';
import { liveRoutes } from './live.routes.ts';

/** The live view: events as they are stored. Closing it ends the open streams. */
export function createLive(deps: { capture: Capture }): Feature {
  const closing = new AbortController();
  return {
    name: 'live',
    routes: liveRoutes(deps.capture, closing.signal),
    close: () => closing.abort(),
  };
}
