import type { Db, Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import type { CohortDraft, Cohorts } from '../cohorts/index.ts';
import { shownFilters, type FeatureFlags } from '../feature-flags/index.ts';
import { fileOf } from './export-file.ts';
import { planGroupTypes } from './group-type-plan.ts';
import type { ExportedFile, ImportReport } from './flag-file.contract.ts';
import { listCohorts } from './flag-file.reads.ts';
import { createCohortImport } from './import-cohorts.ts';
import { createFlagImport } from './import-flags.ts';
import type { FlagFile } from './read-flag-file.ts';

/** All flags of a project as one file, and back. */
export interface FlagFiles {
  /** The flags that the actor may see. */
  export(actor: Actor, projectId: number): Promise<ExportedFile>;
  /**
   * Makes and changes flags and cohorts as the file has them, all or none; flags that are not in it stay. Refusals stand in
   * the report.
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

/** Ends a transaction without a trace, with what is to be told. */
class Undone extends Error {
  readonly report: ImportReport;

  constructor(report: ImportReport) {
    super('Nothing was imported.');
    this.report = report;
  }
}

export function createFlagFiles(parts: FlagFileParts): FlagFiles {
  const { db, access, flags, cohorts } = parts;

  /** One attempt; `isKept` false: it leaves nothing behind, and tells what it would have done. */
  async function attempt(
    actor: Actor,
    projectId: number,
    file: FlagFile,
    { isKept, groupTypes }: { isKept: boolean; groupTypes: ReadonlyMap<string, number> },
  ): Promise<ImportReport> {
    let draft: CohortDraft | null = null;
    const work = async (tx: Statements): Promise<ImportReport> => {
      // Writes of flags follow one another: after this, memory knows of all before this one.
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
        // A browser shows no secrets; who asks with a key may need them.
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
  const told = <One extends { id: number | null; outcome: string }>(one: One): One =>
    one.outcome === 'created' ? { ...one, id: null } : one;
  return { ...report, flags: report.flags.map(told), cohorts: report.cohorts.map(told) };
}
