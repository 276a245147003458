import { fail } from '../../errors.ts';
import { type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { organizationIdOf } from '../../http/organization-path.ts';
import { pageOfAll } from '../../http/paging.ts';
import { projectBasicsOf, type Projects } from '../projects/index.ts';
import { organizationBasicsOf, organizationDetailOf, type Belonging } from './organization-json.ts';
import { organizationsApi } from './organizations.contract.ts';
import type { Organizations } from './organizations.service.ts';

const route = routesOf(organizationsApi);

interface Dependencies {
  organizations: Organizations;
  projects: Projects;
}

export function organizationRoutes({ organizations, projects }: Dependencies): ManagementRoute[] {
  function find(params: { organization_id: string }, actor: Actor): Belonging {
    const id = organizationIdOf(params, actor);
    const found = organizations.listOfUser(actor.user.id).find(({ organization }) => organization.id === id);
    if (found === undefined) throw fail('not_found');
    return found;
  }

  return [
    route('GET /api/organizations/', {
      auth: 'key',
      scope: ['organization:read'],
      summary: 'Lists the organizations that you belong to.',
      handle: ({ url, actor }) =>
        pageOfAll(url, organizations.listOfUser(actor.user.id).map(organizationBasicsOf)),
    }),
    route('GET /api/organizations/:organization_id/', {
      auth: 'key',
      scope: ['organization:read'],
      summary: 'Retrieves an organization and its projects that you can access.',
      lookup: ({ params, actor }) => find(params, actor),
      handle: async ({ found, actor }) =>
        organizationDetailOf(found, (await projects.listFor(actor)).map(projectBasicsOf)),
    }),
  ];
}
