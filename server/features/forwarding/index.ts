import type { Feature } from '../../http/define-route.ts';
import type { Outgoing } from '../outgoing/index.ts';
import { createForwarder, type Forwarder, type ForwarderParts } from './forwarder.ts';
import { forwardingRoutes } from './forwarding.routes.ts';
import { createForwarding, type ForwardingParts } from './forwarding.service.ts';

export async function forwardingFeature(
  needs: Omit<ForwarderParts & ForwardingParts, 'outgoing'> & { outgoing: Outgoing },
): Promise<Feature & { forwarder: Forwarder }> {
  const forwarder = createForwarder(needs);
  await forwarder.start();
  return {
    name: 'forwarding',
    forwarder,
    routes: forwardingRoutes(createForwarding({ ...needs, forwarder })),
    close: forwarder.close,
  };
}
