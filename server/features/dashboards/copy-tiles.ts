import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import type { Insights } from '../insights/index.ts';
import { listNamedInsights, type TileRow } from './dashboards.reads.ts';
import { insertTiles, takeIds } from './dashboards.store.ts';
import { addTiles, type SavedTile, type TileTarget } from './save-tiles.ts';

/** Stores tiles that show the same insights and texts as others do; returns them in their order. */
export async function repeatTiles(
  tx: Statements,
  tiles: readonly TileRow[],
  { dashboardId, now }: Pick<TileTarget, 'dashboardId' | 'now'>,
): Promise<SavedTile[]> {
  const ids = await takeIds(tx, 'tile', tiles.length);
  const copies = tiles.map((tile, index) => ({ ...tile, id: ids[index]!, dashboardId, deleted: false }));
  await insertTiles(tx, copies, now);
  return copies;
}

/** The actor, and the checks to make. */
export interface TileCopier {
  access: Access;
  insights: Pick<Insights, 'duplicate'>;
  actor: Actor;
}

/** Those tiles that show a text, or a live insight that is not hidden from the actor. At most one statement. */
export async function tilesSeenBy(
  tx: Statements,
  tiles: readonly TileRow[],
  { access, actor, projectId }: { access: Access; actor: Actor; projectId: number },
): Promise<TileRow[]> {
  const insightIds = tiles.flatMap(({ insightId }) => (insightId === null ? [] : [insightId]));
  const named = insightIds.length === 0 ? [] : await listNamedInsights(tx, projectId, insightIds, []);
  const seen = named.filter((insight) => access.levelOf(actor, projectId, 'insight', insight) !== 'none');
  const ids = new Set(seen.map(({ id }) => id));
  return tiles.filter(({ insightId }) => insightId === null || ids.has(insightId));
}

/**
 * Stores tiles with copies of the insights and texts of other tiles, created by the actor; a tile whose insight is
 * deleted or hidden from the actor is left out. At most eight statements.
 */
export async function duplicateTiles(
  tx: Statements,
  tiles: readonly TileRow[],
  { access, insights, actor }: TileCopier,
  target: TileTarget,
): Promise<SavedTile[]> {
  const { projectId } = target;
  const seen = await tilesSeenBy(tx, tiles, { access, actor, projectId });
  const originals = seen.flatMap(({ insightId }) => (insightId === null ? [] : [insightId]));
  const copyOf = await insights.duplicate(tx, actor, projectId, originals);
  const copies = seen.map((tile) =>
    tile.insightId === null ? tile : { ...tile, insightId: copyOf.get(tile.insightId)! },
  );
  return addTiles(tx, copies, target);
}
