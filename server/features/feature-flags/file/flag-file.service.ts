import type { Db, Statements } from '../../../db/db.ts';
import type { Actor } from '../../../http/define-route.ts';
import type { Access } from '../../access/index.ts';
import type { CohortDraft, Cohorts } from '../../cohorts/index.ts';
import { shownFilters } from '../minimal-flag.ts';
import type { FeatureFlags } from '../feature-flags.service.ts';
import type { Flag } from '../flag-row.ts';
import type { ExportedFile, ImportReport, ExportedCohort, ExportedFlag } from './flag-file.contract.ts';
import { listCohorts, type StoredCohort } from './flag-file.reads.ts';
import { createCohortImport } from './import-cohorts.ts';
import { createFlagImport } from './import-flags.ts';
import type { FlagFile } from './read-flag-file.ts';
import { namedIn } from './named-in-filters.ts';

/** All flags of a project as one file, and back. */
export interface FlagFiles {
  /** The flags that the actor may see. */
  export(actor: Actor, projectId: number): Promise<ExportedFile>;
  /**
   * Creates and changes flags and cohorts as the file has them, all or none; flags that are not in it stay. The
   * report lists refusals.
   */
  import(
    actor: Actor,
    projectId: number,
    file: FlagFile,
    options: { dryRun: boolean },
  ): Promise<ImportReport>;
}

export interface FlagFileParts {
  db: Db;
  access: Access;
  flags: FeatureFlags;
  cohorts: Pick<Cohorts, 'draft'>;
  /** Names of a project's types of groups by their index, as text. */
  groupTypes: (projectId: number) => Promise<Record<string, string>>;
  /** Makes types of groups; returns their indexes, null where there is no room. */
  claimGroupTypes: (projectId: number, types: readonly string[]) => Promise<(number | null)[]>;
}

/** Rolls a transaction back and carries its report. */
class Undone extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('Nothing was imported.');
    this.report = report;
  }
}

export function createFlagFiles(parts: FlagFileParts): FlagFiles {
  const { db, access, flags, cohorts } = parts;

  /** One attempt; `isKept` false: it is rolled back, and the report says what it would have done. */
  async function attempt(
    actor: Actor,
    projectId: number,
    file: FlagFile,
    { isKept, groupTypes }: { isKept: boolean; groupTypes: ReadonlyMap<string, number> },
  ): Promise<ImportReport> {
    let draft: CohortDraft | null = null;
    const work = async (tx: Statements): Promise<ImportReport> => {
      // Writes of flags follow one another: after this, memory contains all of those before this one.
      await flags.refresh();
      draft = cohorts.draft(projectId);
      const scene = { tx, actor, projectId, file, access, groupTypes };
      const cohortImport = await createCohortImport(scene, draft, await listCohorts(tx, projectId));
      const flagImport = await createFlagImport({ ...scene, flags, draft, cohortIds: cohortImport.ids });
      const report = {
        flags: flagImport.outcomes,
        cohorts: cohortImport.outcomes,
        notes: [...file.notes, ...cohortImport.notes],
      };
      const isRefused = [...report.flags, ...report.cohorts].some(({ outcome }) => outcome === 'refused');
      if (isRefused || !isKept)
        throw new Undone({ applied: false, dry_run: false, ...withoutNewIds(report) });
      return { applied: true, dry_run: false, ...report };
    };
    try {
      const report = await db.transaction(work);
      draft!.keep();
      await flags.refresh();
      return report;
    } catch (error) {
      if (error instanceof Undone) return error.report;
      throw error;
    }
  }

  return {
    async export(actor, projectId) {
      const [stored, groupTypes] = await Promise.all([
        listCohorts(db, projectId),
        parts.groupTypes(projectId),
      ]);
      const seen = flags
        .list(projectId)
        .filter((flag) => access.levelOf(actor, projectId, 'feature_flag', flag) !== 'none')
        // A browser shows no secrets; callers with a key may need them.
        .map((flag) => (actor.keyId === null ? { ...flag, filters: shownFilters(flag) } : flag));
      const shown = stored.filter((one) => access.levelOf(actor, projectId, 'cohort', one) !== 'none');
      return fileOf(seen, shown, groupTypes);
    },
    async import(actor, projectId, file, { dryRun }) {
      const plan = planGroupTypes(file, await parts.groupTypes(projectId));
      if (dryRun || plan.missing.length > 0) {
        const tried = await attempt(actor, projectId, file, { isKept: false, groupTypes: plan.indexes });
        const isRefused = [...tried.flags, ...tried.cohorts].some(({ outcome }) => outcome === 'refused');
        if (dryRun || isRefused) return { ...tried, dry_run: dryRun };
      }
      const claimed = await parts.claimGroupTypes(projectId, plan.missing);
      const groupTypes = new Map(plan.indexes);
      plan.missing.forEach((type, at) => {
        const index = claimed[at];
        if (typeof index === 'number') groupTypes.set(type, index);
      });
      return await attempt(actor, projectId, file, { isKept: true, groupTypes });
    },
  };
}

/** What was rolled back has no ids. */
function withoutNewIds<T extends Pick<ImportReport, 'flags' | 'cohorts'>>(report: T): T {
  const withoutId = <One extends { id: number | null; outcome: string }>(one: One): One =>
    one.outcome === 'created' ? { ...one, id: null } : one;
  return { ...report, flags: report.flags.map(withoutId), cohorts: report.cohorts.map(withoutId) };
}

/**
 * Flags as a file, by their keys, with the cohorts and types of groups that they name; the same flags make the same file.
 * `flags` come with filters as the asker may see them.
 */
function fileOf(
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

/** A project has at most so many types of groups (ingestion contract 6.7). */
const TYPES_LIMIT = 5;

/** The indexes of the file's types of groups in the project, by name, and those that the project lacks. */
interface GroupTypePlan {
  /** Missing ones have the index that they will get; those without room have none. */
  readonly indexes: ReadonlyMap<string, number>;
  readonly missing: readonly string[];
}

/** Only types that some flag is about count; `stored` are the project's names by index, as text. */
export function planGroupTypes(
  { flags, groupTypes }: FlagFile,
  stored: Readonly<Record<string, string>>,
): GroupTypePlan {
  const indexes = new Map(Object.entries(stored).map(([index, type]) => [type, Number(index)]));
  const taken = new Set(indexes.values());
  const missing: string[] = [];
  const needed = namedIn(flags.map(({ filters }) => filters)).groupTypes;
  for (const [index, type] of [...(groupTypes ?? [])].sort(([a], [b]) => a - b)) {
    if (!needed.has(index) || indexes.has(type)) continue;
    const free = [0, 1, 2, 3, 4].find((one) => one < TYPES_LIMIT && !taken.has(one));
    if (free === undefined) continue;
    indexes.set(type, free);
    taken.add(free);
    missing.push(type);
  }
  return { indexes, missing };
}
