import type { Feature } from '../../http/define-route.ts';
import { outgoingRoutes } from './outgoing.routes.ts';
import { createOutgoing, type Outgoing, type OutgoingParts } from './outgoing.service.ts';

export { type CallResult, type HostRequest, type Outgoing } from './outgoing.service.ts';

export async function outgoingFeature(needs: OutgoingParts): Promise<Feature & { outgoing: Outgoing }> {
  const outgoing = await createOutgoing(needs);
  return { name: 'outgoing', outgoing, routes: outgoingRoutes(outgoing) };
}
