import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor, OrganizationLevel } from '../../http/define-route.ts';
import type { Change } from '../../lib/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import type { Console } from '../console/index.ts';
import { recordActivity } from '../activity-log/index.ts';
import {
  countOwners,
  deleteMembership,
  findMembership,
  insertMembership,
  setMemberLevel,
  type Membership,
  type Organizations,
} from '../organizations/index.ts';
import { deleteKeysOf, type PersonalApiKeys } from '../personal-api-keys/index.ts';
import { findUser, findUserByEmail, insertUser, saveUser, type User, type Users } from '../users/index.ts';
import type { Member } from './member-json.ts';
import type { CreateMemberBody } from './members.contract.ts';
import { ADMIN, OWNER } from '../../lib/member-levels.contract.ts';

const MEMBER = 1;

export interface Members {
  /** All members of the organization, in order of joining. */
  list(organizationId: string): Member[];
  /** By the uuid of the person, or `@me`. Throws not_found. */
  find(actor: Actor, uuid: string): Member;
  /** Throws permission_denied for a caller who is no admin. */
  checkAdmin(actor: Actor): void;
  /** Adds a person who signs in with the key that is returned, once. One who had left comes back as the same person. */
  add(actor: Actor, body: CreateMemberBody): Promise<{ member: Member; secret: string }>;
  setLevel(actor: Actor, member: Member, level: OrganizationLevel): Promise<Member>;
  /** Removes a member: keys and sessions end immediately; objects of the member stay and name their creator. */
  remove(actor: Actor, member: Member): Promise<void>;
  /** Calls `removal` in the transaction that removes a membership, to delete what another table has of it. */
  onRemove(removal: RemoveMember): void;
}

type RemoveMember = (tx: Statements, membership: Membership) => Promise<void>;

export interface MembersDependencies {
  db: Db;
  organizations: Organizations;
  users: Users;
  keys: PersonalApiKeys;
  access: Pick<Access, 'forgetMember' | 'load'>;
  /** Signed-in browsers. */
  console: Pick<Console, 'forgetUser'>;
  clock: Clock;
  newId: NewId;
}

export function createMembers(dependencies: MembersDependencies): Members {
  const { db, organizations, users, keys, access, console, clock, newId } = dependencies;
  const removals: RemoveMember[] = [];

  function memberOf(membership: Membership): Member {
    return { membership, user: users.get(membership.userId) };
  }

  function record(tx: Statements, actor: Actor, activity: string, member: Member, changes: Change[] = []) {
    return recordActivity(tx, {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId: null,
      userId: actor.user.id,
      activity,
      scope: 'OrganizationMembership',
      itemId: member.membership.id,
      name: member.user.email,
      changes,
    });
  }

  const list: Members['list'] = (organizationId) => organizations.listMembers(organizationId).map(memberOf);

  /** Stores the person of an e-mail address: a new one, or one who had left. Throws unique for a member. */
  async function storeUser(tx: Statements, actor: Actor, body: CreateMemberBody): Promise<User> {
    const { email, first_name: firstName, last_name: lastName } = body;
    const known = await findUserByEmail(tx, email);
    if (known?.isActive)
      throw fail('unique', { attr: 'email', detail: 'A member with this email address already exists.' });
    if (known !== null) {
      // A key that was requested while its owner was removed would become valid again.
      await deleteKeysOf(tx, known.id);
      return saveUser(tx, {
        ...known,
        firstName: firstName ?? known.firstName,
        lastName: lastName ?? known.lastName,
        isActive: true,
      });
    }
    return insertUser(tx, {
      uuid: newId(),
      distinctId: newId(),
      email,
      firstName: firstName ?? '',
      lastName: lastName ?? '',
      // It cannot be verified: no mail is sent from here.
      isEmailVerified: false,
      currentProjectId: actor.currentProjectId === 0 ? null : actor.currentProjectId,
      now: clock(),
    });
  }

  /** The membership as it is stored: it may have been raised since the request was let in. */
  async function findStored(tx: Statements, actor: Actor, member: Member): Promise<Membership> {
    const membership = await findMembership(tx, member.membership.id);
    if (membership === null) throw fail('not_found');
    checkRank(actor, { ...member, membership });
    return membership;
  }

  /** Throws when an organization would be left without an owner. */
  async function checkOwnerStays(tx: Statements, membership: Membership, attr?: string): Promise<void> {
    if (membership.level !== OWNER || (await countOwners(tx, membership.organizationId)) > 1) return;
    const detail = 'This is the last owner. Add another owner first.';
    throw fail('invalid_input', attr === undefined ? { detail } : { attr, detail });
  }

  return {
    list,
    find(actor, uuid) {
      const wanted = uuid === '@me' ? actor.user.uuid : uuid.toLowerCase();
      const member = list(actor.organizationId).find(({ user }) => user.uuid === wanted);
      if (member === undefined) throw fail('not_found');
      return member;
    },
    checkAdmin,
    async add(actor, body) {
      const level = body.level ?? 1;
      checkGrant(actor, level);
      const { organizationId } = actor;
      const stored = await db.transaction(async (tx) => {
        const user = await storeUser(tx, actor, body);
        const row = { id: newId(), organizationId, userId: user.id, level, now: clock() };
        const membership = await insertMembership(tx, row);
        const { key, secret } = await keys.insertFullKey(tx, user.id, 'First key');
        await record(tx, actor, 'created', { membership, user }, [levelChange(null, level)]);
        return { user, membership, key, secret };
      });
      const { user, membership, key, secret } = stored;
      users.keep(user);
      organizations.keep(membership);
      keys.forgetUser(user.id);
      keys.keep(key);
      return { member: { user, membership }, secret };
    },
    async setLevel(actor, member, level) {
      checkGrant(actor, level);
      const membership = await db.transaction(async (tx) => {
        const before = await findStored(tx, actor, member);
        if (level < OWNER) await checkOwnerStays(tx, before, 'level');
        if (before.level === level) return before;
        const after = await setMemberLevel(tx, { id: before.id, level, now: clock() });
        await record(tx, actor, 'updated', member, [levelChange(before.level, level)]);
        return after;
      });
      organizations.keep(membership);
      return memberOf(membership);
    },
    onRemove: (removal) => void removals.push(removal),
    async remove(actor, member) {
      const user = await db.transaction(async (tx) => {
        const membership = await findStored(tx, actor, member);
        await checkOwnerStays(tx, membership);
        await deleteMembership(tx, membership.id);
        await deleteKeysOf(tx, membership.userId);
        await access.forgetMember(tx, membership.id);
        for (const removeMember of removals) await removeMember(tx, membership);
        await record(tx, actor, 'deleted', member);
        return saveUser(tx, { ...(await findUser(tx, membership.userId))!, isActive: false });
      });
      organizations.forget(member.membership.id);
      users.keep(user);
      keys.forgetUser(user.id);
      console.forgetUser(user.id);
      await access.load();
    },
  };
}

function checkAdmin(actor: Actor): void {
  if (actor.organizationLevel < ADMIN)
    throw fail('permission_denied', { detail: 'Only organization admins and owners can do this.' });
}

function checkGrant(actor: Actor, level: OrganizationLevel): void {
  // The new member's first key has every scope: of an admin or owner it would be more than the key that requested it.
  if (level > MEMBER && !actor.scopes.includes('*'))
    throw fail('permission_denied', {
      detail: 'Adding an admin or an owner requires a personal API key with all scopes.',
    });
  if (level > actor.organizationLevel)
    throw fail('permission_denied', { detail: 'You cannot assign a level above your own.' });
}

/** Throws permission_denied when the member has a higher level than the actor. */
export function checkRank(actor: Actor, { membership }: Member): void {
  if (membership.level > actor.organizationLevel)
    throw fail('permission_denied', { detail: 'This member has a higher level than you.' });
}

function levelChange(before: number | null, after: number): Change {
  const action = before === null ? 'created' : 'changed';
  return { type: 'OrganizationMembership', action, field: 'level', before, after };
}
