import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';
import { INSIGHT, type InsightRow, type NewInsightRow } from './insight-row.ts';

const NEW_ROWS = `'[{"projectId":"INTEGER","shortId":"VARCHAR","name":"VARCHAR","derivedName":"VARCHAR",
  "description":"VARCHAR","filters":"VARCHAR","query":"VARCHAR","position":"INTEGER","tags":"VARCHAR",
  "favorited":"BOOLEAN","saved":"BOOLEAN","isSample":"BOOLEAN","createdBy":"INTEGER"}]'`;

/** Stores insights in their order, in one statement; `now` in Unix milliseconds. */
export async function insertInsights(
  tx: Statements,
  insights: readonly NewInsightRow[],
  now: number,
): Promise<InsightRow[]> {
  if (insights.length === 0) return [];
  const rows = await tx.all<InsightRow>(
    `INSERT INTO insights (project_id, short_id, name, derived_name, description, filters, query, position, tags,
       favorited, saved, is_sample, deleted, created_by, created_at, updated_at, last_modified_by, last_modified_at)
     SELECT "projectId", "shortId", name, "derivedName", description, filters, query, position, tags,
       favorited, saved, "isSample", false, "createdBy", epoch_ms($now), epoch_ms($now), "createdBy", epoch_ms($now)
     FROM (SELECT unnest(from_json($rows::JSON, ${NEW_ROWS}), recursive := true))
     RETURNING ${INSIGHT}`,
    { rows: jsonText(insights), now },
  );
  return rows.sort((a, b) => a.id - b.id);
}

/** Insights of a project by their ids, deleted ones too, in no order. */
export async function listInsightsById(
  db: Statements,
  projectId: number,
  ids: readonly number[],
): Promise<InsightRow[]> {
  if (ids.length === 0) return [];
  return db.all<InsightRow>(
    `SELECT ${INSIGHT} FROM insights WHERE project_id = $projectId AND list_contains($ids, id)`,
    { projectId, ids },
  );
}

/** An insight by ID or short ID, also a deleted one; the ID takes precedence. */
export function findInsight(
  db: Statements,
  projectId: number,
  { id, shortId }: { id: number; shortId: string },
): Promise<InsightRow | null> {
  return db.first<InsightRow>(
    `SELECT ${INSIGHT} FROM insights WHERE project_id = $projectId AND (id = $id OR short_id = $shortId)
     ORDER BY id = $id DESC LIMIT 1`,
    { projectId, id, shortId },
  );
}

/** Writes everything that may change of an insight; `now` in Unix milliseconds. */
export async function updateInsight(
  tx: Statements,
  row: InsightRow,
  { now, modifiedBy }: { now: number; modifiedBy: number | null },
): Promise<InsightRow> {
  const { id, name, derivedName, description, filters, query, position, tags, favorited, saved, deleted } =
    row;
  const content = { name, derivedName, description, filters, query, position, tags, favorited, saved };
  const isModified = modifiedBy !== null;
  const changed = await tx.first<InsightRow>(
    `UPDATE insights SET name = $name, derived_name = $derivedName, description = $description, filters = $filters,
       query = $query, position = $position, tags = $tags, favorited = $favorited, saved = $saved, deleted = $deleted,
       is_sample = false, updated_at = epoch_ms($now)
       ${isModified ? ', last_modified_at = epoch_ms($now), last_modified_by = $modifiedBy' : ''}
     WHERE id = $id RETURNING ${INSIGHT}`,
    { id, ...content, deleted, now, ...(isModified ? { modifiedBy } : {}) },
  );
  return changed!;
}

/** Deletes insights softly, or brings them back; returns those that changed. `now` in Unix milliseconds. */
export async function setInsightsDeleted(
  tx: Statements,
  {
    projectId,
    ids,
    deleted,
    now,
  }: { projectId: number; ids: readonly number[]; deleted: boolean; now: number },
): Promise<InsightRow[]> {
  if (ids.length === 0) return [];
  return tx.all<InsightRow>(
    `UPDATE insights SET deleted = $deleted, updated_at = epoch_ms($now)
     WHERE project_id = $projectId AND list_contains($ids, id) AND deleted <> $deleted
     RETURNING ${INSIGHT}`,
    { projectId, ids, deleted, now },
  );
}

/** Records a view of an insight; `now` in Unix milliseconds. */
export async function saveView(
  tx: Statements,
  view: { projectId: number; insightId: number; userId: number; now: number },
): Promise<void> {
  const { projectId, insightId, userId, now } = view;
  const seen = await tx.first(
    `UPDATE insight_views SET viewed_at = epoch_ms($now) WHERE insight_id = $insightId AND user_id = $userId
     RETURNING insight_id`,
    { insightId, userId, now },
  );
  if (seen !== null) return;
  await tx.run(`INSERT INTO insight_views VALUES ($projectId, $insightId, $userId, epoch_ms($now))`, {
    projectId,
    insightId,
    userId,
    now,
  });
}
