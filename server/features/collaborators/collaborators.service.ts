import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { EDIT, type Access } from '../access/index.ts';
import { recordActivity } from '../activity-log/index.ts';
import { dashboardResource, type DashboardAccess, type Dashboards } from '../dashboards/index.ts';
import { findMembership, type Organizations } from '../organizations/index.ts';
import type { User, Users } from '../users/index.ts';
import type { AddCollaborator } from './collaborators.contract.ts';
import {
  deleteCollaborator,
  insertCollaborator,
  listCollaborators,
  type Collaborator,
} from './collaborators.store.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

/** A collaborator with the account. */
export interface KnownCollaborator {
  readonly row: Collaborator;
  readonly user: User;
}

export interface Collaborators {
  /** A dashboard to look at, or with `edit` to be changed. Throws dashboard_not_found, access_level, not_editable. */
  findDashboard(
    actor: Actor,
    projectId: number,
    id: number,
    needed: 'view' | 'edit',
  ): Promise<DashboardAccess>;
  /** Those whose account is active, in order of being added. */
  list(dashboardId: number): Promise<KnownCollaborator[]>;
  /** Throws invalid_input for a dashboard that all members may edit, and for who cannot become a collaborator. */
  add(actor: Actor, dashboard: DashboardAccess, body: AddCollaborator): Promise<KnownCollaborator>;
  /**
   * Throws not_found for a user who is not a collaborator, invalid_input for a dashboard that all members may edit.
   */
  remove(actor: Actor, dashboard: DashboardAccess, userUuid: string): Promise<void>;
}

export interface CollaboratorParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  access: Access;
  dashboards: Dashboards;
  organizations: Organizations;
  users: Users;
}

const VIEW = 21;

/** Who else may edit a restricted dashboard (management contract 4.1). */
export function createCollaborators(parts: CollaboratorParts): Collaborators {
  const { db, clock, newId, access, dashboards, organizations, users } = parts;

  async function knownOn(statements: Statements, dashboardId: number): Promise<KnownCollaborator[]> {
    const rows = await listCollaborators(statements, dashboardId);
    return rows.flatMap((row) => {
      const user = users.find(row.userId);
      return user === null ? [] : [{ row, user }];
    });
  }

  /** The active member of the organization with this UUID who may enter the project and has no rights of his own. */
  function findCandidate(
    actor: Actor,
    { row, createdBy }: DashboardAccess,
    uuid: string,
  ): { user: User; membershipId: string } {
    const member = organizations
      .listMembers(actor.organizationId)
      .find(({ userId }) => users.find(userId)?.uuid === uuid);
    const user = member === undefined ? null : users.find(member.userId);
    if (member === undefined || user === null || !user.isActive) throw noActiveUser();
    const caller = { organizationLevel: member.level, membershipId: member.id };
    const level = access.projectLevel(caller, row.projectId);
    if (level === 0) throw refused('This user does not have access to the project.');
    if (user.id === createdBy || level >= ADMIN)
      throw refused('This user can already edit the dashboard as its creator or an admin.');
    return { user, membershipId: member.id };
  }

  /** Logs whose rights changed, by UUID and level. */
  function record(
    tx: Statements,
    actor: Actor,
    { id, name, row }: DashboardAccess,
    [before, after]: readonly [KnownCollaborator | null, KnownCollaborator | null],
  ): Promise<void> {
    return recordActivity(tx, {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId: row.projectId,
      userId: actor.user.id,
      activity: after === null ? 'collaborator removed' : 'collaborator added',
      scope: dashboardResource.activity,
      itemId: String(id),
      name,
      changes: [
        {
          type: dashboardResource.activity,
          action: after === null ? 'deleted' : 'created',
          field: 'collaborators',
          before: logFieldsOf(before),
          after: logFieldsOf(after),
        },
      ],
    });
  }

  return {
    findDashboard: (actor, projectId, id, needed) =>
      dashboards.find(actor, projectId, id, { needed, notFound: 'dashboard_not_found' }),
    async list(dashboardId) {
      return (await knownOn(db, dashboardId)).filter(({ user }) => user.isActive);
    },
    async add(actor, dashboard, { level, user_uuid }) {
      checkIsRestricted(dashboard);
      if (level !== EDIT) throw refused('Everyone can view; collaborators can only have level 37.');
      const { user, membershipId } = findCandidate(actor, dashboard, user_uuid);
      return db.transaction(async (tx) => {
        // Who was removed since the request was read: memory may be behind the transaction.
        if ((await findMembership(tx, membershipId)) === null) throw noActiveUser();
        const present = await listCollaborators(tx, dashboard.id);
        if (present.some(({ userId }) => userId === user.id))
          throw refused('This user is already a collaborator.');
        const row = await insertCollaborator(tx, {
          id: newId(),
          dashboardId: dashboard.id,
          userId: user.id,
          level,
          now: clock(),
        });
        const added = { row, user };
        await record(tx, actor, dashboard, [null, added]);
        return added;
      });
    },
    remove: (actor, dashboard, userUuid) =>
      db.transaction(async (tx) => {
        const present = await knownOn(tx, dashboard.id);
        const removed = present.find(({ user }) => user.uuid === userUuid);
        if (removed === undefined) throw fail('not_found');
        checkIsRestricted(dashboard);
        await deleteCollaborator(tx, removed.row.id);
        await record(tx, actor, dashboard, [removed, null]);
      }),
  };
}

function checkIsRestricted({ levels }: DashboardAccess): void {
  if (levels.effectiveRestrictionLevel > VIEW) return;
  throw refused('Collaborators can only be managed on dashboards at restriction level 37.');
}

function noActiveUser() {
  return refused('There is no active user with this UUID.');
}

function refused(detail: string) {
  return fail('invalid_input', { detail });
}

function logFieldsOf(collaborator: KnownCollaborator | null) {
  return collaborator === null ? null : { user_uuid: collaborator.user.uuid, level: collaborator.row.level };
}
