import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { AccessedObject, Resource } from '../../http/define-resource.ts';
import type { Actor, OrganizationLevel } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import {
  grantableLevels,
  levelsOf,
  type Access,
  type AccessRule,
  type AccessTarget,
  type ResourceLevels,
} from '../access/index.ts';
import { changesBetween, recordActivity } from '../activity-log/index.ts';
import { findMembership, type Organizations } from '../organizations/index.ts';
import type { Users } from '../users/index.ts';
import { accessControlOf, type Reach } from './access-control-json.ts';
import type { PutRule } from './access-controls.contract.ts';
import { setManagement } from './access-controls.store.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

/** What a rule is about: an object, or with null the whole resource. */
export interface Accessed {
  readonly projectId: number;
  readonly resource: string;
  readonly object: AccessedObject | null;
}

/** A member of an organization whose account is active. */
interface AccessMember {
  readonly membershipId: string;
  readonly organizationLevel: OrganizationLevel;
  readonly userId: number;
  readonly userUuid: string;
}

export interface AccessControlsService {
  levelsOf(resource: string): ResourceLevels;
  /** The actor's level, and whether he may change the rules (management contract 5.1). */
  standing(actor: Actor, accessed: Accessed): { level: string; canEditLevels: boolean };
  /** Throws permission_denied unless the actor may change the rules. */
  checkCanEdit(actor: Actor, accessed: Accessed): void;
  /** The rules of an object, or of the resource as a whole. */
  rules(accessed: Accessed): AccessRule[];
  /** Every rule of a project that names no object. */
  wideRules(projectId: number): AccessRule[];
  /** Makes or changes a rule and returns it; null when it was to be taken away. */
  put(actor: Actor, accessed: Accessed, body: PutRule): Promise<AccessRule | null>;
  /** Who may reach an object. */
  reaching(actor: Actor, accessed: Accessed): Reach[];
  /** Writes down which tool keeps a rule; returns since when. */
  manage(actor: Actor, target: AccessTarget, managedBy: string | null): Promise<string | null>;
  /** The target of a rule as a request names it. Throws does_not_exist for an unknown member or role. */
  targetOf(
    actor: Actor,
    accessed: Accessed,
    named: Pick<PutRule, 'organization_member' | 'role'>,
  ): AccessTarget;
}

export interface AccessControlsParts {
  db: Db;
  access: Access;
  clock: Clock;
  newId: NewId;
  organizations: Organizations;
  users: Users;
  resources: readonly Resource[];
}

/** Rules about who may do what with which object, as people change them. */
export function createAccessControls(parts: AccessControlsParts): AccessControlsService {
  const { db, access, clock, newId, organizations, users } = parts;
  const minimums = new Map(parts.resources.map(({ noun, access: rules }) => [noun, rules?.minimum]));
  const levelsOfResource = (resource: string) => levelsOf(resource, minimums.get(resource));

  function membersOf(organizationId: string): AccessMember[] {
    return organizations.listMembers(organizationId).flatMap(({ id, level, userId }) => {
      const user = users.find(userId);
      if (user === null || !user.isActive) return [];
      return [{ membershipId: id, organizationLevel: level, userId, userUuid: user.uuid }];
    });
  }

  function standing(actor: Actor, { projectId, resource, object }: Accessed) {
    const isAdmin = access.projectLevel(actor, projectId) === ADMIN;
    const level = access.levelOf(actor, projectId, resource, object);
    return { level, canEditLevels: isAdmin || (object !== null && level === 'manager') };
  }

  function targetOf(
    actor: Actor,
    { projectId, resource, object }: Accessed,
    { organization_member = null, role = null }: Pick<PutRule, 'organization_member' | 'role'>,
  ): AccessTarget {
    const isMember = membersOf(actor.organizationId).some(
      ({ membershipId }) => membershipId === organization_member,
    );
    if (organization_member !== null && !isMember) throw noSuchMember();
    if (role !== null) throw fail('does_not_exist', { attr: 'role', detail: 'This role does not exist.' });
    const resourceId = object === null ? null : String(object.id);
    return { projectId, resource, resourceId, memberId: organization_member, roleId: role };
  }

  function rules({ projectId, resource, object }: Accessed): AccessRule[] {
    const id = object === null ? null : String(object.id);
    return access.rulesOf(projectId).filter((rule) => rule.resource === resource && rule.resourceId === id);
  }

  function entryOf(actor: Actor, { projectId, resource, object }: Accessed) {
    return {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId,
      userId: actor.user.id,
      scope: 'AccessControl',
      itemId: object === null ? resource : String(object.id),
      name: object?.name ?? resource,
    } as const;
  }

  return {
    levelsOf: levelsOfResource,
    standing,
    checkCanEdit(actor, accessed) {
      if (standing(actor, accessed).canEditLevels) return;
      throw fail('permission_denied', {
        detail: 'Only the creator, managers and admins can change access.',
      });
    },
    rules,
    wideRules: (projectId) => access.rulesOf(projectId).filter(({ resourceId }) => resourceId === null),
    async put(actor, accessed, body) {
      const id = accessed.object === null ? null : String(accessed.object.id);
      checkSameObject(body.resource_id, id);
      checkLevel(levelsOfResource(accessed.resource), body.access_level);
      const target = targetOf(actor, accessed, body);
      const { after } = await db.transaction(async (tx) => {
        await checkIsStillMember(tx, target);
        const change = await access.setRule(tx, target, body.access_level);
        const { before, after } = change;
        if (before === null && after === null) return change;
        await recordActivity(tx, {
          ...entryOf(actor, accessed),
          activity: before === null ? 'created' : after === null ? 'deleted' : 'updated',
          changes: changesBetween('AccessControl', shownOf(before), shownOf(after)),
        });
        return change;
      });
      await access.load();
      return after;
    },
    reaching(actor, { projectId, resource, object }) {
      return membersOf(actor.organizationId).flatMap((member) => {
        if (access.projectLevel(member, projectId) === 0) return [];
        const { level, source } = access.explain(member, projectId, resource, object);
        return level === 'none' ? [] : [{ ...member, level, source }];
      });
    },
    async manage(actor, target, managedBy) {
      const now = clock();
      return db.transaction(async (tx) => {
        await checkIsStillMember(tx, target);
        const { before, managedAt } = await setManagement(tx, target, { managedBy, now });
        const { projectId, resource, resourceId } = target;
        await recordActivity(tx, {
          ...entryOf(actor, { projectId, resource, object: null }),
          itemId: resourceId ?? resource,
          activity: 'updated',
          changes: changesBetween('AccessControl', { managed_by: before }, { managed_by: managedBy }),
        });
        return managedAt;
      });
    },
    targetOf,
  };
}

/** Throws does_not_exist for a member who was removed since the request was read: memory may be behind the transaction. */
async function checkIsStillMember(tx: Statements, { memberId }: AccessTarget): Promise<void> {
  if (memberId !== null && (await findMembership(tx, memberId)) === null) throw noSuchMember();
}

function noSuchMember() {
  return fail('does_not_exist', {
    attr: 'organization_member',
    detail: 'This member does not exist. Use the id of a membership, not of a user.',
  });
}

/** An object's rule can only be set under its own path. */
function checkSameObject(asked: unknown, id: string | null): void {
  if (asked === undefined || asked === null) return;
  if ((typeof asked === 'string' || typeof asked === 'number') && String(asked) === id) return;
  throw fail('permission_denied', { detail: 'The object in the body does not match the path.' });
}

function checkLevel(ofResource: ResourceLevels, level: string | null): void {
  const levels = grantableLevels(ofResource);
  if (level === null || levels.includes(level)) return;
  throw fail('invalid_choice', {
    attr: 'access_level',
    detail: `This must be one of: ${levels.join(', ')}.`,
  });
}

/** The fields of a rule in the log. */
function shownOf(rule: AccessRule | null): Record<string, unknown> {
  const { access_level, resource, resource_id, organization_member, role } =
    rule === null ? ({} as Partial<ReturnType<typeof accessControlOf>>) : accessControlOf(rule);
  return { access_level, resource, resource_id, organization_member, role };
}
