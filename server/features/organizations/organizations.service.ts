import type { Db } from '../../db/db.ts';
import {
  listMemberships,
  listOrganizations,
  type Membership,
  type Organization,
} from './organizations.store.ts';

export interface Organizations {
  /** Reads all organizations and members; to be called before the first request and after first start. */
  load(): Promise<void>;
  /** The memberships of a user, in order of joining, each with its organization. */
  listOfUser(userId: number): { organization: Organization; membership: Membership }[];
}

/** Organizations and who belongs to them, kept in memory: every management request asks. */
export function createOrganizations({ db }: { db: Db }): Organizations {
  let organizations = new Map<string, Organization>();
  let memberships: Membership[] = [];

  return {
    async load() {
      organizations = new Map((await listOrganizations(db)).map((one) => [one.id, one]));
      memberships = await listMemberships(db);
    },
    listOfUser: (userId) =>
      memberships
        .filter((member) => member.userId === userId)
        .map((membership) => ({ organization: organizations.get(membership.organizationId)!, membership })),
  };
}
