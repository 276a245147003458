import type { DuckDBConnection } from '@duckdb/node-api';

/** Knows which projects have merges that their events do not know of. */
export interface MergeLooks {
  /**
   * Looks again when there may be others than at the last look: where there were none, when the number of the project's
   * merges has grown since (`merges`); else when its data has another version, as merges are squashed in time.
   */
  mayBeIn(projectId: number, counts: MergeCounts): Promise<boolean>;
  close(): void;
}

export interface MergeCounts {
  /** Of the project's data. */
  readonly version: number;
  /** Grows with every change that may merge persons of the project. */
  readonly merges: number;
}

interface Look extends MergeCounts {
  readonly found: Promise<boolean>;
  isNone: boolean;
}

const PROJECTS_KEPT = 1_000;

/** `connection` is its own. Most projects have none most of the time, and a join costs a question more than this look. */
export function createMergeLooks(connection: DuckDBConnection): MergeLooks {
  const looks = new Map<number, Look>();
  let last: Promise<unknown> = Promise.resolve();

  async function look(projectId: number): Promise<boolean> {
    const counted = await connection.runAndReadAll(
      'SELECT count(*)::INTEGER FROM person_merges WHERE project_id = $projectId',
      { projectId },
    );
    return (counted.value(0, 0) as number) > 0;
  }

  return {
    mayBeIn(projectId, counts) {
      const known = looks.get(projectId);
      const isTrue = known?.version === counts.version || (known?.isNone && known.merges === counts.merges);
      if (known !== undefined && isTrue) return known.found;
      // A connection runs one statement at a time.
      const found = last.then(() => look(projectId));
      last = found.catch(() => looks.delete(projectId));
      if (looks.size >= PROJECTS_KEPT) looks.clear();
      const made: Look = { ...counts, found, isNone: false };
      looks.set(projectId, made);
      return found.then((isFound) => {
        made.isNone = !isFound;
        return isFound;
      });
    },
    close: () => connection.closeSync(),
  };
}
