import type { Db, Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import { repeatTiles, tilesSeenBy } from './copy-tiles.ts';
import type { DashboardAccess, DashboardFinder } from './dashboard-access.ts';
import { tileChanges, type DashboardLog } from './dashboard-log.ts';
import type { TileChange } from './dashboards.contract.ts';
import { listAllTiles, type TileRow } from './dashboards.reads.ts';
import { deleteTile, updateTiles } from './dashboards.store.ts';
import { findNamedInsights } from './named-insights.ts';
import { planTiles } from './plan-tiles.ts';
import { saveTiles } from './save-tiles.ts';
import { gridPlace, inOrder } from './tile-order.ts';

/** Changes of single tiles (management contract 3.7, 3.9), each in one transaction. */
export interface TileActions {
  /** Throws not_found for a missing tile; not_editable; invalid_input when the target already has its content. */
  moveTile(actor: Actor, projectId: number, from: number, tileId: number, to: number): Promise<void>;
  /** Shows what a tile shows on another dashboard too. Throws as moveTile. */
  copyTile(actor: Actor, projectId: number, from: number, tileId: number, to: number): Promise<void>;
  /** Lines all tiles up in a grid, these first. Throws invalid_input, not_found. */
  reorderTiles(actor: Actor, projectId: number, id: number, tileIds: readonly number[]): Promise<void>;
  /** Puts an insight or a text on a dashboard and returns the id of its tile. */
  addTile(actor: Actor, projectId: number, id: number, tile: Omit<TileChange, 'id'>): Promise<number>;
}

export function createTileActions(parts: {
  db: Db;
  clock: Clock;
  access: Access;
  finder: DashboardFinder;
  log: DashboardLog;
}): TileActions {
  const { db, clock, access, finder, log } = parts;

  return {
    moveTile: (actor, projectId, from, tileId, to) =>
      db.transaction(async (tx) => {
        const source = await finder.find(tx, actor, projectId, from, { needed: 'edit' });
        const tile = await findTile(tx, actor, { projectId, dashboardId: from, tileId });
        const destination = await finder.find(tx, actor, projectId, to, { needed: 'edit' });
        if (from === to) return;
        const leftover = leftoverOf(await listAllTiles(tx, to), tile);
        if (leftover !== null) await deleteTile(tx, leftover.id);
        const moved = { ...tile, dashboardId: to };
        await updateTiles(tx, [moved]);
        await log.record(
          tx,
          actor,
          { dashboard: source.row, activity: 'updated', changes: tileChanges([tile], []) },
          { dashboard: destination.row, activity: 'updated', changes: tileChanges([], [moved]) },
        );
      }),
    copyTile: (actor, projectId, from, tileId, to) =>
      db.transaction(async (tx) => {
        const destination = await finder.find(tx, actor, projectId, to, { needed: 'edit' });
        await finder.find(tx, actor, projectId, from);
        const tile = await findTile(tx, actor, { projectId, dashboardId: from, tileId });
        if (from === to)
          throw fail('invalid_input', { detail: 'A tile can only be copied from another dashboard.' });
        const leftover = leftoverOf(await listAllTiles(tx, to), tile);
        if (leftover !== null) await deleteTile(tx, leftover.id);
        const copies = await repeatTiles(tx, [tile], { dashboardId: to, now: clock() });
        const changes = tileChanges([], copies);
        await log.record(tx, actor, { dashboard: destination.row, activity: 'updated', changes });
      }),
    reorderTiles: (actor, projectId, id, tileIds) =>
      db.transaction(async (tx) => {
        const { row } = await finder.find(tx, actor, projectId, id, { needed: 'edit' });
        const live = (await listAllTiles(tx, id)).filter(({ deleted }) => !deleted);
        const named = tileIds.map((tileId) => liveTile(live, tileId));
        const others = live.filter((tile) => !tileIds.includes(tile.id));
        const rest = inOrder(others.map((tile) => ({ id: tile.id, layouts: layoutsOf(tile), tile })));
        const placed = [...named, ...rest.map(({ tile }) => tile)].map((tile, index) => ({
          ...tile,
          layouts: jsonText({ ...layoutsOf(tile), ...gridPlace(index) }),
        }));
        const changes = tileChanges(live, placed);
        if (changes.length === 0) return;
        await updateTiles(tx, placed);
        await log.record(tx, actor, { dashboard: row, activity: 'updated', changes });
      }),
    addTile: (actor, projectId, id, tile) =>
      db.transaction(async (tx) => {
        const found = await finder.find(tx, actor, projectId, id, { needed: 'edit' });
        return addOne(tx, actor, found, tile);
      }),
  };

  /** A live tile that the actor sees. */
  async function findTile(
    tx: Statements,
    actor: Actor,
    { projectId, dashboardId, tileId }: { projectId: number; dashboardId: number; tileId: number },
  ): Promise<TileRow> {
    const tile = liveTile(await listAllTiles(tx, dashboardId), tileId);
    return liveTile(await tilesSeenBy(tx, [tile], { access, actor, projectId }), tileId);
  }

  /** An existing tile is updated. */
  async function addOne(
    tx: Statements,
    actor: Actor,
    { row }: DashboardAccess,
    tile: Omit<TileChange, 'id'>,
  ): Promise<number> {
    const { id: dashboardId, projectId } = row;
    const names = [tile.insight ?? undefined];
    const [insightId] = await findNamedInsights(tx, names, { access, actor, projectId }, () => 'insight');
    const before = await listAllTiles(tx, dashboardId);
    const plan = planTiles(before, [tile], () => insightId!);
    const target = { dashboardId, projectId, userId: actor.user.id, now: clock() };
    const added = await saveTiles(tx, plan, target);
    const changed = [...plan.updated, ...added];
    const old = before.filter(({ id }) => id === changed[0]!.id);
    const changes = tileChanges(old, changed);
    if (changes.length > 0) await log.record(tx, actor, { dashboard: row, activity: 'updated', changes });
    return changed[0]!.id;
  }
}

function liveTile(tiles: readonly TileRow[], id: number): TileRow {
  const tile = tiles.find((one) => one.id === id && !one.deleted);
  if (tile === undefined) throw fail('not_found');
  return tile;
}

/** A removed tile with the same content, which gives way; null: there is none. Throws when a live one has it. */
function leftoverOf(tiles: readonly TileRow[], { insightId, textId }: TileRow): TileRow | null {
  const same = tiles.find((one) => one.insightId === insightId && one.textId === textId);
  if (same !== undefined && !same.deleted)
    throw fail('invalid_input', { detail: 'The dashboard already has this tile.' });
  return same ?? null;
}

function layoutsOf(tile: TileRow): Record<string, unknown> {
  return JSON.parse(tile.layouts) as Record<string, unknown>;
}
