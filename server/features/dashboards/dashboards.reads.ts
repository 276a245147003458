import type { Param, Statements } from '../../db/db.ts';
import type { Slice } from '../../db/select-page.ts';
import type { PrivilegeLevel, RestrictionLevel } from '../access/index.ts';
import type { Placement } from '../insights/index.ts';
import type { DashboardRow, StoredTile } from './dashboards.store.ts';
import type { KnownVariable } from './latest-variables.ts';

/** A dashboard with joined data, in one row. */
export interface SeenDashboard extends DashboardRow {
  readonly isShared: boolean;
  /** Privilege of the caller; null: no collaborator. */
  readonly collaboratorLevel: PrivilegeLevel | null;
}

/** The caller and the time (Unix milliseconds), since links may expire. */
export interface Asker {
  readonly userId: number;
  readonly now: number;
}

/** Filters of a list; null and empty: no filter. */
export interface DashboardFilter {
  /** Any of them. */
  readonly tags: readonly string[];
  readonly creationMode: string | null;
  readonly excludeGenerated: boolean;
  /** Part of name or description. */
  readonly search: string | null;
  readonly pinned: boolean | null;
}

/** Dashboards visible to the caller, besides its own. */
export interface Visibility {
  readonly byDefault: boolean;
  readonly exceptions: readonly number[];
}

/** Names that PostHog gives to dashboards which it makes for its own screens. */
const GENERATED = 'Generated Dashboard';

export const DASHBOARD = `id, project_id AS "projectId", name, description, pinned, filters, variables, tags,
  restriction_level AS "restrictionLevel", creation_mode AS "creationMode", use_template AS "useTemplate",
  use_dashboard AS "useDashboard", created_by AS "createdBy", created_at AS "createdAt", deleted`;

/** Links that are on, ended ones too, while links are on for this machine. */
const LINKS = `FROM sharing_configurations
  WHERE enabled AND NOT EXISTS (FROM server_settings WHERE name = 'sharing_off' AND value <> 'false')`;

/** Those that have not ended. Needs $now. */
const OPEN_LINKS = `${LINKS} AND (expires_at IS NULL OR expires_at > epoch_ms($now))`;

/** A dashboard of a project, also a deleted one, or null. */
export async function findDashboard(
  statements: Statements,
  projectId: number,
  id: number,
  { userId, now }: Asker,
): Promise<SeenDashboard | null> {
  type Found = Omit<SeenDashboard, 'isShared'> & { endlessLinks: number; lastEnd: number | null };
  const found = await statements.first<Found>(
    // Joined to totals of one row each, which DuckDB plans in half the time of subqueries in the SELECT.
    `SELECT ${DASHBOARD}, "endlessLinks", "lastEnd", level AS "collaboratorLevel"
     FROM dashboards,
       (SELECT count(*) FILTER (expires_at IS NULL) AS "endlessLinks", epoch_ms(max(expires_at)) AS "lastEnd"
        ${LINKS} AND dashboard_id = $id),
       (SELECT any_value(level) AS level FROM dashboard_collaborators WHERE dashboard_id = $id AND user_id = $userId)
     WHERE project_id = $projectId AND id = $id`,
    { projectId, id, userId },
  );
  if (found === null) return null;
  const { endlessLinks, lastEnd, ...row } = found;
  return { ...row, isShared: endlessLinks > 0 || (lastEnd !== null && lastEnd > now) };
}

/** A page of live dashboards, pinned ones first, then by name; and how many there are in all. At most two statements. */
export async function listDashboards(
  statements: Statements,
  projectId: number,
  filter: DashboardFilter,
  visibility: Visibility,
  asker: Asker,
  { limit, offset }: Slice,
): Promise<{ rows: SeenDashboard[]; count: number }> {
  const { where, params } = conditionOf(projectId, filter, visibility, asker.userId);
  const rows = await statements.all<SeenDashboard & { count: number }>(
    `SELECT d.*, coalesce(d.id IN (SELECT dashboard_id ${OPEN_LINKS} AND dashboard_id IS NOT NULL), false) AS "isShared",
       c.level AS "collaboratorLevel"
     FROM (SELECT ${DASHBOARD}, count(*) OVER () AS count FROM dashboards WHERE ${where}
       ORDER BY pinned DESC, name, id LIMIT ${limit} OFFSET ${offset}) d
     LEFT JOIN dashboard_collaborators c ON c.dashboard_id = d.id AND c.user_id = $userId
     ORDER BY d.pinned DESC, d.name, d.id`,
    { ...params, ...asker },
  );
  const [first] = rows;
  if (first !== undefined || offset === 0) return { rows, count: first?.count ?? 0 };
  // A page beyond the last has no row with the count.
  const counted = await statements.first<{ count: number }>(
    `SELECT count(*) AS count FROM dashboards WHERE ${where}`,
    params,
  );
  return { rows, count: counted!.count };
}

/** More tiles than these have no preview. */
const MAX_PREVIEWED = 10_000;

/** The layouts of the tiles on all listed dashboards, as JSON text, in order of their creation. */
export function listTileLayouts(
  statements: Statements,
  projectId: number,
  visibility: Visibility,
  userId: number,
): Promise<{ dashboardId: number; layouts: string }[]> {
  const { where, params } = conditionOf(projectId, EVERY_DASHBOARD, visibility, userId);
  return statements.all(
    `SELECT dashboard_id AS "dashboardId", layouts FROM dashboard_tiles
     WHERE NOT deleted AND dashboard_id IN (SELECT id FROM dashboards WHERE ${where})
     ORDER BY id LIMIT ${MAX_PREVIEWED}`,
    params,
  );
}

const EVERY_DASHBOARD: DashboardFilter = {
  tags: [],
  creationMode: null,
  excludeGenerated: false,
  search: null,
  pinned: null,
};

function conditionOf(
  projectId: number,
  { tags, creationMode, excludeGenerated, search, pinned }: DashboardFilter,
  { byDefault, exceptions }: Visibility,
  userId: number,
): { where: string; params: Record<string, Param> } {
  const conditions = [
    'project_id = $projectId AND NOT deleted',
    '(created_by = $userId OR list_contains($exceptions::BIGINT[], id) <> $byDefault)',
  ];
  const params: Record<string, Param> = { projectId, userId, exceptions, byDefault };
  if (tags.length > 0) {
    conditions.push(`list_has_any(from_json(tags, '["VARCHAR"]'), $tags::VARCHAR[])`);
    params['tags'] = tags;
  }
  conditions.push(creationMode === null ? `creation_mode <> 'unlisted'` : 'creation_mode = $creationMode');
  if (creationMode !== null) params['creationMode'] = creationMode;
  if (excludeGenerated) conditions.push(`NOT starts_with(name, '${GENERATED}')`);
  if (search !== null) {
    conditions.push(
      '(contains(lower(name), lower($search)) OR contains(lower(description), lower($search)))',
    );
    params['search'] = search;
  }
  if (pinned !== null) {
    conditions.push('pinned = $pinned');
    params['pinned'] = pinned;
  }
  return { where: conditions.join(' AND '), params };
}

/** A tile with its text; text columns are null for insights. */
export interface TileRow extends StoredTile {
  readonly body: string | null;
  readonly textCreatedBy: number | null;
  readonly textModifiedBy: number | null;
  /** ISO 8601, UTC. */
  readonly textModifiedAt: string | null;
}

const TILES = `SELECT t.id, t.dashboard_id AS "dashboardId", t.insight_id AS "insightId", t.text_id AS "textId", t.layouts,
    t.color, t.deleted, t.show_description AS "showDescription", t.filters_overrides AS "filtersOverrides",
    t.transparent_background AS "transparentBackground", x.body, x.created_by AS "textCreatedBy",
    x.last_modified_by AS "textModifiedBy", x.last_modified_at AS "textModifiedAt"
  FROM dashboard_tiles t LEFT JOIN dashboard_texts x ON x.id = t.text_id
  WHERE t.dashboard_id = $dashboardId`;

/** The tiles of a dashboard that were not removed, in order of their creation. */
export function listTiles(statements: Statements, dashboardId: number): Promise<TileRow[]> {
  return statements.all<TileRow>(`${TILES} AND NOT t.deleted ORDER BY t.id`, { dashboardId });
}

/** Its removed tiles too. */
export function listAllTiles(statements: Statements, dashboardId: number): Promise<TileRow[]> {
  return statements.all<TileRow>(`${TILES} ORDER BY t.id`, { dashboardId });
}

/** The creator of an insight, for access rules. */
export interface InsightOwner {
  readonly id: number;
  readonly shortId: string;
  readonly createdBy: number | null;
}

/** Live insights of a project that a client named by id or short id. */
export function listNamedInsights(
  statements: Statements,
  projectId: number,
  ids: readonly number[],
  shortIds: readonly string[],
): Promise<InsightOwner[]> {
  return statements.all<InsightOwner>(
    `SELECT id, short_id AS "shortId", created_by AS "createdBy" FROM insights
     WHERE project_id = $projectId AND NOT deleted
       AND (list_contains($ids::BIGINT[], id) OR list_contains($shortIds::VARCHAR[], short_id))`,
    { projectId, ids, shortIds },
  );
}

/** Live insights that are on no other live dashboard. */
export function listInsightsOnlyHere(statements: Statements, dashboardId: number): Promise<InsightOwner[]> {
  return statements.all<InsightOwner>(
    `SELECT i.id, i.short_id AS "shortId", i.created_by AS "createdBy"
     FROM dashboard_tiles t JOIN dashboards d ON d.id = t.dashboard_id JOIN insights i ON i.id = t.insight_id
     WHERE NOT t.deleted AND NOT i.deleted AND (NOT d.deleted OR d.id = $dashboardId)
     GROUP BY ALL HAVING bool_and(t.dashboard_id = $dashboardId)`,
    { dashboardId },
  );
}

/** A current or new dashboard of an insight. */
export interface InsightPlace {
  readonly dashboardId: number;
  readonly restrictionLevel: RestrictionLevel;
  readonly createdBy: number | null;
  readonly collaboratorLevel: PrivilegeLevel | null;
  /** Its tile of the insight; null: it never had one. */
  readonly tileId: number | null;
  readonly isLive: boolean;
}

/** The live dashboards of a project that have a tile of the insight, removed or not, and those named. */
export function listInsightPlaces(
  statements: Statements,
  projectId: number,
  insightId: number,
  { userId, dashboardIds }: { userId: number; dashboardIds: readonly number[] },
): Promise<InsightPlace[]> {
  return statements.all<InsightPlace>(
    `SELECT d.id AS "dashboardId", d.restriction_level AS "restrictionLevel", d.created_by AS "createdBy",
       c.level AS "collaboratorLevel", t.id AS "tileId", coalesce(NOT t.deleted, false) AS "isLive"
     FROM dashboards d
     LEFT JOIN dashboard_tiles t ON t.dashboard_id = d.id AND t.insight_id = $insightId
     LEFT JOIN dashboard_collaborators c ON c.dashboard_id = d.id AND c.user_id = $userId
     WHERE d.project_id = $projectId AND NOT d.deleted
       AND (t.id IS NOT NULL OR list_contains($dashboardIds::BIGINT[], d.id))
     ORDER BY d.id`,
    { projectId, insightId, userId, dashboardIds },
  );
}

type InsightPlacement = Placement & { readonly insightId: number };

/** Live tiles of live dashboards in order of their creation, for insights that `wanted` selects. */
function placementsOf(insightIds: string): string {
  return `SELECT t.insight_id AS "insightId", t.id AS "tileId", d.id AS "dashboardId",
      d.restriction_level AS "restrictionLevel", d.created_by AS "dashboardCreatedBy", c.level AS "collaboratorLevel"
    FROM dashboard_tiles t
    JOIN dashboards d ON d.id = t.dashboard_id
    LEFT JOIN dashboard_collaborators c ON c.dashboard_id = d.id AND c.user_id = $userId
    WHERE t.insight_id IN (${insightIds}) AND NOT t.deleted AND NOT d.deleted ORDER BY t.id`;
}

/** The dashboards of these insights. */
export function listPlacements(
  statements: Statements,
  userId: number,
  insightIds: readonly number[],
): Promise<InsightPlacement[]> {
  return statements.all<InsightPlacement>(placementsOf('SELECT unnest($insightIds::BIGINT[])'), {
    insightIds,
    userId,
  });
}

/** All dashboards of the insights of a dashboard. */
export function listPlacementsOnDashboard(
  statements: Statements,
  userId: number,
  dashboardId: number,
): Promise<InsightPlacement[]> {
  const insightIds =
    'SELECT insight_id FROM dashboard_tiles WHERE dashboard_id = $dashboardId AND NOT deleted';
  return statements.all<InsightPlacement>(placementsOf(insightIds), { userId, dashboardId });
}

interface InsightView {
  color: string | null;
  layouts: string;
  filtersOverrides: string | null;
  filters: string;
  variables: string;
}

/** How a live dashboard shows an insight; objects as JSON text. */
export function findInsightOnDashboard(
  statements: Statements,
  projectId: number,
  insightId: number,
  dashboardId: number,
): Promise<InsightView | null> {
  return statements.first(
    `SELECT t.color, t.layouts, t.filters_overrides AS "filtersOverrides", d.filters, d.variables
     FROM dashboard_tiles t JOIN dashboards d ON d.id = t.dashboard_id
     WHERE d.project_id = $projectId AND d.id = $dashboardId AND t.insight_id = $insightId
       AND NOT t.deleted AND NOT d.deleted`,
    { projectId, insightId, dashboardId },
  );
}

/** The variables that a project has now. */
export function listKnownVariables(statements: Statements, projectId: number): Promise<KnownVariable[]> {
  return statements.all<KnownVariable>(
    'SELECT id, code_name AS "codeName" FROM insight_variables WHERE project_id = $projectId',
    { projectId },
  );
}
