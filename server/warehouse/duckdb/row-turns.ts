/**
 * One piece of work at a time changes rows that are stored already: two transactions that delete the same row would
 * fail one of them. Commits of events only append, and take no turn.
 */
export interface RowTurns {
  /** Runs `work` after the turns before it have ended, however they ended. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

export function createRowTurns(): RowTurns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const turn = last.then(work);
      last = turn.catch(() => undefined);
      return turn;
    },
  };
}
