import type { Db } from '../../db/db.ts';
import type { Feature } from '../../http/define-route.ts';
import type { Projects } from '../projects/index.ts';
import { organizationRoutes } from './organizations.routes.ts';
import { createOrganizations, type Organizations } from './organizations.service.ts';

export { organizationBasicsOf, organizationDetailOf, type Belonging } from './organization-json.ts';
export { type Organizations } from './organizations.service.ts';
export {
  countOwners,
  deleteMembership,
  findMembership,
  insertMembership,
  insertOrganization,
  setMemberLevel,
  type Membership,
} from './organizations.store.ts';

export async function organizationsFeature(needs: {
  db: Db;
  projects: Projects;
}): Promise<Feature & { organizations: Organizations }> {
  const organizations = createOrganizations(needs);
  await organizations.load();
  return { name: 'organizations', organizations, routes: organizationRoutes({ ...needs, organizations }) };
}
