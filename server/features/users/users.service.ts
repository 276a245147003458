import type { Db } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Organizations } from '../organizations/index.ts';
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
    owner: () => get(Math.min(...users.keys())),
    findActor(userId, grant) {
      const user = users.get(userId);
      const membership = organizations.listOfUser(userId)[0];
      if (user === undefined || !user.isActive || membership === undefined) return null;
      const { id, uuid, email, firstName, distinctId } = user;
      return {
        user: { id, uuid, email, firstName, distinctId },
        organizationId: membership.organization.id,
        currentProjectId: user.currentProjectId ?? 1,
        ...grant,
      };
    },
  };
}
