/** Limits of prefetched distinct IDs, characters of their persons, and person IDs scanned. */
const LIMITS = { names: 100_000, characters: 67_108_864, passedIds: 1_000_000 };
/** Person IDs per step: a commit waits some milliseconds for a step. */
const STEP_IDS = 4_096;
/** Number of persons requested after an invalidation before prefetching starts again. */
const RESTART_AFTER = 1_000;

/** The size of one step. */
export interface PrefetchedSize {
  names: number;
  characters: number;
}

export interface PrefetchSource {
  /** The greatest ID of a person or placeholder; 0 when there is none. */
  lastPersonId(): Promise<number>;
  /** Reads and sends the persons in the ID range, both ends included. */
  read(from: number, to: number): Promise<PrefetchedSize>;
}

/** Prefetches the newest persons. */
export interface PersonPrefetch {
  /**
   * Reports the number of requested persons. The first request starts prefetching, from the newest person to older
   * ones, in steps between two commits.
   */
  requested(persons: number, betweenCommits: (work: () => Promise<void>) => Promise<void>): Promise<void>;
  /** Prefetched persons are stale: prefetching restarts after enough requests. */
  invalidate(): void;
  /** Stops prefetching. */
  stop(): void;
}

/** A statement for fifty persons costs as much as one for thousands with adjacent IDs, and commits wait for both. */
export function createPersonPrefetch(source: PrefetchSource, limits = LIMITS): PersonPrefetch {
  /** Requested persons until prefetching starts. */
  let due = 1;
  /** Incremented to cancel the current run. */
  let generation = 0;

  return {
    async requested(persons, betweenCommits) {
      due -= persons;
      if (due > 0) return;
      due = Infinity;
      const current = ++generation;
      let to = 0;
      await betweenCommits(async () => {
        to = await source.lastPersonId();
      });
      const oldest = Math.max(0, to - limits.passedIds);
      let { names, characters } = limits;
      while (to > oldest && names > 0 && characters > 0 && generation === current) {
        const from = to - STEP_IDS + 1;
        await betweenCommits(async () => {
          if (generation !== current) return;
          const read = await source.read(from, to);
          names -= read.names;
          characters -= read.characters;
        });
        to = from - 1;
      }
    },
    invalidate() {
      generation++;
      due = Math.min(due, RESTART_AFTER);
    },
    stop() {
      generation++;
      due = Infinity;
    },
  };
}
