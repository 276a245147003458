import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import { changesBetween, recordActivity, type Change } from '../activity-log/index.ts';
import type { Users } from '../users/index.ts';
import { createDashboardFinder, type DashboardAccess, type FindOptions } from './dashboard-access.ts';
import { dashboardJsonOf, dashboardListItemOf, type Overrides } from './dashboard-json.ts';
import type {
  CreateDashboardBody,
  DashboardJson,
  DashboardListItem,
  UpdateDashboardBody,
} from './dashboards.contract.ts';
import { listDashboards, type DashboardFilter } from './dashboards.reads.ts';
import { insertDashboard, updateDashboard, type DashboardContent } from './dashboards.store.ts';

export interface DashboardParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  access: Access;
  users: Users;
}

/** What is written from a body. */
type Written = Partial<DashboardContent>;

export interface Dashboards {
  /** A live dashboard and what the actor may do with it. Throws not_found, access_level, not_editable. */
  find(actor: Actor, projectId: number, id: number, options?: FindOptions): Promise<DashboardAccess>;
  /** The dashboard as an answer shows it. Throws not_found. */
  json(actor: Actor, projectId: number, id: number, overrides?: Overrides): Promise<DashboardJson>;
  list(
    actor: Actor,
    projectId: number,
    filter: DashboardFilter,
    page: { limit: number; offset: number },
  ): Promise<{ items: DashboardListItem[]; count: number }>;
  /** Returns the id. */
  create(actor: Actor, projectId: number, body: CreateDashboardBody): Promise<number>;
  /** Throws not_found, also for a deleted one that is not brought back; not_editable. */
  update(actor: Actor, projectId: number, id: number, body: UpdateDashboardBody): Promise<void>;
}

export function createDashboards({ db, clock, newId, access, users }: DashboardParts): Dashboards {
  const finder = createDashboardFinder({ access, clock });

  const around = (found: DashboardAccess) => ({ ...found, createdBy: users.embedded(found.createdBy) });

  /** The log tells of what changed; of a write that changed nothing there is nothing to tell. */
  function record(
    tx: Statements,
    actor: Actor,
    dashboard: { id: number; projectId: number; name: string },
    activity: string,
    changes: readonly Change[] = [],
  ): Promise<void> {
    return recordActivity(tx, {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId: dashboard.projectId,
      userId: actor.user.id,
      activity,
      scope: 'Dashboard',
      itemId: String(dashboard.id),
      name: dashboard.name,
      changes,
    });
  }

  return {
    find: (actor, projectId, id, options) => finder.find(db, actor, projectId, id, options),
    async json(actor, projectId, id, overrides) {
      const found = await finder.find(db, actor, projectId, id, { deleted: true });
      return dashboardJsonOf(found.row, around(found), [], overrides);
    },
    async list(actor, projectId, filter, page) {
      const asker = { userId: actor.user.id, now: clock() };
      const visibility = access.visibility(actor, projectId, 'dashboard');
      const { rows, count } = await listDashboards(db, projectId, filter, visibility, asker, page);
      return {
        items: rows.map((row) => dashboardListItemOf(row, around(finder.accessOf(row, actor)))),
        count,
      };
    },
    create: (actor, projectId, body) =>
      db.transaction(async (tx) => {
        const { use_template: useTemplate = '', use_dashboard: useDashboard = null } = body;
        const content = { ...EMPTY, ...writtenOf(body) };
        const origin = {
          creationMode: 'default',
          useTemplate,
          useDashboard,
          createdBy: actor.user.id,
        } as const;
        const id = await insertDashboard(tx, { projectId, ...content, ...origin }, clock());
        await record(tx, actor, { id, projectId, name: content.name }, 'created');
        return id;
      }),
    update: (actor, projectId, id, body) =>
      db.transaction(async (tx) => {
        const deleted = body.deleted === false;
        const { row, levels } = await finder.find(tx, actor, projectId, id, { needed: 'edit', deleted });
        checkRestriction(body, levels);
        const after = { ...row, ...writtenOf(body) };
        const changes = changesBetween('Dashboard', toldOf(row), toldOf(after));
        if (changes.length === 0) return;
        await updateDashboard(tx, id, after, clock());
        const activity = row.deleted === after.deleted ? 'updated' : after.deleted ? 'deleted' : 'restored';
        await record(tx, actor, after, activity, changes);
      }),
  };
}

/** Throws permission_denied when a restriction is sent, be it the present one, by somebody who may not restrict (3.3). */
export function checkRestriction(
  sent: { restriction_level?: unknown },
  { canRestrict }: { canRestrict: boolean },
): void {
  if (sent.restriction_level === undefined || canRestrict) return;
  throw fail('permission_denied', {
    detail: 'Only its creator and admins of the project may set the restriction of a dashboard.',
  });
}

const EMPTY: DashboardContent = {
  name: '',
  description: '',
  pinned: false,
  filters: '{}',
  variables: '{}',
  tags: '[]',
  restrictionLevel: 21,
  deleted: false,
};

/** The columns that a body sets. */
function writtenOf(body: UpdateDashboardBody): Written {
  const { name, description, pinned, filters, variables, tags, restriction_level: level, deleted } = body;
  return {
    ...(name === undefined ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(pinned === undefined ? {} : { pinned }),
    ...(filters === undefined ? {} : { filters: JSON.stringify(filters) }),
    ...(variables === undefined ? {} : { variables: JSON.stringify(variables ?? {}) }),
    ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
    ...(level === undefined ? {} : { restrictionLevel: level }),
    ...(deleted === undefined ? {} : { deleted }),
  };
}

/** What the log tells of a dashboard, under the names of the wire. */
function toldOf(row: DashboardContent): Record<string, unknown> {
  return {
    name: row.name,
    description: row.description,
    pinned: row.pinned,
    filters: JSON.parse(row.filters) as unknown,
    variables: JSON.parse(row.variables) as unknown,
    tags: JSON.parse(row.tags) as unknown,
    restriction_level: row.restrictionLevel,
    deleted: row.deleted,
  };
}
