import type { Statements } from '../../db/db.ts';
import { jsonText } from '../../lib/json-text.ts';
import { FLAG, toFlag, type Flag, type FlagFields, type FlagRow } from './flag-row.ts';

/** Also one that is deleted; null when the project has none with this id. */
export async function findFlag(db: Statements, projectId: number, id: number): Promise<Flag | null> {
  const row = await db.first<FlagRow>(
    `SELECT ${FLAG} FROM feature_flags WHERE id = $id AND project_id = $projectId`,
    { id, projectId },
  );
  return row === null ? null : toFlag(row);
}

/** The id of the project's live flag of this key, or null. */
export async function findLiveFlagByKey(
  db: Statements,
  projectId: number,
  key: string,
): Promise<number | null> {
  const row = await db.first<{ id: number }>(
    'SELECT id FROM feature_flags WHERE project_id = $projectId AND key = $key AND NOT deleted',
    { projectId, key },
  );
  return row?.id ?? null;
}

/** Flags of all projects that were written after a revision, deleted ones too, in the order of their writing. */
export async function listFlagsSince(db: Statements, revision: number): Promise<Flag[]> {
  const rows = await db.all<FlagRow>(
    `SELECT ${FLAG} FROM feature_flags WHERE revision > $revision ORDER BY revision`,
    { revision },
  );
  return rows.map(toFlag);
}

/** Removes the deleted flags of a key for good, so that the key has one flag again. */
export async function removeDeletedFlags(tx: Statements, projectId: number, key: string): Promise<void> {
  await tx.run('DELETE FROM feature_flags WHERE project_id = $projectId AND key = $key AND deleted', {
    projectId,
    key,
  });
}

/** What is written beside the fields that people set. */
interface Writing {
  readonly dependsOn: readonly number[];
  /** Id of the user who writes. */
  readonly userId: number;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Its first version is 1. */
export async function insertFlag(
  tx: Statements,
  flag: FlagFields & Writing & { readonly projectId: number; readonly creationContext: string },
): Promise<Flag> {
  const row = await tx.first<FlagRow>(
    `INSERT INTO feature_flags (revision, project_id, key, name, active, deleted, filters, depends_on, version,
       ensure_experience_continuity, rollback_conditions, performed_rollback, tags, evaluation_tags, usage_dashboard,
       analytics_dashboards, is_remote_configuration, has_encrypted_payloads, has_enriched_analytics,
       evaluation_runtime, bucketing_identifier, creation_context, unchanged_since, created_by, created_at,
       updated_at, last_modified_by)
     VALUES (nextval('feature_flags_revision'), $projectId, $key, $name, $active, $deleted, $filters, $dependsOn, 1,
       $ensureExperienceContinuity, $rollbackConditions, $performedRollback, $tags, $evaluationTags, $usageDashboard,
       $analyticsDashboards, $isRemoteConfiguration, $hasEncryptedPayloads, $hasEnrichedAnalytics,
       $evaluationRuntime, $bucketingIdentifier, $creationContext, epoch_ms($now), $userId, epoch_ms($now),
       epoch_ms($now), $userId)
     RETURNING ${FLAG}`,
    { ...paramsOf(flag), projectId: flag.projectId, creationContext: flag.creationContext },
  );
  return toFlag(row!);
}

/** Its version grows by 1. `isChanged`: it is switched, or means something else, from now on. */
export async function updateFlag(
  tx: Statements,
  flag: FlagFields & Writing & { readonly id: number; readonly isChanged: boolean },
): Promise<Flag> {
  const row = await tx.first<FlagRow>(
    `UPDATE feature_flags SET revision = nextval('feature_flags_revision'), key = $key, name = $name,
       active = $active, deleted = $deleted, filters = $filters, depends_on = $dependsOn, version = version + 1,
       ensure_experience_continuity = $ensureExperienceContinuity, rollback_conditions = $rollbackConditions,
       performed_rollback = $performedRollback, tags = $tags, evaluation_tags = $evaluationTags,
       usage_dashboard = $usageDashboard, analytics_dashboards = $analyticsDashboards,
       is_remote_configuration = $isRemoteConfiguration, has_encrypted_payloads = $hasEncryptedPayloads,
       has_enriched_analytics = $hasEnrichedAnalytics, evaluation_runtime = $evaluationRuntime,
       bucketing_identifier = $bucketingIdentifier,
       unchanged_since = CASE WHEN $isChanged THEN epoch_ms($now) ELSE unchanged_since END,
       updated_at = epoch_ms($now), last_modified_by = $userId
     WHERE id = $id RETURNING ${FLAG}`,
    { ...paramsOf(flag), id: flag.id, isChanged: flag.isChanged },
  );
  return toFlag(row!);
}

function paramsOf(flag: FlagFields & Writing) {
  return {
    key: flag.key,
    name: flag.name,
    active: flag.active,
    deleted: flag.deleted,
    filters: jsonText(flag.filters),
    dependsOn: jsonText(flag.dependsOn),
    ensureExperienceContinuity: flag.ensureExperienceContinuity,
    rollbackConditions: jsonText(flag.rollbackConditions),
    performedRollback: flag.performedRollback,
    tags: jsonText(flag.tags),
    evaluationTags: jsonText(flag.evaluationTags),
    usageDashboard: flag.usageDashboard,
    analyticsDashboards: jsonText(flag.analyticsDashboards),
    isRemoteConfiguration: flag.isRemoteConfiguration,
    hasEncryptedPayloads: flag.hasEncryptedPayloads,
    hasEnrichedAnalytics: flag.hasEnrichedAnalytics,
    evaluationRuntime: flag.evaluationRuntime,
    bucketingIdentifier: flag.bucketingIdentifier,
    userId: flag.userId,
    now: flag.now,
  };
}
