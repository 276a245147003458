import type { Statements } from '../../../db/db.ts';
import { jsonText } from '../../../lib/json-text.ts';
import type { Override } from './flag-override.ts';

export interface NewOverride extends Override {
  readonly createdBy: number;
  /** Unix milliseconds. */
  readonly now: number;
}

type OverrideRow = Omit<Override, 'value'> & { value: string };

const OVERRIDE = `id, project_id AS "projectId", flag_key AS "flagKey", distinct_id AS "distinctId", value, payload,
  epoch_ms(expires_at) AS "expiresAt"`;

const ROWS = `'[{"id":"UUID","projectId":"INTEGER","flagKey":"VARCHAR","distinctId":"VARCHAR","value":"VARCHAR",
  "payload":"VARCHAR","expiresAt":"BIGINT","createdBy":"INTEGER","now":"BIGINT"}]'`;

/** Every override of every project, also those that have expired. */
export async function listAllOverrides(db: Statements): Promise<Override[]> {
  return (await db.all<OverrideRow>(`SELECT ${OVERRIDE} FROM flag_overrides`)).map(toOverride);
}

/** Overrides of a project by id, by key, by distinct id or all of them; also those that have expired. */
export async function findOverrides(
  db: Statements,
  projectId: number,
  filter: { id?: string | undefined; key?: string | undefined; distinctId?: string | undefined },
): Promise<Override[]> {
  const rows = await db.all<OverrideRow>(
    `SELECT ${OVERRIDE} FROM flag_overrides WHERE project_id = $projectId AND ($id::UUID IS NULL OR id = $id::UUID)
       AND ($key::VARCHAR IS NULL OR flag_key = $key)
       AND ($distinctId::VARCHAR IS NULL OR distinct_id = $distinctId) ORDER BY id`,
    { projectId, id: filter.id ?? null, key: filter.key ?? null, distinctId: filter.distinctId ?? null },
  );
  return rows.map(toOverride);
}

/** How many overrides a project has. */
export async function countOverrides(db: Statements, projectId: number): Promise<number> {
  const row = await db.first<{ count: number }>(
    'SELECT count(*) AS count FROM flag_overrides WHERE project_id = $projectId',
    { projectId },
  );
  return row!.count;
}

/** Takes out what new overrides of these keys, for the same distinct id, are to replace, and what has expired. */
export async function deleteReplaced(
  tx: Statements,
  replaced: { projectId: number; keys: readonly string[]; distinctId: string | null; now: number },
): Promise<void> {
  await tx.run(
    `DELETE FROM flag_overrides WHERE project_id = $projectId AND (expires_at <= epoch_ms($now)
       OR (distinct_id IS NOT DISTINCT FROM $distinctId AND list_contains($keys::VARCHAR[], flag_key)))`,
    replaced,
  );
}

/** Adds overrides, in one statement. */
export async function insertOverrides(tx: Statements, overrides: readonly NewOverride[]): Promise<void> {
  const rows = overrides.map((override) => ({ ...override, value: JSON.stringify(override.value) }));
  await tx.run(
    `INSERT INTO flag_overrides
     SELECT id, "projectId", "flagKey", "distinctId", value, payload, epoch_ms("expiresAt"), "createdBy", epoch_ms(now)
     FROM (SELECT unnest(from_json($rows::JSON, ${ROWS}), recursive := true))`,
    { rows: jsonText(rows) },
  );
}

export async function deleteOverrides(tx: Statements, ids: readonly string[]): Promise<void> {
  await tx.run('DELETE FROM flag_overrides WHERE id IN (SELECT unnest($ids::UUID[]))', { ids });
}

/** Persons of a project by their ids, and distinct ids that may have none. */
export interface Forgotten {
  readonly personIds: readonly number[];
  readonly distinctIds: readonly string[];
}

export async function deleteOverridesOfPersons(
  tx: Statements,
  projectId: number,
  { personIds, distinctIds }: Forgotten,
): Promise<void> {
  await tx.run(
    `DELETE FROM flag_overrides WHERE project_id = $projectId AND (list_contains($distinctIds::VARCHAR[], distinct_id)
       OR distinct_id IN (SELECT distinct_id FROM person_distinct_ids
         WHERE project_id = $projectId AND list_contains($personIds::BIGINT[], person_id)))`,
    { projectId, personIds, distinctIds },
  );
}

function toOverride(row: OverrideRow): Override {
  return { ...row, value: JSON.parse(row.value) as boolean | string };
}
