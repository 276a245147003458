import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import { changesBetween, type NewActivity } from '../../lib/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Organizations } from '../organizations/index.ts';
import type { Projects } from '../projects/index.ts';
import { embeddedUserOf } from './user-json.ts';
import type { EmbeddedUser, PatchUserBody } from './users.contract.ts';
import { findUser, listUsers, saveUser, setLastLogin, type User } from './users.store.ts';
import { OWNER } from '../../lib/member-levels.contract.ts';

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
  /** The same for one who looks: a stranger with a shared link (null) sees who, not how to write to them (management contract 4.3). */
  embeddedFor(actor: Actor | null): (id: number | null) => EmbeddedUser | null;
  /** The first of the people who own this machine's organization. */
  owner(): User;
  /** The user as an actor, or null when the account is not active. */
  findActor(userId: number, grant: Grant): Actor | null;
  /** In whose name the server acts for a user: the user, or the owner when the user has left. */
  actorFor(userId: number | null): Actor;
  /** The project that `@current` means to the caller now; 0 when there is none to enter. */
  currentProjectOf(actor: Actor): number;
  /** Changes the caller. Throws does_not_exist for a project or organization that is not the caller's. */
  update(actor: Actor, body: PatchUserBody): Promise<void>;
  /** Notes that the user has just signed in to the console. */
  noteLogin(userId: number): Promise<void>;
  /** Takes over a user as it was just stored. */
  keep(user: User): void;
}

export interface UsersDependencies {
  db: Db;
  organizations: Organizations;
  projects: Projects;
  record: (tx: Statements, activity: NewActivity) => Promise<void>;
  clock: Clock;
  newId: NewId;
}

/** The users of this machine, cached in memory, because every management request reads them. */
export function createUsers(dependencies: UsersDependencies): Users {
  const { db, organizations, projects, record, clock, newId } = dependencies;
  let users = new Map<number, User>();

  function get(id: number): User {
    const user = users.get(id);
    if (user === undefined) throw new Error(`User ${id} does not exist.`);
    return user;
  }

  function currentProject(user: User, caller: Parameters<Projects['mayEnter']>[0]): number {
    const { currentProjectId } = user;
    if (currentProjectId !== null && projects.mayEnter(caller, currentProjectId)) return currentProjectId;
    return projects.firstFor(caller)?.id ?? 0;
  }

  function checkOwn(actor: Actor, body: PatchUserBody): void {
    const { set_current_team: team, set_current_organization: organization } = body;
    if (team !== undefined && !projects.mayEnter(actor, team))
      throw fail('does_not_exist', {
        attr: 'set_current_team',
        detail: 'You do not have access to this project.',
      });
    if (organization !== undefined && organization.toLowerCase() !== actor.organizationId)
      throw fail('does_not_exist', {
        attr: 'set_current_organization',
        detail: 'You do not have access to this organization.',
      });
  }

  function embedded(id: number | null): EmbeddedUser | null {
    const user = id === null ? undefined : users.get(id);
    return user === undefined ? null : embeddedUserOf(user);
  }

  function embeddedForStranger(id: number | null): EmbeddedUser | null {
    const user = embedded(id);
    return user === null ? null : { ...user, email: '' };
  }

  const service: Users = {
    async load() {
      users = new Map((await listUsers(db)).map((user) => [user.id, user]));
    },
    get,
    find: (id) => users.get(id) ?? null,
    embedded,
    embeddedFor: (actor) => (actor === null ? embeddedForStranger : embedded),
    owner() {
      const owner = [...users.values()].find(
        ({ id, isActive }) =>
          isActive && organizations.listOfUser(id).some(({ membership }) => membership.level === OWNER),
      );
      return owner ?? get(Math.min(...users.keys()));
    },
    findActor(userId, grant) {
      const user = users.get(userId);
      const current = organizations.listOfUser(userId)[0];
      if (user === undefined || !user.isActive || current === undefined) return null;
      const { id, uuid, email, firstName, distinctId } = user;
      const place = {
        organizationId: current.organization.id,
        organizationLevel: current.membership.level,
        membershipId: current.membership.id,
      };
      return {
        user: { id, uuid, email, firstName, distinctId },
        ...place,
        currentProjectId: currentProject(user, place),
        ...grant,
      };
    },
    actorFor: (userId) =>
      (userId === null ? null : service.findActor(userId, FULL_GRANT)) ??
      service.findActor(service.owner().id, FULL_GRANT)!,
    currentProjectOf: (actor) => currentProject(get(actor.user.id), actor),
    async update(actor, body) {
      checkOwn(actor, body);
      const user = await db.transaction(async (tx) => {
        const before = (await findUser(tx, actor.user.id))!;
        const after = await saveUser(tx, changed(before, body));
        const changes = changesBetween('User', shown(before), shown(after));
        if (changes.length > 0)
          await record(tx, {
            id: newId(),
            now: clock(),
            organizationId: actor.organizationId,
            projectId: null,
            userId: actor.user.id,
            activity: 'updated',
            scope: 'User',
            itemId: String(after.id),
            name: after.email,
            changes,
          });
        return after;
      });
      users.set(user.id, user);
    },
    async noteLogin(userId) {
      const user = await db.transaction((tx) => setLastLogin(tx, { userId, now: clock() }));
      users.set(userId, user);
    },
    keep: (user) => void users.set(user.id, user),
  };
  return service;
}

/** A user as a body changes it; settings are merged, so that a client may send a single one. */
function changed(user: User, body: PatchUserBody): User {
  const { theme_mode, role_at_organization, hedgehog_config, notification_settings, set_current_team } = body;
  return {
    ...user,
    firstName: body.first_name ?? user.firstName,
    lastName: body.last_name ?? user.lastName,
    themeMode: theme_mode === undefined ? user.themeMode : theme_mode,
    roleAtOrganization: role_at_organization === undefined ? user.roleAtOrganization : role_at_organization,
    hedgehogConfig: hedgehog_config === undefined ? user.hedgehogConfig : hedgehog_config,
    notificationSettings: { ...user.notificationSettings, ...notification_settings },
    currentProjectId: set_current_team ?? user.currentProjectId,
  };
}

/** The fields of a user in the activity log. */
function shown(user: User): Record<string, unknown> {
  const { first_name, last_name, role_at_organization, hedgehog_config } = embeddedUserOf(user);
  const { themeMode: theme_mode, notificationSettings: notification_settings } = user;
  return { first_name, last_name, role_at_organization, hedgehog_config, theme_mode, notification_settings };
}
