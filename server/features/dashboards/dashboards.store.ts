import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { RestrictionLevel } from '../access/index.ts';

export type CreationMode = 'default' | 'template' | 'duplicate' | 'unlisted';

export interface DashboardRow {
  readonly id: number;
  readonly projectId: number;
  readonly name: string;
  readonly description: string;
  readonly pinned: boolean;
  /** JSON text of an object, as `variables`. */
  readonly filters: string;
  readonly variables: string;
  /** JSON text of a list of texts. */
  readonly tags: string;
  readonly restrictionLevel: RestrictionLevel;
  readonly creationMode: CreationMode;
  readonly useTemplate: string;
  readonly useDashboard: number | null;
  readonly createdBy: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly deleted: boolean;
}

/** A dashboard to store; the store sets its ID and creation time. */
export type NewDashboard = Omit<DashboardRow, 'id' | 'createdAt'>;

/** Stores a dashboard and returns its id; `now` in Unix milliseconds. */
export async function insertDashboard(tx: Statements, dashboard: NewDashboard, now: number): Promise<number> {
  const row = await tx.first<{ id: number }>(
    `INSERT INTO dashboards (project_id, name, description, pinned, filters, variables, tags, restriction_level,
       creation_mode, use_template, use_dashboard, created_by, created_at, updated_at, deleted)
     VALUES ($projectId, $name, $description, $pinned, $filters, $variables, $tags, $restrictionLevel,
       $creationMode, $useTemplate, $useDashboard, $createdBy, epoch_ms($now), epoch_ms($now), $deleted)
     RETURNING id`,
    { ...dashboard, now },
  );
  return row!.id;
}

/** What a PATCH may change. */
export type DashboardContent = Pick<
  DashboardRow,
  'name' | 'description' | 'pinned' | 'filters' | 'variables' | 'tags' | 'restrictionLevel' | 'deleted'
>;

/** `now` in Unix milliseconds. */
export function updateDashboard(
  tx: Statements,
  id: number,
  content: DashboardContent,
  now: number,
): Promise<void> {
  const { name, description, pinned, filters, variables, tags, restrictionLevel, deleted } = content;
  return tx.run(
    `UPDATE dashboards SET name = $name, description = $description, pinned = $pinned, filters = $filters,
       variables = $variables, tags = $tags, restriction_level = $restrictionLevel, deleted = $deleted,
       updated_at = epoch_ms($now)
     WHERE id = $id`,
    { id, name, description, pinned, filters, variables, tags, restrictionLevel, deleted, now },
  );
}

/** A tile as its row is. */
export interface StoredTile {
  readonly id: number;
  readonly dashboardId: number;
  /** One of both is set. */
  readonly insightId: number | null;
  readonly textId: number | null;
  /** JSON text of an object, as `filtersOverrides`. */
  readonly layouts: string;
  readonly color: string | null;
  readonly deleted: boolean;
  /** null, as in the next two: never said. */
  readonly showDescription: boolean | null;
  readonly filtersOverrides: string | null;
  readonly transparentBackground: boolean | null;
}

const TILES = `(SELECT unnest(from_json($rows::JSON, '[{"id":"INTEGER","dashboardId":"INTEGER","insightId":"INTEGER",
    "textId":"INTEGER","layouts":"VARCHAR","color":"VARCHAR","deleted":"BOOLEAN","showDescription":"BOOLEAN",
    "filtersOverrides":"VARCHAR","transparentBackground":"BOOLEAN"}]'), recursive := true))`;

const SEQUENCES = { tile: 'dashboard_tiles_id', text: 'dashboard_texts_id' } as const;

/** Ids for rows to be stored, so that rows that belong together know each other. */
export async function takeIds(
  tx: Statements,
  kind: keyof typeof SEQUENCES,
  count: number,
): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.all<{ id: number }>(`SELECT nextval('${SEQUENCES[kind]}') AS id FROM range($count)`, {
    count,
  });
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** Stores tiles in one statement; `now` in Unix milliseconds. */
export async function insertTiles(tx: Statements, tiles: readonly StoredTile[], now: number): Promise<void> {
  if (tiles.length === 0) return;
  await tx.run(
    `INSERT INTO dashboard_tiles (id, dashboard_id, insight_id, text_id, layouts, color, deleted, show_description,
       filters_overrides, transparent_background, created_at)
     SELECT id, "dashboardId", "insightId", "textId", layouts, color, deleted, "showDescription",
       "filtersOverrides", "transparentBackground", epoch_ms($now)
     FROM ${TILES}`,
    { rows: rowsOf(tiles), now },
  );
}

/** Writes what may change of tiles, in one statement. */
export async function updateTiles(tx: Statements, tiles: readonly StoredTile[]): Promise<void> {
  if (tiles.length === 0) return;
  await tx.run(
    `UPDATE dashboard_tiles SET dashboard_id = r."dashboardId", layouts = r.layouts, color = r.color,
       deleted = r.deleted, show_description = r."showDescription", filters_overrides = r."filtersOverrides",
       transparent_background = r."transparentBackground"
     FROM ${TILES} r WHERE dashboard_tiles.id = r.id`,
    { rows: rowsOf(tiles) },
  );
}

/** Removes all tiles of a dashboard softly, or brings them all back. */
export function setTilesDeleted(tx: Statements, dashboardId: number, deleted: boolean): Promise<void> {
  return tx.run('UPDATE dashboard_tiles SET deleted = $deleted WHERE dashboard_id = $dashboardId', {
    dashboardId,
    deleted,
  });
}

/** Removes some tiles softly, or brings them back. */
export async function setSomeTilesDeleted(
  tx: Statements,
  ids: readonly number[],
  deleted: boolean,
): Promise<void> {
  if (ids.length === 0) return;
  await tx.run('UPDATE dashboard_tiles SET deleted = $deleted WHERE list_contains($ids, id)', {
    ids,
    deleted,
  });
}

/** Deletes the row of a tile. */
export function deleteTile(tx: Statements, id: number): Promise<void> {
  return tx.run('DELETE FROM dashboard_tiles WHERE id = $id', { id });
}

export interface TextBody {
  readonly id: number;
  readonly body: string;
}

const TEXTS = `(SELECT unnest(from_json($rows::JSON, '[{"id":"INTEGER","body":"VARCHAR"}]'), recursive := true))`;

/** Stores texts in one statement; `now` in Unix milliseconds, `userId` null for texts of a template. */
export async function insertTexts(
  tx: Statements,
  texts: readonly TextBody[],
  { projectId, userId, now }: { projectId: number; userId: number | null; now: number },
): Promise<void> {
  if (texts.length === 0) return;
  await tx.run(
    `INSERT INTO dashboard_texts (id, project_id, body, created_by, last_modified_by, last_modified_at)
     SELECT id, $projectId, body, $userId, $userId, epoch_ms($now) FROM ${TEXTS}`,
    { rows: rowsOf(texts), projectId, userId, now },
  );
}

/** Changes texts in one statement; `now` in Unix milliseconds. */
export async function updateTexts(
  tx: Statements,
  texts: readonly TextBody[],
  { userId, now }: { userId: number; now: number },
): Promise<void> {
  if (texts.length === 0) return;
  await tx.run(
    `UPDATE dashboard_texts SET body = r.body, last_modified_by = $userId, last_modified_at = epoch_ms($now)
     FROM ${TEXTS} r WHERE dashboard_texts.id = r.id`,
    { rows: rowsOf(texts), userId, now },
  );
}

function rowsOf(rows: readonly unknown[]): string {
  return jsonText(rows);
}
