import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { FlagFilters } from '../../conditions/index.ts';

/** What people set of a flag. */
export interface FlagFields {
  readonly key: string;
  /** What it is for, in words. */
  readonly name: string;
  readonly active: boolean;
  readonly deleted: boolean;
  readonly filters: FlagFilters;
  readonly ensureExperienceContinuity: boolean;
  readonly rollbackConditions: readonly unknown[] | null;
  readonly performedRollback: boolean;
  readonly tags: readonly string[];
  readonly evaluationTags: readonly string[];
  readonly usageDashboard: number | null;
  readonly analyticsDashboards: readonly number[];
  readonly isRemoteConfiguration: boolean;
  readonly hasEncryptedPayloads: boolean;
  readonly hasEnrichedAnalytics: boolean;
  readonly evaluationRuntime: 'all' | 'client' | 'server';
  readonly bucketingIdentifier: 'distinct_id' | 'device_id' | null;
}

export interface Flag extends FlagFields {
  readonly id: number;
  /** Grows with every write of any flag. */
  readonly revision: number;
  readonly projectId: number;
  /** Ids of the flags that its conditions name. */
  readonly dependsOn: readonly number[];
  readonly version: number;
  readonly creationContext: string;
  /** Since when it is active or not and its filters are these; ISO 8601, UTC, as the other times. */
  readonly unchangedSince: string;
  readonly createdBy: number | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastModifiedBy: number | null;
}

type JsonColumn =
  'filters' | 'dependsOn' | 'rollbackConditions' | 'tags' | 'evaluationTags' | 'analyticsDashboards';

/** A flag as the database gives it; what has a shape is JSON text. */
export type FlagRow = Omit<Flag, JsonColumn> & Record<JsonColumn, string>;

/** The columns of a FlagRow. */
export const FLAG = `id, revision, project_id AS "projectId", key, name, active, deleted, filters,
  depends_on AS "dependsOn", version, ensure_experience_continuity AS "ensureExperienceContinuity",
  rollback_conditions AS "rollbackConditions", performed_rollback AS "performedRollback", tags,
  evaluation_tags AS "evaluationTags", usage_dashboard AS "usageDashboard",
  analytics_dashboards AS "analyticsDashboards", is_remote_configuration AS "isRemoteConfiguration",
  has_encrypted_payloads AS "hasEncryptedPayloads", has_enriched_analytics AS "hasEnrichedAnalytics",
  evaluation_runtime AS "evaluationRuntime", bucketing_identifier AS "bucketingIdentifier",
  creation_context AS "creationContext", unchanged_since AS "unchangedSince", created_by AS "createdBy",
  created_at AS "createdAt", updated_at AS "updatedAt", last_modified_by AS "lastModifiedBy"`;

export function toFlag(row: FlagRow): Flag {
  return {
    ...row,
    filters: parseExactly(row.filters) as FlagFilters,
    dependsOn: JSON.parse(row.dependsOn) as number[],
    rollbackConditions: parseExactly(row.rollbackConditions) as unknown[] | null,
    tags: JSON.parse(row.tags) as string[],
    evaluationTags: JSON.parse(row.evaluationTags) as string[],
    analyticsDashboards: JSON.parse(row.analyticsDashboards) as number[],
  };
}
