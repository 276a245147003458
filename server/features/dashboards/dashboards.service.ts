import type { Db } from '../../db/db.ts';
import { createCachedReads } from '../../db/cached-reads.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { Access } from '../access/index.ts';
import { activityOfUpdate, changesBetween } from '../activity-log/index.ts';
import type { InsightAnswers, Insights } from '../insights/index.ts';
import type { DashboardTemplates } from '../dashboard-templates/index.ts';
import type { Projects } from '../projects/index.ts';
import type { Users } from '../users/index.ts';
import { changeTiles } from './change-tiles.ts';
import { createDashboardMaker, type DashboardMaker } from './create-dashboard.ts';
import { createDashboardFinder, type DashboardAccess, type FindOptions } from './dashboard-access.ts';
import { checkRestriction, logFieldsOf, writtenOf } from './dashboard-content.ts';
import { dashboardListItemOf } from './dashboard-json.ts';
import { createDashboardLog } from './dashboard-log.ts';
import { createDashboardReader, type DashboardReader, type ShowOptions } from './dashboard-reader.ts';
import type { DashboardJson, DashboardListItem, UpdateDashboardBody } from './dashboards.contract.ts';
import { listDashboards, listTileLayouts, type DashboardFilter } from './dashboards.reads.ts';
import { updateDashboard } from './dashboards.store.ts';
import { createTileActions, type TileActions } from './tile-actions.ts';
import { dashboardResource } from './dashboards.resource.ts';

export interface DashboardParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  log: Log;
  access: Access;
  users: Users;
  projects: Pick<Projects, 'forgetDashboard'>;
  insights: Insights;
  answers: InsightAnswers;
  templates: DashboardTemplates;
}

type Json = Record<string, unknown>;

export interface Dashboards extends DashboardMaker, TileActions {
  /** A live dashboard and what the actor may do with it. Throws not_found, access_level, not_editable. */
  find(actor: Actor, projectId: number, id: number, options?: FindOptions): Promise<DashboardAccess>;
  /** What was found, with its tiles, as an answer shows it. */
  jsonOf(actor: Actor, found: DashboardAccess, options?: ShowOptions): Promise<DashboardJson>;
  /** A dashboard by its id, also a deleted one, as an answer shows it. Throws not_found, access_level. */
  json(actor: Actor, projectId: number, id: number, options?: ShowOptions): Promise<DashboardJson>;
  publicJson: DashboardReader['publicJson'];
  stream: DashboardReader['stream'];
  list(
    actor: Actor,
    projectId: number,
    filter: DashboardFilter,
    page: { limit: number; offset: number },
  ): Promise<{ items: DashboardListItem[]; count: number }>;
  /** The tile layouts of all listed dashboards, by their IDs. */
  previews(actor: Actor, projectId: number): Promise<{ id: number; layouts: Json[] }[]>;
  /** Throws not_found, also for a deleted one that is not brought back; not_editable. */
  update(actor: Actor, projectId: number, id: number, body: UpdateDashboardBody): Promise<void>;
}

export function createDashboards(parts: DashboardParts): Dashboards {
  const { db, clock, access, users, projects, insights } = parts;
  const finder = createDashboardFinder(parts);
  const reads = createCachedReads(db);
  const reader = createDashboardReader({ ...parts, reads });
  const dashboardLog = createDashboardLog(parts);

  return {
    ...createTileActions({ db, clock, access, finder, log: dashboardLog }),
    ...createDashboardMaker({ ...parts, finder, dashboardLog }),
    jsonOf: reader.jsonOf,
    publicJson: reader.publicJson,
    stream: reader.stream,
    find: (actor, projectId, id, options) => finder.find(reads, actor, projectId, id, options),
    json: async (actor, projectId, id, options) =>
      reader.jsonOf(actor, await finder.find(reads, actor, projectId, id, { deleted: true }), options),
    async list(actor, projectId, filter, page) {
      const asker = { userId: actor.user.id, now: clock() };
      const visibility = access.visibility(actor, projectId, 'dashboard');
      const { rows, count } = await listDashboards(db, projectId, filter, visibility, asker, page);
      const items = rows.map((row) => {
        const { levels, userAccessLevel } = finder.accessOf(row, actor);
        return dashboardListItemOf(row, {
          createdBy: users.embedded(row.createdBy),
          levels,
          userAccessLevel,
        });
      });
      return { items, count };
    },
    async previews(actor, projectId) {
      const visibility = access.visibility(actor, projectId, 'dashboard');
      const byId = new Map<number, Json[]>();
      for (const { dashboardId, layouts } of await listTileLayouts(
        db,
        projectId,
        visibility,
        actor.user.id,
      )) {
        const { sm } = JSON.parse(layouts) as { sm?: Json };
        const layoutsOf = byId.get(dashboardId) ?? [];
        layoutsOf.push(sm ?? {});
        byId.set(dashboardId, layoutsOf);
      }
      return [...byId].map(([id, layouts]) => ({ id, layouts }));
    },
    async update(actor, projectId, id, body) {
      let forget = (): void => undefined;
      await db.transaction(async (tx) => {
        const options = { needed: 'edit', deleted: body.deleted === false } as const;
        const { row, levels } = await finder.find(tx, actor, projectId, id, options);
        checkRestriction(body, levels);
        const after = { ...row, ...writtenOf(body, row) };
        const now = clock();
        const changes = [
          ...changesBetween(dashboardResource.activity, logFieldsOf(row), logFieldsOf(after)),
          ...(await changeTiles(tx, row, body, { access, insights, actor, now })),
        ];
        // A write without changes is not logged.
        if (changes.length === 0) return;
        await updateDashboard(tx, id, after, now);
        if (after.deleted) forget = await projects.forgetDashboard(tx, actor, projectId, id);
        await dashboardLog.record(tx, actor, {
          dashboard: after,
          activity: activityOfUpdate(changes),
          changes,
        });
      });
      forget();
    },
  };
}
