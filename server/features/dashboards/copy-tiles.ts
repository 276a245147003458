import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Insights } from '../insights/index.ts';
import type { TileRow } from './dashboards.reads.ts';
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

/**
 * Stores tiles that show copies of the insights and texts of others, made in the actor's name; one whose insight was
 * deleted is left out. At most seven statements.
 */
export async function duplicateTiles(
  tx: Statements,
  tiles: readonly TileRow[],
  insights: Pick<Insights, 'duplicate'>,
  actor: Actor,
  target: TileTarget,
): Promise<SavedTile[]> {
  const originals = tiles.flatMap(({ insightId }) => (insightId === null ? [] : [insightId]));
  const copyOf = await insights.duplicate(tx, actor, target.projectId, originals);
  const copies = tiles.flatMap((tile) => {
    if (tile.insightId === null) return [tile];
    const insightId = copyOf.get(tile.insightId);
    return insightId === undefined ? [] : [{ ...tile, insightId }];
  });
  return addTiles(tx, copies, target);
}
