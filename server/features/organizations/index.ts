export { organizationBasicsOf, organizationDetailOf, type Belonging } from './organization-json.ts';
export { organizationRoutes } from './organizations.routes.ts';
export { createOrganizations, type Organizations } from './organizations.service.ts';
export {
  countOwners,
  deleteMembership,
  findMembership,
  insertMembership,
  insertOrganization,
  setMemberLevel,
  type Membership,
  type Organization,
} from './organizations.store.ts';
