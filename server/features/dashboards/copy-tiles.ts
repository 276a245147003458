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

/** Who copies, and what has to be asked. */
export interface TileCopier {
  access: Access;
  insights: Pick<Insights, 'duplicate'>;
  actor: Actor;
}

/**
 * Stores tiles that show copies of the insights and texts of others, made in the actor's name; one whose insight was
 * deleted, or is hidden from the actor, is left out. At most eight statements.
 */
export async function duplicateTiles(
  tx: Statements,
  tiles: readonly TileRow[],
  { access, insights, actor }: TileCopier,
  target: TileTarget,
): Promise<SavedTile[]> {
  const { projectId } = target;
  const wanted = tiles.flatMap(({ insightId }) => (insightId === null ? [] : [insightId]));
  const originals = (wanted.length === 0 ? [] : await listNamedInsights(tx, projectId, wanted, []))
    .filter((insight) => access.levelOf(actor, projectId, 'insight', insight) !== 'none')
    .map(({ id }) => id);
  const copyOf = await insights.duplicate(tx, actor, projectId, originals);
  const copies = tiles.flatMap((tile) => {
    if (tile.insightId === null) return [tile];
    const insightId = copyOf.get(tile.insightId);
    return insightId === undefined ? [] : [{ ...tile, insightId }];
  });
  return addTiles(tx, copies, target);
}
