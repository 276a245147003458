import type { Db } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Organizations } from '../organizations/index.ts';
import { embeddedUserOf } from './user-json.ts';
import type { EmbeddedUser } from './users.contract.ts';
import { listUsers, type User } from './users.store.ts';

/** What a credential grants to its owner. */
export type Grant = Pick<Actor, 'scopes' | 'scopedProjects' | 'scopedOrganizations' | 'keyId'>;

/** Everything, everywhere: what a console session grants. */
export const FULL_GRANT: Grant = { scopes: ['*'], scopedProjects: [], scopedOrganizations: [], keyId: null };

export interface Users {
  /** Reads all users; to be called before the first request and after first start. */
  load(): Promise<void>;
  /** Throws when there is none. */
  get(id: number): User;
  find(id: number): User | null;
  /** A person as other objects show them (`created_by`); null for none. From memory, also of one who has left. */
  embedded(id: number | null): EmbeddedUser | null;
  /** The person who set this machine up. */
  owner(): User;
  /** The user as one who asks, or null when the account is not active. */
  findActor(userId: number, grant: Grant): Actor | null;
}

/** The people of this machine, kept in memory: every management request asks. */
export function createUsers({ db, organizations }: { db: Db; organizations: Organizations }): Users {
  let users = new Map<number, User>();

  function get(id: number): User {
    const user = users.get(id);
    if (user === undefined) throw new Error(`There is no user ${id}.`);
    return user;
  }

  return {
    async load() {
      users = new Map((await listUsers(db)).map((user) => [user.id, user]));
    },
    get,
    find: (id) => users.get(id) ?? null,
    embedded(id) {
      const user = id === null ? undefined : users.get(id);
      return user === undefined ? null : embeddedUserOf(user);
    },
    owner: () => get(Math.min(...users.keys())),
    findActor(userId, grant) {
      const user = users.get(userId);
      const current = organizations.listOfUser(userId)[0];
      if (user === undefined || !user.isActive || current === undefined) return null;
      const { id, uuid, email, firstName, distinctId } = user;
      return {
        user: { id, uuid, email, firstName, distinctId },
        organizationId: current.organization.id,
        organizationLevel: current.membership.level,
        membershipId: current.membership.id,
        currentProjectId: user.currentProjectId ?? 1,
        ...grant,
      };
    },
  };
}
