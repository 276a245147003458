export { createOrganizations, type Organizations } from './organizations.service.ts';
export {
  insertMembership,
  insertOrganization,
  type MembershipLevel,
  type Organization,
} from './organizations.store.ts';
