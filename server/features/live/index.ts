import type { Feature } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import type { Projects } from '../projects/index.ts';
import { liveRoutes, type LiveParts } from './live.routes.ts';

export type { LiveMessage } from './live.contract.ts';

/** The live view: events as they are stored. Closing it ends the open streams. */
export function liveFeature(
  needs: Omit<LiveParts, 'mayRead'> & { access: Access; projects: Projects },
): Feature {
  const { access, projects } = needs;
  const mayRead: LiveParts['mayRead'] = (actor, projectId) =>
    projects.mayEnter(actor, projectId) &&
    ['query', 'person'].every((noun) => access.levelOf(actor, projectId, noun, null) !== 'none');
  const closing = new AbortController();
  return {
    name: 'live',
    routes: liveRoutes({ ...needs, mayRead }, closing.signal),
    close: () => closing.abort(),
  };
}
