export { createOrganizations, type Organizations } from './organizations.service.ts';
export {
  insertMembership,
  insertOrganization,
  type Membership,
  type Organization,
} from './organizations.store.ts';
