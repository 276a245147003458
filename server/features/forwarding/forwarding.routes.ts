import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { forwardingApi } from './forwarding.contract.ts';
import type { Forwarding } from './forwarding.service.ts';

const route = routesOf(forwardingApi);

/** Where the new events of a project are sent as well; its admins change that. */
export function forwardingRoutes(forwarding: Forwarding): ManagementRoute[] {
  const write = { auth: 'key', scope: ['project:write'] } as const;

  const pausing = (verb: 'pause' | 'resume', summary: string): ManagementRoute =>
    route(`POST P/burrow/forwarding/${verb}/`, {
      ...write,
      summary,
      errors: ['not_found'],
      handle: async ({ actor, project }) => {
        await forwarding.setPaused(actor, project, verb === 'pause');
        return await forwarding.read(project.id);
      },
    });

  return [
    route('GET P/burrow/forwarding/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves where new events of a project are forwarded to, and how many are waiting.',
      handle: ({ project }) => forwarding.read(project.id),
    }),
    route('PUT P/burrow/forwarding/', {
      ...write,
      summary: 'Forwards events from now on to a project of another PostHog or Burrow, or changes to which.',
      errors: ['conflict', 'invalid_input'],
      handle: async ({ actor, project, body }) => {
        await forwarding.set(actor, project, body);
        return await forwarding.read(project.id);
      },
    }),
    route('DELETE P/burrow/forwarding/', {
      ...write,
      summary: 'Ends forwarding and deletes the key; events that are waiting are not sent.',
      handle: async ({ actor, project }) => {
        await forwarding.remove(actor, project);
      },
    }),
    pausing('pause', 'Pauses forwarding; events wait until it is resumed.'),
    pausing('resume', 'Resumes forwarding, also after the host has refused events.'),
    route('POST P/burrow/forwarding/test/', {
      ...write,
      summary: 'Tests whether a host accepts a project API key; sends no event.',
      errors: ['conflict', 'invalid_input'],
      handle: ({ project, body }) => forwarding.test(project.id, body),
    }),
  ];
}
