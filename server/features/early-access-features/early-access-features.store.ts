import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';
import {
  FEATURE,
  toFeature,
  type EarlyAccessFeature,
  type FeatureFields,
  type FeatureRow,
} from './feature-row.ts';

/** Null when the project has none with this id. */
export async function findFeature(
  db: Statements,
  projectId: number,
  id: string,
): Promise<EarlyAccessFeature | null> {
  const row = await db.first<FeatureRow>(
    `SELECT ${FEATURE} FROM early_access_features e WHERE e.id = $id::UUID AND e.project_id = $projectId`,
    { id, projectId },
  );
  return row === null ? null : toFeature(row);
}

/** The name of the feature that a flag belongs to, or null. */
export async function findFeatureNameOfFlag(
  db: Statements,
  projectId: number,
  flagId: number,
): Promise<string | null> {
  const row = await db.first<{ name: string }>(
    'SELECT name FROM early_access_features WHERE project_id = $projectId AND feature_flag_id = $flagId',
    { projectId, flagId },
  );
  return row?.name ?? null;
}

/** `now` in Unix milliseconds. */
export async function insertFeature(
  tx: Statements,
  feature: FeatureFields & {
    id: string;
    projectId: number;
    featureFlagId: number;
    createdBy: number;
    now: number;
  },
): Promise<EarlyAccessFeature> {
  await tx.run(
    `INSERT INTO early_access_features (id, project_id, name, description, stage, documentation_url, payload,
       feature_flag_id, created_by, created_at, updated_at)
     VALUES ($id::UUID, $projectId, $name, $description, $stage, $documentationUrl, $payload, $featureFlagId, $createdBy,
       epoch_ms($now), epoch_ms($now))`,
    { ...feature, payload: jsonText(feature.payload) },
  );
  return (await findFeature(tx, feature.projectId, feature.id))!;
}

/** `now` in Unix milliseconds. */
export async function updateFeature(
  tx: Statements,
  { payload, ...feature }: FeatureFields & { id: string; projectId: number; now: number },
): Promise<EarlyAccessFeature> {
  await tx.run(
    `UPDATE early_access_features SET name = $name, description = $description, stage = $stage,
       documentation_url = $documentationUrl, payload = $payload, updated_at = epoch_ms($now)
     WHERE id = $id::UUID AND project_id = $projectId`,
    { ...feature, payload: jsonText(payload) },
  );
  return (await findFeature(tx, feature.projectId, feature.id))!;
}

export async function deleteFeature(tx: Statements, id: string): Promise<void> {
  await tx.run('DELETE FROM early_access_features WHERE id = $id::UUID', { id });
}
