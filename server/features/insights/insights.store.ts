import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';

export interface InsightRow {
  readonly id: number;
  readonly projectId: number;
  readonly shortId: string;
  readonly name: string | null;
  readonly derivedName: string | null;
  readonly description: string;
  /** JSON of an object. */
  readonly filters: string;
  /** JSON of a node. */
  readonly query: string | null;
  readonly position: number | null;
  /** JSON of a list of texts. */
  readonly tags: string;
  readonly favorited: boolean;
  readonly saved: boolean;
  readonly isSample: boolean;
  readonly deleted: boolean;
  readonly createdBy: number | null;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastModifiedBy: number | null;
  readonly lastModifiedAt: string;
}

/** What a row is made of; times and the id are given by the store. */
export type NewInsightRow = Omit<
  InsightRow,
  'id' | 'createdAt' | 'updatedAt' | 'lastModifiedAt' | 'lastModifiedBy' | 'deleted'
>;

export const INSIGHT = `id, project_id AS "projectId", short_id AS "shortId", name, derived_name AS "derivedName",
  description, filters, query, position, tags, favorited, saved, is_sample AS "isSample", deleted,
  created_by AS "createdBy", created_at AS "createdAt", updated_at AS "updatedAt",
  last_modified_by AS "lastModifiedBy", last_modified_at AS "lastModifiedAt"`;

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

/** An insight by its id or its short id, also a deleted one. */
export function findInsight(
  db: Statements,
  projectId: number,
  key: number | string,
): Promise<InsightRow | null> {
  const column = typeof key === 'number' ? 'id' : 'short_id';
  return db.first<InsightRow>(
    `SELECT ${INSIGHT} FROM insights WHERE project_id = $projectId AND ${column} = $key`,
    { projectId, key },
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
