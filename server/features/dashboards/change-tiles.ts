import type { Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { Actor } from '../../http/define-route.ts';
import { isAtLeast, type Access } from '../access/index.ts';
import type { Change } from '../activity-log/index.ts';
import type { Insights } from '../insights/index.ts';
import { duplicateTiles } from './copy-tiles.ts';
import { tileChanges } from './dashboard-log.ts';
import type { TileCopy, UpdateDashboardBody } from './dashboards.contract.ts';
import { listAllTiles, listInsightsOnlyHere, type TileRow } from './dashboards.reads.ts';
import { setTilesDeleted, type DashboardRow } from './dashboards.store.ts';
import { findNamedInsights } from './named-insights.ts';
import { planTiles } from './plan-tiles.ts';
import { saveTiles, type SavedTile, type TileTarget } from './save-tiles.ts';

/** The actor, and the checks to make. */
export interface TileChanger {
  access: Access;
  insights: Pick<Insights, 'duplicate' | 'setDeleted'>;
  actor: Actor;
  /** Unix milliseconds. */
  now: number;
}

/**
 * What a change of a dashboard does to its tiles and to the insights on them (management contract 3.5, 3.6): brings
 * all back with it, changes, adds and copies those that the body names, and removes all with it. Returns the log
 * entries.
 */
export async function changeTiles(
  tx: Statements,
  row: DashboardRow,
  body: UpdateDashboardBody,
  changer: TileChanger,
): Promise<Change[]> {
  const { tiles: changes = [], duplicate_tiles: copies = [], deleted } = body;
  const isRestored = row.deleted && deleted === false;
  const isDeleted = !row.deleted && deleted === true;
  if (!isRestored && !isDeleted && changes.length === 0 && copies.length === 0) return [];
  if (isRestored) await setTilesDeleted(tx, row.id, false);
  const before = await listAllTiles(tx, row.id);
  if (isRestored)
    await setInsightsDeleted(
      tx,
      before.map(({ insightId }) => insightId),
      false,
      row,
      changer,
    );

  const { access, actor, now } = changer;
  const target = { dashboardId: row.id, projectId: row.projectId, userId: actor.user.id, now };
  const insightIds = await findNamedInsights(
    tx,
    changes.map(({ id, insight }) => (id === undefined || id === null ? (insight ?? undefined) : undefined)),
    { access, actor, projectId: row.projectId },
    (index) => `tiles__${index}__insight`,
  );
  const plan = planTiles(before, changes, (index) => insightIds[index]!);
  const added = await saveTiles(tx, plan, target);
  const copied = await copyInside(tx, before, copies, changer, target);

  if (isDeleted) {
    if (body.delete_insights) await deleteInsightsOnlyHere(tx, row, changer);
    await setTilesDeleted(tx, row.id, true);
  }
  const updated = new Map(plan.updated.map((tile) => [tile.id, tile]));
  const after = before.map((tile) => updated.get(tile.id) ?? tile);
  return tileChanges(before, [...after, ...added, ...copied]);
}

/** Copies live tiles of a dashboard, each at the place and with the look that it is given. */
function copyInside(
  tx: Statements,
  tiles: readonly TileRow[],
  copies: readonly TileCopy[],
  changer: TileChanger,
  target: TileTarget,
): Promise<SavedTile[]> {
  const originals = copies.map(({ id, layouts, color, show_description: showDescription }) => {
    const tile = tiles.find((one) => one.id === id && !one.deleted);
    if (tile === undefined)
      throw fail('invalid_input', {
        attr: 'duplicate_tiles',
        detail: `Tile ${id} is not on this dashboard.`,
      });
    return {
      ...tile,
      ...(layouts ? { layouts: jsonText(layouts) } : {}),
      ...(color === undefined ? {} : { color }),
      ...(showDescription === undefined ? {} : { showDescription }),
    };
  });
  return duplicateTiles(tx, originals, changer, target);
}

/** Deletes the insights that are on no other dashboard, if the actor may edit them. */
async function deleteInsightsOnlyHere(
  tx: Statements,
  row: DashboardRow,
  changer: TileChanger,
): Promise<void> {
  const { access, actor } = changer;
  const ids = (await listInsightsOnlyHere(tx, row.id))
    .filter((insight) => isAtLeast(access.levelOf(actor, row.projectId, 'insight', insight), 'editor'))
    .map(({ id }) => id);
  await setInsightsDeleted(tx, ids, true, row, changer);
}

async function setInsightsDeleted(
  tx: Statements,
  insightIds: readonly (number | null)[],
  deleted: boolean,
  { projectId }: DashboardRow,
  { insights, actor }: TileChanger,
): Promise<void> {
  const ids = insightIds.filter((id) => id !== null);
  if (ids.length > 0) await insights.setDeleted(tx, actor, projectId, ids, deleted);
}
