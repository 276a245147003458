import type { Db } from '../../db/db.ts';
import {
  listMemberships,
  listOrganizations,
  type Membership,
  type MembershipLevel,
  type Organization,
} from './organizations.store.ts';

export interface Organizations {
  /** Reads all organizations and members; to be called before the first request and after first start. */
  load(): Promise<void>;
  /** The organizations of a user with the level there, in order of joining. */
  listOfUser(userId: number): { organization: Organization; level: MembershipLevel }[];
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
        .map(({ organizationId, level }) => ({ organization: organizations.get(organizationId)!, level })),
  };
}
