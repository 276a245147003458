import type { DuckDBConnection } from '@duckdb/node-api';

/** Caches which projects have merges that are not yet written into their events. */
export interface MergePresenceCache {
  /**
   * Queries again when the result may have changed: if there were none, when `merges` has grown; otherwise when the
   * data version has changed, since merges are squashed over time.
   */
  mayHaveMerges(projectId: number, counts: MergeCounts): Promise<boolean>;
  close(): void;
}

export interface MergeCounts {
  /** Of the project's data. */
  readonly version: number;
  /** Increases with every change that may merge persons of the project. */
  readonly merges: number;
}

interface CachedPresence extends MergeCounts {
  readonly found: Promise<boolean>;
  isNone: boolean;
}

const MAX_PROJECTS = 1_000;

/**
 * `connection` is used by nothing else. Most projects have no such merges, and the join costs a query more than this
 * check.
 */
export function createMergePresenceCache(connection: DuckDBConnection): MergePresenceCache {
  const entries = new Map<number, CachedPresence>();
  let last: Promise<unknown> = Promise.resolve();

  async function hasMerges(projectId: number): Promise<boolean> {
    const counted = await connection.runAndReadAll(
      'SELECT count(*)::INTEGER FROM person_merges WHERE project_id = $projectId',
      { projectId },
    );
    return (counted.value(0, 0) as number) > 0;
  }

  return {
    mayHaveMerges(projectId, counts) {
      const cached = entries.get(projectId);
      const isCurrent =
        cached?.version === counts.version || (cached?.isNone && cached.merges === counts.merges);
      if (cached !== undefined && isCurrent) return cached.found;
      // A connection runs one statement at a time.
      const found = last.then(() => hasMerges(projectId));
      last = found.catch(() => entries.delete(projectId));
      if (entries.size >= MAX_PROJECTS) entries.clear();
      const entry: CachedPresence = { ...counts, found, isNone: false };
      entries.set(projectId, entry);
      return found.then((isFound) => {
        entry.isNone = !isFound;
        return isFound;
      });
    },
    close: () => connection.closeSync(),
  };
}
