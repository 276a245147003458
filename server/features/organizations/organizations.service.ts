import type { Db } from '../../db/db.ts';
import type { Belonging } from './organization-json.ts';
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
  listOfUser(userId: number): Belonging[];
  /** All members of an organization, in order of joining. */
  listMembers(organizationId: string): Membership[];
  /** Takes over a membership as it was just stored. */
  keep(membership: Membership): void;
  /** Takes over that a membership was just deleted. */
  forget(membershipId: string): void;
}

/** Organizations and their members, cached in memory, because every management request reads them. */
export function createOrganizations({ db }: { db: Db }): Organizations {
  let organizations = new Map<string, Organization>();
  /** By their ids, in order of joining. */
  let memberships = new Map<string, Membership>();

  return {
    async load() {
      organizations = new Map((await listOrganizations(db)).map((one) => [one.id, one]));
      memberships = new Map((await listMemberships(db)).map((one) => [one.id, one]));
    },
    listOfUser: (userId) =>
      [...memberships.values()]
        .filter((member) => member.userId === userId)
        .map((membership) => ({ organization: organizations.get(membership.organizationId)!, membership })),
    listMembers: (organizationId) =>
      [...memberships.values()].filter((member) => member.organizationId === organizationId),
    keep: (membership) => void memberships.set(membership.id, membership),
    forget: (membershipId) => void memberships.delete(membershipId),
  };
}
