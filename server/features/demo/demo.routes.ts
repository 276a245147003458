import { fail } from '../../errors.ts';
import { Reply, routesOf, type Actor, type ManagementRoute } from '../../http/define-route.ts';
import { demoApi } from './demo.contract.ts';
import type { Demo } from './demo.service.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

const route = routesOf(demoApi);

export function demoRoutes(demo: Demo): ManagementRoute[] {
  return [
    route('GET /api/burrow/demo/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Lists the projects with demo data, and the progress of one that is being created.',
      errors: ['permission_denied'],
      lookup: ({ actor }) => checkAdmin(actor),
      handle: async ({ actor }) => ({ results: await demo.list(actor) }),
    }),
    route('POST /api/burrow/demo/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Creates a project with the demo data of a year; the response does not wait for its events.',
      status: 201,
      errors: ['permission_denied', 'conflict'],
      lookup: ({ actor }) => checkAdmin(actor),
      handle: async ({ actor, body }) => Reply.json(201, await demo.create(actor, body)),
    }),
    route('DELETE /api/burrow/demo/:id/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Deletes a project with demo data without a trace; one that is being created is canceled.',
      status: 204,
      errors: ['permission_denied', 'invalid_input'],
      lookup({ actor, params }) {
        checkAdmin(actor);
        return demo.find(actor, params.id);
      },
      handle: async ({ actor, found }) => {
        await demo.remove(actor, found.id);
        return Reply.empty(204);
      },
    }),
    route('PUT /api/burrow/demo/:id/live/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Lets events of a project with demo data keep coming at a rate, with a launch or an outage.',
      errors: ['permission_denied', 'conflict'],
      lookup({ actor, params }) {
        checkAdmin(actor);
        return demo.find(actor, params.id);
      },
      handle: ({ actor, found, body }) => demo.startLive(actor, found.id, body),
    }),
    route('DELETE /api/burrow/demo/:id/live/', {
      auth: 'key',
      scope: ['project:write'],
      status: 204,
      summary: 'Ends the events that keep coming.',
      errors: ['permission_denied'],
      lookup({ actor, params }) {
        checkAdmin(actor);
        return demo.find(actor, params.id);
      },
      handle({ found }) {
        demo.stopLive(found.id);
        return Reply.empty(204);
      },
    }),
  ];
}

function checkAdmin({ organizationLevel }: Actor): void {
  if (organizationLevel < ADMIN)
    throw fail('permission_denied', {
      detail: 'Only admins can create and remove demo data, because it is a project of its own.',
    });
}
