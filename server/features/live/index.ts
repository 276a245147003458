import type { Feature } from '../../http/define-route.ts';
import { liveRoutes, type LiveParts } from './live.routes.ts';

/** The live view: events as they are stored. Closing it ends the open streams. */
export function createLive(parts: LiveParts): Feature {
  const closing = new AbortController();
  return {
    name: 'live',
    routes: liveRoutes(parts, closing.signal),
    close: () => closing.abort(),
  };
}
