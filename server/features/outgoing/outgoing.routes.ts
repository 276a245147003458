import { fail } from '../../errors.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { type OutgoingJson, outgoingApi } from './outgoing.contract.ts';
import type { Outgoing } from './outgoing.service.ts';
import { OWNER } from '../../lib/member-levels.contract.ts';

const route = routesOf(outgoingApi);

/** What Burrow may send to other machines, for the whole server. */
export function outgoingRoutes(outgoing: Outgoing): ManagementRoute[] {
  const list = () => outgoing.list().map(jsonOf);
  return [
    route('GET /api/burrow/outgoing/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists what Burrow may send to other machines, and the last call of each.',
      handle: () => ({ results: list() }),
    }),
    route('PUT /api/burrow/outgoing/:purpose/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Turns calls to other machines on or off, by their purpose.',
      errors: ['permission_denied'],
      lookup({ actor }) {
        if (actor.organizationLevel < OWNER)
          throw fail('permission_denied', {
            detail: 'Only the owner can change what is sent to other machines.',
          });
      },
      handle: async ({ actor, params: { purpose }, body: { is_on: isOn } }) => {
        await outgoing.set(actor, purpose, isOn);
        return list().find((one) => one.purpose === purpose)!;
      },
    }),
  ];
}

function jsonOf({ purpose, isOn, lastCall }: ReturnType<Outgoing['list']>[number]): OutgoingJson {
  const last = lastCall === null ? null : { ...lastCall, at: new Date(lastCall.at).toISOString() };
  return { purpose, is_on: isOn, last_call: last };
}
