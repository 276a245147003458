import type { FlagCondition, FlagFilters } from '../../conditions/index.ts';
import type { Stage } from './early-access-features.contract.ts';

/** Stages in which a user who opted in has the feature. In `concept` people only say that they would like it. */
const ENROLLING: ReadonlySet<Stage> = new Set(['alpha', 'beta', 'general-availability']);

/**
 * Filters of a feature's flag in a stage (ingestion contract F-2), or of a deleted feature (null). They replace the
 * older form of enrollment, which flags of PostHog have.
 */
export function filtersInStage(filters: FlagFilters, key: string, stage: Stage | null): FlagFilters {
  const { super_groups: old, ...rest } = filters;
  const others = (old ?? []).filter((condition) => !isAboutEnrollment(condition, key));
  return {
    ...rest,
    ...(others.length === 0 ? {} : { super_groups: others }),
    feature_enrollment: stage !== null && ENROLLING.has(stage),
  };
}

function isAboutEnrollment({ properties }: FlagCondition, key: string): boolean {
  return (properties ?? []).some((property) => property.key === `$feature_enrollment/${key}`);
}

const MAX_KEY_LENGTH = 100;

/**
 * Derives the key of a feature's flag: Latin letters and digits of the name with hyphens between; else from the ID.
 */
export function flagKeyOf({ id, name }: { id: string; name: string }): string {
  const key = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .trim()
    .replaceAll(/[\s_-]+/g, '-')
    .slice(0, MAX_KEY_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return key === '' ? `feature-${id}` : key;
}
