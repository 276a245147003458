import type { Actor } from '../../http/define-route.ts';
import { isAtLeast, type Access } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import { idOf } from './check-property.ts';
import type { FeatureFlagJson } from './feature-flags.contract.ts';
import type { FlagLinks } from './feature-flags.reads.ts';
import type { CohortSource } from './flag-memory.ts';
import type { Flag } from './flag-row.ts';
import { flagStatusOf } from './flag-status.ts';
import { shownFilters } from './minimal-flag.ts';

export interface FlagJsonParts {
  access: Access;
  users: Pick<Users, 'embedded'>;
  cohorts: Pick<CohortSource, 'definitions'>;
}

/** Flags as the API shows them to a user; `now` in Unix milliseconds. */
export function flagJsonFor(
  { access, users, cohorts }: FlagJsonParts,
  asked: { actor: Actor; projectId: number; now: number; links: FlagLinks },
): (flag: Flag) => FeatureFlagJson {
  const { actor, projectId, now, links } = asked;
  const names = new Map(cohorts.definitions(projectId).map(({ id, name }) => [id, name]));
  return (flag) => {
    const level = access.levelOf(actor, projectId, 'feature_flag', flag);
    const lastCalledAt = links.lastCalled.get(flag.id) ?? null;
    // A browser shows no secrets; callers with a key may need them (as in PostHog).
    const filters = actor.keyId === null ? shownFilters(flag) : flag.filters;
    return {
      id: flag.id,
      name: flag.name,
      key: flag.key,
      filters: withCohortNames(filters, names) as unknown as FeatureFlagJson['filters'],
      deleted: flag.deleted,
      active: flag.active,
      created_by: users.embedded(flag.createdBy),
      created_at: flag.createdAt,
      updated_at: flag.updatedAt,
      version: flag.version,
      last_modified_by: users.embedded(flag.lastModifiedBy),
      ensure_experience_continuity: flag.ensureExperienceContinuity,
      experiment_set: [],
      surveys: [...(links.surveys.get(flag.id) ?? [])],
      features: [...(links.features.get(flag.id) ?? [])],
      rollback_conditions: flag.rollbackConditions === null ? null : [...flag.rollbackConditions],
      performed_rollback: flag.performedRollback,
      can_edit: isAtLeast(level, 'editor'),
      tags: [...flag.tags],
      evaluation_tags: [...flag.evaluationTags],
      usage_dashboard: flag.usageDashboard,
      analytics_dashboards: [...flag.analyticsDashboards],
      has_enriched_analytics: flag.hasEnrichedAnalytics,
      user_access_level: level,
      is_remote_configuration: flag.isRemoteConfiguration,
      has_encrypted_payloads: flag.hasEncryptedPayloads,
      status: flagStatusOf(flag, lastCalledAt, now).status,
      evaluation_runtime: flag.evaluationRuntime,
      bucketing_identifier: flag.bucketingIdentifier,
      last_called_at: lastCalledAt,
    };
  };
}

/** Every property that names a cohort says what the cohort is called; null: there is none. */
function withCohortNames(filters: Flag['filters'], names: ReadonlyMap<number, string>): Flag['filters'] {
  if (!filters.groups) return filters;
  const groups = filters.groups.map((group) => {
    if (!group.properties?.some(({ type }) => type === 'cohort')) return group;
    const properties = group.properties.map((property) =>
      property.type === 'cohort'
        ? { ...property, cohort_name: names.get(idOf(property.value)) ?? null }
        : property,
    );
    return { ...group, properties };
  });
  return { ...filters, groups };
}
