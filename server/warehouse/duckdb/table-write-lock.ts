/**
 * A mutex for transactions that change stored rows: of two that delete the same row one would fail. Commits of events
 * only append and need no lock.
 */
export interface TableWriteLock {
  /** Runs `work` after all earlier work has finished or failed. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** How often the lock was released: while it is unchanged, nothing was deleted. */
  readonly completed: number;
}

export function createTableWriteLock(): TableWriteLock {
  let last: Promise<unknown> = Promise.resolve();
  let ended = 0;
  const end = (): void => {
    ended++;
  };
  return {
    get completed() {
      return ended;
    },
    run(work) {
      const result = last.then(work);
      last = result.then(end, end);
      return result;
    },
  };
}
