import type { Statements } from '../../db/db.ts';
import {
  insertTexts,
  insertTiles,
  takeIds,
  updateTexts,
  updateTiles,
  type StoredTile,
} from './dashboards.store.ts';
import type { NewTile, TilePlan } from './plan-tiles.ts';

/** The dashboard of new tiles, with their creator and creation time (Unix milliseconds). */
export interface TileTarget {
  readonly dashboardId: number;
  readonly projectId: number;
  /** The author of new texts; null: a template. */
  readonly userId: number | null;
  readonly now: number;
}

export type SavedTile = StoredTile & { readonly body: string | null };

/** Stores new tiles, and their texts with them; returns them in their order. At most four statements. */
export async function addTiles(
  tx: Statements,
  tiles: readonly NewTile[],
  target: TileTarget,
): Promise<SavedTile[]> {
  const ids = await takeIds(tx, 'tile', tiles.length);
  const textIds = await takeIds(tx, 'text', tiles.filter(({ body }) => body !== null).length);
  const saved = tiles.map((tile, index) => ({
    ...tile,
    id: ids[index]!,
    dashboardId: target.dashboardId,
    textId: tile.body === null ? null : textIds.shift()!,
    deleted: false,
  }));
  const texts = saved.flatMap(({ textId, body }) => (textId === null ? [] : [{ id: textId, body: body! }]));
  await insertTexts(tx, texts, target);
  await insertTiles(tx, saved, target.now);
  return saved;
}

/** Carries out what changes of tiles come to; returns the new tiles. */
export async function saveTiles(
  tx: Statements,
  { updated, texts, added }: TilePlan,
  target: TileTarget & { readonly userId: number },
): Promise<SavedTile[]> {
  await updateTiles(tx, updated);
  await updateTexts(tx, texts, target);
  return addTiles(tx, added, target);
}
