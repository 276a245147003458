import type { Db, Statements } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import { changesBetween } from '../activity-log/index.ts';
import type { InsightPlacements, Insights } from '../insights/index.ts';
import type { Users } from '../users/index.ts';
import { changeTiles } from './change-tiles.ts';
import { duplicateTiles, repeatTiles } from './copy-tiles.ts';
import { createDashboardFinder, type DashboardAccess, type FindOptions } from './dashboard-access.ts';
import { dashboardListItemOf } from './dashboard-json.ts';
import { createDashboardLog } from './dashboard-log.ts';
import { createDashboardReader, type ShowOptions } from './dashboard-reader.ts';
import type {
  CreateDashboardBody,
  DashboardJson,
  DashboardListItem,
  UpdateDashboardBody,
} from './dashboards.contract.ts';
import { listDashboards, listTiles, type DashboardFilter } from './dashboards.reads.ts';
import { insertDashboard, updateDashboard, type DashboardContent } from './dashboards.store.ts';
import { createTileActions, type TileActions } from './tile-actions.ts';

export interface DashboardParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  access: Access;
  users: Users;
  insights: Insights;
  placements: InsightPlacements;
}

export interface Dashboards extends TileActions {
  /** A live dashboard and what the actor may do with it. Throws not_found, access_level, not_editable. */
  find(actor: Actor, projectId: number, id: number, options?: FindOptions): Promise<DashboardAccess>;
  /** What was found, with its tiles, as an answer shows it. */
  jsonOf(actor: Actor, found: DashboardAccess, options?: ShowOptions): Promise<DashboardJson>;
  /** A dashboard by its id, also a deleted one, as an answer shows it. Throws not_found, access_level. */
  json(actor: Actor, projectId: number, id: number, options?: ShowOptions): Promise<DashboardJson>;
  /** As a page shows it to anybody who has its link. Throws not_found. */
  publicJson(projectId: number, id: number): Promise<DashboardJson>;
  list(
    actor: Actor,
    projectId: number,
    filter: DashboardFilter,
    page: { limit: number; offset: number },
  ): Promise<{ items: DashboardListItem[]; count: number }>;
  /** Returns the id. Throws invalid_input for a dashboard that cannot be copied. */
  create(actor: Actor, projectId: number, body: CreateDashboardBody): Promise<number>;
  /** Throws not_found, also for a deleted one that is not brought back; not_editable. */
  update(actor: Actor, projectId: number, id: number, body: UpdateDashboardBody): Promise<void>;
}

export function createDashboards(parts: DashboardParts): Dashboards {
  const { db, clock, access, users, insights } = parts;
  const finder = createDashboardFinder(parts);
  const reader = createDashboardReader(parts);
  const log = createDashboardLog(parts);

  /** The dashboard to be copied; one that the actor may not see counts as unknown. */
  async function findSource(tx: Statements, actor: Actor, projectId: number, id: number) {
    try {
      return (await finder.find(tx, actor, projectId, id)).row;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw fail('invalid_input', {
        attr: 'use_dashboard',
        detail: `There is no dashboard ${id} to be copied.`,
      });
    }
  }

  async function create(
    tx: Statements,
    actor: Actor,
    projectId: number,
    body: CreateDashboardBody,
  ): Promise<number> {
    const { use_dashboard: useDashboard = null, duplicate_tiles: isDeep = false } = body;
    const source = useDashboard ? await findSource(tx, actor, projectId, useDashboard) : null;
    const kept = source === null ? {} : { filters: source.filters, variables: source.variables };
    const content = { ...EMPTY, ...kept, ...writtenOf(body) };
    const now = clock();
    const id = await insertDashboard(
      tx,
      {
        projectId,
        ...content,
        creationMode: source === null ? 'default' : 'duplicate',
        useTemplate: '',
        useDashboard: source?.id ?? null,
        createdBy: actor.user.id,
      },
      now,
    );
    if (source !== null) {
      const tiles = await listTiles(tx, source.id);
      const target = { dashboardId: id, projectId, userId: actor.user.id, now };
      if (isDeep) await duplicateTiles(tx, tiles, insights, actor, target);
      else await repeatTiles(tx, tiles, target);
    }
    await log.record(tx, actor, { dashboard: { id, projectId, name: content.name }, activity: 'created' });
    return id;
  }

  return {
    ...createTileActions({ db, clock, access, finder, log }),
    jsonOf: reader.jsonOf,
    publicJson: reader.publicJson,
    find: (actor, projectId, id, options) => finder.find(db, actor, projectId, id, options),
    json: async (actor, projectId, id, options) =>
      reader.jsonOf(actor, await finder.find(db, actor, projectId, id, { deleted: true }), options),
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
    create: (actor, projectId, body) => db.transaction((tx) => create(tx, actor, projectId, body)),
    update: (actor, projectId, id, body) =>
      db.transaction(async (tx) => {
        const options = { needed: 'edit', deleted: body.deleted === false } as const;
        const { row, levels } = await finder.find(tx, actor, projectId, id, options);
        checkRestriction(body, levels);
        const after = { ...row, ...writtenOf(body) };
        const now = clock();
        const changes = [
          ...changesBetween('Dashboard', toldOf(row), toldOf(after)),
          ...(await changeTiles(tx, row, body, { access, insights, actor, now })),
        ];
        // Of a write that changed nothing there is nothing to tell.
        if (changes.length === 0) return;
        await updateDashboard(tx, id, after, now);
        const activity = row.deleted === after.deleted ? 'updated' : after.deleted ? 'deleted' : 'restored';
        await log.record(tx, actor, { dashboard: after, activity, changes });
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
function writtenOf(body: Omit<UpdateDashboardBody, 'tiles' | 'duplicate_tiles'>): Partial<DashboardContent> {
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
