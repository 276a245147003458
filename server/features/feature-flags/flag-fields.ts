import { fail } from '../../errors.ts';
import type { FlagFilters } from '../../conditions/index.ts';
import type { UpdateFlagBody } from './feature-flags.contract.ts';
import type { FlagFields } from './flag-row.ts';
import { REDACTED_PAYLOAD, shownFilters } from './minimal-flag.ts';
import { readFilters } from './read-filters.ts';

const ENROLLMENT = '$feature_enrollment/';

/** What a flag is of which nothing was said. */
export const NEW_FLAG: Omit<FlagFields, 'key'> = {
  name: '',
  active: true,
  deleted: false,
  filters: { groups: [{ properties: [], rollout_percentage: null }] },
  ensureExperienceContinuity: false,
  rollbackConditions: null,
  performedRollback: false,
  tags: [],
  evaluationTags: [],
  usageDashboard: null,
  analyticsDashboards: [],
  isRemoteConfiguration: false,
  hasEncryptedPayloads: false,
  hasEnrichedAnalytics: false,
  evaluationRuntime: 'all',
  bucketingIdentifier: null,
};

/**
 * What the body says, and the rest as it was. Throws invalid_input for invalid evaluation tags, and what
 * `readFilters` throws; conflicts of the result with other flags are checked elsewhere.
 */
export function fieldsOf(old: FlagFields, body: UpdateFlagBody): FlagFields {
  const key = body.key ?? old.key;
  const tags = body.tags ?? old.tags;
  const filters = withKey(withSecrets(filtersOf(old.filters, body), old.filters), old.key, key);
  return {
    key,
    name: body.name ?? old.name,
    active: body.active ?? old.active,
    deleted: body.deleted ?? old.deleted,
    filters,
    ensureExperienceContinuity: body.ensure_experience_continuity ?? old.ensureExperienceContinuity,
    rollbackConditions:
      body.rollback_conditions === undefined ? old.rollbackConditions : body.rollback_conditions,
    // Who switches it on has seen why it was rolled back.
    performedRollback: body.active === true ? false : (body.performed_rollback ?? old.performedRollback),
    tags,
    evaluationTags: evaluationTagsOf(old.evaluationTags, body.evaluation_tags, tags),
    usageDashboard: old.usageDashboard,
    analyticsDashboards:
      body.analytics_dashboards === undefined
        ? old.analyticsDashboards
        : [...new Set(body.analytics_dashboards)],
    isRemoteConfiguration: body.is_remote_configuration ?? old.isRemoteConfiguration,
    hasEncryptedPayloads: body.has_encrypted_payloads ?? old.hasEncryptedPayloads,
    hasEnrichedAnalytics: body.has_enriched_analytics ?? old.hasEnrichedAnalytics,
    evaluationRuntime: body.evaluation_runtime ?? old.evaluationRuntime,
    bucketingIdentifier:
      body.bucketing_identifier === undefined ? old.bucketingIdentifier : body.bucketing_identifier,
  };
}

/** Filters without `groups` change nothing; an early access feature stays one when they say nothing of it. */
function filtersOf(old: FlagFilters, { filters }: UpdateFlagBody): FlagFilters {
  if (filters === undefined || !Object.hasOwn(filters, 'groups')) return old;
  const read = readFilters(filters);
  if (read.feature_enrollment !== undefined || old.feature_enrollment === undefined) return read;
  return { ...read, feature_enrollment: old.feature_enrollment };
}

/** A payload that comes back as it was shown, without telling anything, stays what it is. */
function withSecrets(filters: FlagFilters, old: FlagFilters): FlagFilters {
  const { payloads } = filters;
  if (!payloads || !Object.values(payloads).includes(REDACTED_PAYLOAD)) return filters;
  const kept = Object.entries(payloads).map(([key, payload]) => [
    key,
    payload === REDACTED_PAYLOAD ? (old.payloads?.[key] ?? payload) : payload,
  ]);
  return { ...filters, payloads: Object.fromEntries(kept) as Record<string, unknown> };
}

/** Conditions on who opted into the flag name its key. */
function withKey(filters: FlagFilters, oldKey: string, key: string): FlagFilters {
  if (key === oldKey || !filters.super_groups) return filters;
  return {
    ...filters,
    super_groups: filters.super_groups.map((group) => ({
      ...group,
      properties: (group.properties ?? []).map((property) =>
        String(property.key).startsWith(ENROLLMENT) ? { ...property, key: ENROLLMENT + key } : property,
      ),
    })),
  };
}

function evaluationTagsOf(
  old: readonly string[],
  wanted: readonly string[] | undefined,
  tags: readonly string[],
): readonly string[] {
  if (wanted === undefined) return old.filter((tag) => tags.includes(tag));
  const others = wanted.filter((tag) => !tags.includes(tag));
  if (others.length === 0) return wanted;
  throw fail('invalid_input', { detail: `Evaluation tags must be tags too: ${others.join(', ')}.` });
}

/** The fields of a flag in the log and in `original_flag`, by their names on the wire, without secret payloads. */
export function logFieldsOf(flag: FlagFields) {
  return {
    key: flag.key,
    name: flag.name,
    active: flag.active,
    deleted: flag.deleted,
    filters: shownFilters(flag),
    ensure_experience_continuity: flag.ensureExperienceContinuity,
    rollback_conditions: flag.rollbackConditions,
    performed_rollback: flag.performedRollback,
    tags: flag.tags,
    evaluation_tags: flag.evaluationTags,
    analytics_dashboards: flag.analyticsDashboards,
    is_remote_configuration: flag.isRemoteConfiguration,
    has_encrypted_payloads: flag.hasEncryptedPayloads,
    has_enriched_analytics: flag.hasEnrichedAnalytics,
    evaluation_runtime: flag.evaluationRuntime,
    bucketing_identifier: flag.bucketingIdentifier,
  };
}
