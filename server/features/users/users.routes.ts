import { defineRoute, type Actor, type ManagementRoute } from '../../http/define-route.ts';
import type { Organizations } from '../organizations/index.ts';
import { projectBasicsOf, type Projects } from '../projects/index.ts';
import { currentUserOf } from './user-json.ts';
import { currentUser, type CurrentUser } from './users.contract.ts';
import type { Users } from './users.service.ts';

interface Dependencies {
  users: Users;
  organizations: Organizations;
  projects: Projects;
}

/** Reads the caller with organizations and current project. */
export async function readCurrentUser(actor: Actor, dependencies: Dependencies): Promise<CurrentUser> {
  const { users, organizations, projects } = dependencies;
  const project = projects.find(actor.currentProjectId);
  const team = project === null ? null : projectBasicsOf(await projects.get(project.id));
  return currentUserOf(users.get(actor.user.id), organizations.listOfUser(actor.user.id), team);
}

export function userRoutes(dependencies: Dependencies): ManagementRoute[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/users/@me/',
      auth: 'key',
      scope: ['user:read'],
      unrestricted: true,
      summary: 'Shows who you are.',
      response: currentUser,
      handle: ({ actor }) => readCurrentUser(actor, dependencies),
    }),
  ];
}
