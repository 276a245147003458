import type { Db, Statements } from '../../db/db.ts';
import type { FlagSet } from '../../conditions/index.ts';
import { findFlag } from './feature-flags.store.ts';
import { cohortsNamedBy } from './flag-dependencies.ts';
import { createFlagMemory, type CohortSource } from './flag-memory.ts';
import type { Flag } from './flag-row.ts';
import { createFlagWriter, type FlagWriter, type FlagWriterParts } from './write-flag.ts';

/**
 * Feature flags: written in transactions, their own or those of what they belong to, and kept in memory, where every
 * request for flags finds them. Who may do what is checked by routes.
 */
export interface FeatureFlags extends FlagWriter {
  /** Reads all flags; to be called before the first request, and when a project is deleted. */
  load(): Promise<void>;
  /**
   * Reads what was written since the last time. A caller that wrote flags in a transaction of its own waits for this after
   * the commit, before it answers.
   */
  refresh(): Promise<void>;
  /** A transaction that writes flags: what it wrote is seen by every later request. */
  inTransaction<T>(work: (tx: Statements) => Promise<T>): Promise<T>;
  /** The live flags of a project, ready to be evaluated; no statement. */
  set(projectId: number): FlagSet;
  /** The live flags of a project by their ids; no statement. */
  list(projectId: number): readonly Flag[];
  /** A live flag; no statement. */
  find(projectId: number, id: number): Flag | null;
  findByKey(projectId: number, key: string): Flag | null;
  /** Also one that is deleted. One statement. */
  read(statements: Statements, projectId: number, id: number): Promise<Flag | null>;
  /** The live flags of a project whose conditions name cohorts, and those. */
  usingCohorts(projectId: number): (Flag & { readonly cohortIds: readonly number[] })[];
  /** Calls `listener` for each project whose flags, or the cohorts that they name, changed. */
  onChange(listener: (projectId: number) => void): void;
}

export interface FeatureFlagParts extends FlagWriterParts {
  db: Db;
  cohorts: CohortSource;
}

export function createFeatureFlags(parts: FeatureFlagParts): FeatureFlags {
  const { db } = parts;
  const memory = createFlagMemory(parts);
  const { load, refresh, set, list, find, findByKey, onChange } = memory;
  return {
    ...createFlagWriter(parts),
    load,
    refresh,
    set,
    list,
    find,
    findByKey,
    onChange,
    async inTransaction(work) {
      const value = await db.transaction(work);
      await refresh();
      return value;
    },
    read: findFlag,
    usingCohorts: (projectId) =>
      list(projectId)
        .map((flag) => ({ ...flag, cohortIds: cohortsNamedBy(flag.filters) }))
        .filter(({ cohortIds }) => cohortIds.length > 0),
  };
}
