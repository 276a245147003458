import type { FlagFilters } from '../../conditions/index.ts';
import type { MinimalFlag } from './feature-flags.contract.ts';
import type { Flag } from './flag-row.ts';

/** Replaces a payload that may not be shown, as JSON text; SDKs expect PostHog's value. */
export const REDACTED_PAYLOAD = '"********* (encrypted)"';

/** Filters whose payloads tell nothing, when the flag's payloads are secret. */
export function shownFilters({
  filters,
  hasEncryptedPayloads,
}: Pick<Flag, 'filters' | 'hasEncryptedPayloads'>) {
  if (!hasEncryptedPayloads || !filters.payloads) return filters;
  const payloads = Object.fromEntries(Object.keys(filters.payloads).map((key) => [key, REDACTED_PAYLOAD]));
  return { ...filters, payloads } satisfies FlagFilters;
}

/** The short form of a flag; secret payloads stay out of it. */
export function minimalFlagOf(flag: Flag): MinimalFlag {
  return {
    id: flag.id,
    team_id: flag.projectId,
    name: flag.name,
    key: flag.key,
    filters: shownFilters(flag) as Record<string, unknown>,
    deleted: flag.deleted,
    active: flag.active,
    ensure_experience_continuity: flag.ensureExperienceContinuity,
    has_encrypted_payloads: flag.hasEncryptedPayloads,
    version: flag.version,
    evaluation_runtime: flag.evaluationRuntime,
    bucketing_identifier: flag.bucketingIdentifier,
    evaluation_tags: [...flag.evaluationTags],
  };
}
