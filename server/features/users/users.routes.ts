import { type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import type { Organizations } from '../organizations/index.ts';
import type { Projects } from '../projects/index.ts';
import { currentUserOf } from './user-json.ts';
import { type CurrentUser, usersApi } from './users.contract.ts';
import type { Users } from './users.service.ts';

const route = routesOf(usersApi);

interface Dependencies {
  users: Users;
  organizations: Organizations;
  projects: Projects;
}

/** Reads the caller with organizations and current project. */
export async function readCurrentUser(actor: Actor, dependencies: Dependencies): Promise<CurrentUser> {
  const { users, organizations, projects } = dependencies;
  const { id } = actor.user;
  return currentUserOf(
    users.get(id),
    organizations.listOfUser(id),
    await projects.listFor(actor),
    users.currentProjectOf(actor),
  );
}

export function userRoutes(dependencies: Dependencies): ManagementRoute[] {
  return [
    route('GET /api/users/@me/', {
      auth: 'key',
      scope: ['user:read'],
      unrestricted: true,
      summary: 'Retrieves the current user.',
      handle: ({ actor }) => readCurrentUser(actor, dependencies),
    }),
    route('PATCH /api/users/@me/', {
      auth: 'key',
      scope: ['user:write'],
      unrestricted: true,
      summary: 'Updates your name, settings or current project.',
      errors: ['does_not_exist'],
      handle: async ({ actor, body }) => {
        await dependencies.users.update(actor, body);
        return readCurrentUser(actor, dependencies);
      },
    }),
  ];
}
