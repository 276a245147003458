import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import { dashboardLevels, type Access } from '../access/index.ts';
import type { InsightPlacements, Placement } from '../insights/index.ts';
import {
  findInsightOnDashboard,
  listInsightPlaces,
  listKnownVariables,
  listPlacements,
  type InsightPlace,
} from './dashboards.reads.ts';
import { insertTiles, setSomeTilesDeleted, takeIds } from './dashboards.store.ts';
import { latestVariables } from './latest-variables.ts';
import { BARE_TILE } from './plan-tiles.ts';

type Json = Record<string, unknown>;

/** A tile's own dates replace those of its dashboard as a pair: an end without its start would be another range. */
export function filtersOfTile(filters: Json, own: Json): Json {
  if ((own['date_from'] ?? own['date_to'] ?? null) === null) return { ...filters, ...own };
  const { date_from: _from, date_to: _to, explicitDate: _exact, ...rest } = filters;
  return { ...rest, ...own };
}

/** The dashboards of insights, for the insights feature. */
export function createInsightPlacements({ access }: { access: Access }): InsightPlacements {
  /** Throws access_level, not_editable. */
  function checkEdit(actor: Actor, projectId: number, place: InsightPlace): void {
    const { dashboardId: id, createdBy } = place;
    access.check(actor, projectId, 'dashboard', { id, createdBy }, 'editor');
    const projectLevel = access.projectLevel(actor, projectId);
    if (!dashboardLevels(place, { userId: actor.user.id, projectLevel }).canEdit) throw fail('not_editable');
  }

  return {
    of: async (statements, userId, insightIds) =>
      insightIds.length === 0
        ? new Map()
        : placementsByInsight(await listPlacements(statements, userId, insightIds)),
    async set(tx, actor, projectId, insightId, dashboardIds, now) {
      const places = await listInsightPlaces(tx, projectId, insightId, {
        userId: actor.user.id,
        dashboardIds,
      });
      const selected = new Set(dashboardIds);
      const missing = dashboardIds.find((id) => !places.some(({ dashboardId }) => dashboardId === id));
      if (missing !== undefined)
        throw fail('invalid_input', { attr: 'dashboards', detail: `Dashboard ${missing} does not exist.` });
      const changed = places.filter((place) => place.isLive !== selected.has(place.dashboardId));
      for (const place of changed) checkEdit(actor, projectId, place);
      const tilesOf = (isLive: boolean) =>
        changed.flatMap((place) => (place.tileId !== null && place.isLive === isLive ? [place.tileId] : []));
      await setSomeTilesDeleted(tx, tilesOf(true), true);
      await setSomeTilesDeleted(tx, tilesOf(false), false);
      const fresh = changed.filter(({ tileId }) => tileId === null);
      const ids = await takeIds(tx, 'tile', fresh.length);
      const tiles = fresh.map(({ dashboardId }, index) => ({
        ...BARE_TILE,
        id: ids[index]!,
        dashboardId,
        insightId,
        textId: null,
        deleted: false,
      }));
      await insertTiles(tx, tiles, now);
    },
    async onDashboard(statements, projectId, insightId, dashboardId) {
      const row = await findInsightOnDashboard(statements, projectId, insightId, dashboardId);
      if (row === null) return null;
      const own = row.filtersOverrides === null ? {} : (JSON.parse(row.filtersOverrides) as Json);
      const variables = JSON.parse(row.variables) as Json;
      const isBare = Object.keys(variables).length === 0;
      return {
        color: row.color,
        layouts: JSON.parse(row.layouts) as Json,
        filters: filtersOfTile(JSON.parse(row.filters) as Json, own),
        variables: isBare
          ? variables
          : latestVariables(variables, await listKnownVariables(statements, projectId)),
      };
    },
  };
}

/** Rows by the insight that they place, in their order. */
export function placementsByInsight(
  rows: readonly (Placement & { readonly insightId: number })[],
): ReadonlyMap<number, readonly Placement[]> {
  const placements = new Map<number, Placement[]>();
  for (const { insightId, ...placement } of rows) {
    const others = placements.get(insightId);
    if (others === undefined) placements.set(insightId, [placement]);
    else others.push(placement);
  }
  return placements;
}
