import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { TemplateTile } from '../dashboard-templates/index.ts';
import type { Insights } from '../insights/index.ts';
import { addTiles, type TileTarget } from './save-tiles.ts';

/**
 * Stores the tiles of a template with their insights and texts, which have no creator (management contract 3.8). At most
 * six statements.
 */
export async function addTemplateTiles(
  tx: Statements,
  tiles: readonly TemplateTile[],
  insights: Pick<Insights, 'create'>,
  actor: Actor,
  target: Omit<TileTarget, 'userId'>,
): Promise<void> {
  const wanted = tiles.flatMap((tile) =>
    tile.type === 'INSIGHT' ? [{ ...tile.insight, isSample: true }] : [],
  );
  const made = await insights.create(tx, actor, target.projectId, wanted);
  const ids = made.map(({ id }) => id).values();
  const news = tiles.map((tile) => ({
    layouts: jsonText(tile.layouts),
    color: tile.color,
    showDescription: tile.showDescription,
    filtersOverrides: tile.filtersOverrides && jsonText(tile.filtersOverrides),
    transparentBackground: tile.transparentBackground,
    insightId: tile.type === 'INSIGHT' ? ids.next().value! : null,
    body: tile.type === 'TEXT' ? tile.body : null,
  }));
  await addTiles(tx, news, { ...target, userId: null });
}
