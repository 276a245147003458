import { readFileSync, rmSync, writeFileSync } from 'node:fs';

/** The query of a user behind a statement, for those who have to name or refuse it. */
export interface QueryName {
  /** The same for the same query. */
  readonly key: string;
  /** What the user wrote, cut to a few words. */
  readonly text: string;
}

/** Why the process was ended, written down for the next one. */
export interface Ending {
  readonly reason: 'memory' | 'silent' | 'stuck';
  readonly queries: readonly QueryName[];
  /** Unix milliseconds. */
  readonly at: number;
}

/** A start so soon after the end was a parent's: the desktop app, systemd, Docker. */
const RESTART_MS = 60_000;

/** Queries that were ended since they took too much memory; they are refused until the next start by hand. */
export interface StoppedQueries {
  isRefused(key: string): boolean;
  /**
   * Notes queries that were interrupted since the process had too little memory. The process has outlived it, and another
   * query may have been the cause: each is refused from the second time on. Returns those that are refused now.
   */
  stop(queries: readonly QueryName[]): QueryName[];
}

export function createStoppedQueries(refused: readonly QueryName[] = []): StoppedQueries {
  const keys = new Set(refused.map(({ key }) => key));
  const suspects = new Set<string>();
  return {
    isRefused: (key) => keys.has(key),
    stop(queries) {
      const guilty = queries.filter(({ key }) => suspects.has(key));
      for (const { key } of queries) suspects.add(key);
      for (const { key } of guilty) keys.add(key);
      return guilty;
    },
  };
}

/** Writes down why the process ends. Never throws: on a full disk it ends all the same. */
export function writeEnding(file: string, ending: Ending): void {
  try {
    writeFileSync(file, JSON.stringify(ending), { mode: 0o600 });
  } catch {
    // The queries are not refused after the restart then; the watch is still there.
  }
}

/**
 * Why the previous process was ended, and whether a parent has restarted it within `RESTART_MS`; null: it ended by itself.
 */
export function takeEnding(file: string, now: number): (Ending & { isRestart: boolean }) | null {
  try {
    const ending = JSON.parse(readFileSync(file, 'utf8')) as Ending;
    rmSync(file, { force: true });
    return { ...ending, isRestart: now - ending.at < RESTART_MS };
  } catch {
    return null;
  }
}
