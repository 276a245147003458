import type { Flag } from '../feature-flags/index.ts';
import type { ExportedCohort, ExportedFile, ExportedFlag } from './flag-file.contract.ts';
import type { StoredCohort } from './flag-file.reads.ts';
import { namedIn } from './named-in-filters.ts';

/**
 * Flags as a file, by their keys, with the cohorts and types of groups that they name; the same flags make the same file.
 * `flags` come with filters as the asker may see them.
 */
export function fileOf(
  flags: readonly Flag[],
  cohorts: readonly StoredCohort[],
  groupTypes: Readonly<Record<string, string>>,
): ExportedFile {
  const exported = flags.map(flagOf).sort((a, b) => (a.key < b.key ? -1 : 1));
  const named = namedIn(exported.map(({ filters }) => filters));
  const types = Object.entries(groupTypes).filter(([index]) => named.groupTypes.has(Number(index)));
  return {
    version: 1,
    group_types: Object.fromEntries(types),
    flags: exported,
    cohorts: neededOf(cohorts, named.cohorts).map(cohortOf),
  };
}

/** Cohorts that are named, and those that these name. */
function neededOf(cohorts: readonly StoredCohort[], named: ReadonlySet<number>): StoredCohort[] {
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]));
  const wanted = new Set(named);
  // What is added meanwhile is walked too.
  for (const id of wanted) for (const inner of namedIn(byId.get(id)?.filters).cohorts) wanted.add(inner);
  return cohorts.filter(({ id }) => wanted.has(id));
}

function flagOf(flag: Flag): ExportedFlag {
  return {
    id: flag.id,
    key: flag.key,
    name: flag.name,
    active: flag.active,
    filters: flag.filters as Record<string, unknown>,
    ensure_experience_continuity: flag.ensureExperienceContinuity,
    bucketing_identifier: flag.bucketingIdentifier,
    evaluation_runtime: flag.evaluationRuntime,
    tags: [...flag.tags],
    evaluation_tags: [...flag.evaluationTags],
    is_remote_configuration: flag.isRemoteConfiguration,
    has_encrypted_payloads: flag.hasEncryptedPayloads,
  };
}

function cohortOf({ id, name, description, isStatic, filters }: StoredCohort): ExportedCohort {
  return { id, name, description, is_static: isStatic, filters: isStatic ? null : filters };
}
