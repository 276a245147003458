import type { Statements } from '../../db/db.ts';
import { fail, type ErrorName } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { dashboardLevels, type Access, type AccessLevel, type DashboardLevels } from '../access/index.ts';
import { findDashboard, type SeenDashboard } from './dashboards.reads.ts';

/** A dashboard and the access level of the caller. */
export interface DashboardAccess {
  readonly id: number;
  readonly name: string;
  readonly createdBy: number | null;
  readonly deleted: boolean;
  readonly row: SeenDashboard;
  readonly levels: DashboardLevels;
  readonly canEdit: boolean;
  readonly userAccessLevel: AccessLevel;
}

export interface FindOptions {
  /** `edit`: access level editor, and the right to edit a restricted dashboard. Default `view`. */
  needed?: 'view' | 'edit';
  /** Finds deleted ones too. */
  deleted?: boolean;
  /** What is thrown for one that is not there. Default not_found. */
  notFound?: ErrorName;
}

export interface DashboardFinder {
  /** What the actor may do with a dashboard; no statement. */
  accessOf(row: SeenDashboard, actor: Actor): DashboardAccess;
  /** One statement. Throws not_found, access_level, not_editable. */
  find(
    statements: Statements,
    actor: Actor,
    projectId: number,
    id: number,
    options?: FindOptions,
  ): Promise<DashboardAccess>;
}

export function createDashboardFinder({ access, clock }: { access: Access; clock: Clock }): DashboardFinder {
  function accessOf(row: SeenDashboard, actor: Actor): DashboardAccess {
    const { id, projectId, name, createdBy, deleted } = row;
    const projectLevel = access.projectLevel(actor, projectId);
    const levels = dashboardLevels(row, { userId: actor.user.id, projectLevel });
    const userAccessLevel = access.levelOf(actor, projectId, 'dashboard', row);
    return { id, name, createdBy, deleted, row, levels, canEdit: levels.canEdit, userAccessLevel };
  }

  return {
    accessOf,
    async find(statements, actor, projectId, id, { needed = 'view', deleted = false, notFound } = {}) {
      const row = await findDashboard(statements, projectId, id, { userId: actor.user.id, now: clock() });
      if (row === null || (row.deleted && !deleted)) throw fail(notFound ?? 'not_found');
      access.check(actor, projectId, 'dashboard', row, needed === 'edit' ? 'editor' : 'viewer');
      const found = accessOf(row, actor);
      if (needed === 'edit' && !found.canEdit) throw fail('not_editable');
      return found;
    },
  };
}
