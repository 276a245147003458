import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import { readPathId } from '../../http/fields.contract.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { EDIT, type Access } from '../access/index.ts';
import { activityOfUpdate, changesBetween } from '../activity-log/index.ts';
import type { StoredQuery } from '../query/index.ts';
import type { Users } from '../users/index.ts';
import { contentOf, EMPTY_INSIGHT, isModified, logFieldsOf, type InsightContent } from './insight-content.ts';
import { createInsightCopies, type InsightCopies } from './insight-copies.ts';
import { createInsightLog } from './insight-log.ts';
import type { InsightPlacements } from './insight-placements.ts';
import { createInsightViewer, type InsightViewer } from './insight-viewer.ts';
import type { BasicInsightJson, InsightJson, WriteInsightBody } from './insights.contract.ts';
import { listInsights, listLastViewed, type InsightListRequest } from './insights.reads.ts';
import { findInsight, insertInsights, saveView, updateInsight } from './insights.store.ts';
import type { InsightRow } from './insight-row.ts';
import { insightResource } from './insights.resource.ts';

/** How an insight is to be shown. */
export interface ShowInsight {
  /** Without what it answers. */
  readonly basic?: boolean | undefined;
  /** As shown on a dashboard, if it is on it. */
  readonly fromDashboard?: number | undefined;
}

export interface FindInsight {
  readonly needed?: 'view' | 'edit';
  /** Finds a deleted one too. */
  readonly deleted?: boolean;
}

export interface Insights extends InsightCopies, Pick<InsightViewer, 'jsonOf' | 'basicJsonOf'> {
  /** By id or short id. Throws not_found, access_level, and to edit not_editable. */
  find(actor: Actor, projectId: number, key: string, options?: FindInsight): Promise<InsightRow>;
  /** An insight that was found, as the actor sees it. */
  show(actor: Actor, row: InsightRow, how?: ShowInsight): Promise<InsightJson | BasicInsightJson>;
  /** The insights of a page, and how many there are in all; two statements. */
  list(
    actor: Actor,
    projectId: number,
    request: InsightListRequest,
    how?: Pick<ShowInsight, 'basic'>,
  ): Promise<{ results: (InsightJson | BasicInsightJson)[]; count: number }>;
  /** Those of these ids that are there and that the actor may see, without what they answer; in their order, two statements. */
  listSeen(actor: Actor, projectId: number, ids: readonly number[]): Promise<BasicInsightJson[]>;
  /** The five that the actor viewed last, latest first. */
  lastViewed(actor: Actor, projectId: number): Promise<InsightJson[]>;
  /** Records that the actor viewed an insight. */
  view(actor: Actor, row: InsightRow): Promise<void>;
  /** Throws invalid_input, with field and place, for a query that could not be answered. */
  checkQuery(projectId: number, query: StoredQuery): Promise<void>;
  /** Stores what a client sent. Throws parse_error, what `checkQuery` throws, and what `InsightPlacements.set` throws. */
  write(actor: Actor, projectId: number, body: WriteInsightBody): Promise<InsightRow>;
  /** Changes an insight. Throws as `write`, and not_found for a deleted one that is not brought back. */
  update(actor: Actor, projectId: number, key: string, body: WriteInsightBody): Promise<InsightRow>;
}

export interface InsightParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  /** Creates the short ID used in URLs, eight characters. */
  newShortId: () => string;
  access: Access;
  users: Users;
  placements: InsightPlacements;
  checkQuery: Insights['checkQuery'];
}

export function createInsights({
  db,
  clock,
  newId,
  newShortId,
  access,
  users,
  placements,
  checkQuery,
}: InsightParts): Insights {
  const record = createInsightLog({ newId, clock });
  const viewer = createInsightViewer({ access, users });

  const rowOf = (statements: Statements, projectId: number, key: string) =>
    findInsight(statements, projectId, { id: readPathId(key), shortId: key });
  const placesOf = async (statements: Statements, actor: Actor, id: number) =>
    (await placements.of(statements, actor.user.id, [id])).get(id) ?? [];
  const visibilityFor = (actor: Actor, projectId: number) => ({
    userId: actor.user.id,
    ...access.visibility(actor, projectId, 'insight'),
  });

  /** Throws access_level for a new query by a caller without access to queries. */
  function checkMayQuery(
    actor: Actor,
    projectId: number,
    before: InsightContent,
    after: InsightContent,
  ): void {
    if (after.query !== null && after.query !== before.query)
      access.check(actor, projectId, 'query', null, 'viewer');
  }

  /** Rows as the actor sees them; one statement. */
  async function showAll(actor: Actor, rows: readonly InsightRow[]) {
    const places = await placements.of(
      db,
      actor.user.id,
      rows.map(({ id }) => id),
    );
    return rows.map((row) => ({ row, look: { actor, placements: places.get(row.id) ?? [] } }));
  }

  /** An unchanged query is not checked again: objects it names may have been deleted. */
  async function checkNew(projectId: number, { query }: InsightContent, old: InsightContent): Promise<void> {
    if (query !== null && query !== old.query)
      await checkQuery(projectId, parseExactly(query) as StoredQuery);
  }

  const copies = createInsightCopies({ clock, newShortId, record });

  return {
    ...copies,
    ...viewer,
    checkQuery,
    async find(actor, projectId, key, { needed = 'view', deleted = false } = {}) {
      const row = await rowOf(db, projectId, key);
      if (row === null || (row.deleted && !deleted)) throw fail('not_found');
      access.check(actor, projectId, 'insight', row, needed === 'edit' ? 'editor' : 'viewer');
      if (needed === 'view') return row;
      const levels = viewer.levelsOf(actor, projectId, await placesOf(db, actor, row.id));
      if (levels.effectivePrivilegeLevel < EDIT) throw fail('not_editable');
      return row;
    },
    async show(actor, row, { basic = false, fromDashboard } = {}) {
      const { id, projectId } = row;
      const look = { actor, placements: await placesOf(db, actor, id) };
      const place = look.placements.find(({ dashboardId }) => dashboardId === fromDashboard);
      const isSeen =
        place !== undefined &&
        access.levelOf(actor, projectId, 'dashboard', {
          id: place.dashboardId,
          createdBy: place.dashboardCreatedBy,
        }) !== 'none';
      const view = isSeen ? await placements.onDashboard(db, projectId, id, place.dashboardId) : null;
      const seen = { ...look, view, filters: view?.filters, variables: view?.variables };
      return basic ? viewer.basicJsonOf(row, seen) : viewer.jsonOf(row, seen);
    },
    async list(actor, projectId, request, { basic = false } = {}) {
      const { rows, count } = await listInsights(db, projectId, visibilityFor(actor, projectId), request);
      const show = basic ? viewer.basicJsonOf : viewer.jsonOf;
      return { results: (await showAll(actor, rows)).map(({ row, look }) => show(row, look)), count };
    },
    async listSeen(actor, projectId, ids) {
      const rows = ids.length === 0 ? [] : await copies.listByIds(db, projectId, ids);
      const present = ids.flatMap((id) => rows.find((row) => row.id === id && !row.deleted) ?? []);
      const seen = await showAll(actor, present);
      return seen
        .map(({ row, look }) => viewer.basicJsonOf(row, look))
        .filter(({ user_access_level: level }) => level !== 'none');
    },
    async lastViewed(actor, projectId) {
      const rows = await listLastViewed(db, projectId, visibilityFor(actor, projectId));
      return (await showAll(actor, rows)).map(({ row, look }) => viewer.jsonOf(row, look));
    },
    view: (actor, { id, projectId }) =>
      db.transaction((tx) => saveView(tx, { projectId, insightId: id, userId: actor.user.id, now: clock() })),
    async write(actor, projectId, body) {
      const content = contentOf(EMPTY_INSIGHT, body);
      checkMayQuery(actor, projectId, EMPTY_INSIGHT, content);
      await checkNew(projectId, content, EMPTY_INSIGHT);
      return db.transaction(async (tx) => {
        const now = clock();
        const maker = { projectId, shortId: newShortId(), isSample: false, createdBy: actor.user.id };
        const [row] = await insertInsights(tx, [{ ...content, ...maker }], now);
        if (body.dashboards !== undefined)
          await placements.set(tx, actor, projectId, row!.id, body.dashboards, now);
        await record(tx, actor, 'created', [row!]);
        return row!;
      });
    },
    async update(actor, projectId, key, body) {
      const stored = await rowOf(db, projectId, key);
      if (stored !== null) await checkNew(projectId, contentOf(stored, body), stored);
      return db.transaction(async (tx) => {
        const before = await rowOf(tx, projectId, key);
        if (before === null || (before.deleted && body.deleted !== false)) throw fail('not_found');
        const now = clock();
        const content = contentOf(before, body);
        checkMayQuery(actor, projectId, before, content);
        const modifiedBy = isModified(before, content) ? actor.user.id : null;
        const row = await updateInsight(tx, { ...before, ...content }, { now, modifiedBy });
        const moved = { from: undefined as number[] | undefined, to: body.dashboards };
        if (body.dashboards !== undefined) {
          moved.from = (await placesOf(tx, actor, row.id)).map(({ dashboardId }) => dashboardId);
          await placements.set(tx, actor, projectId, row.id, body.dashboards, now);
        }
        const changes = changesBetween(
          insightResource.activity,
          logFieldsOf(before, moved.from),
          logFieldsOf(content, moved.to),
        );
        if (changes.length > 0) await record(tx, actor, activityOfUpdate(changes), [row], changes);
        return row;
      });
    },
  };
}
