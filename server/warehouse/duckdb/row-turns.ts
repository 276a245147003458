/**
 * One piece of work at a time changes rows that are stored already: two transactions that delete the same row would
 * fail one of them. Commits of events only append, and take no turn.
 */
export interface RowTurns {
  /** Runs `work` after the turns before it have ended, however they ended. */
  take<T>(work: () => Promise<T>): Promise<T>;
  /** How many turns have ended: as long as it stays the same, nothing was deleted. */
  readonly ended: number;
}

export function createRowTurns(): RowTurns {
  let last: Promise<unknown> = Promise.resolve();
  let ended = 0;
  const end = (): void => {
    ended++;
  };
  return {
    get ended() {
      return ended;
    },
    take(work) {
      const turn = last.then(work);
      last = turn.then(end, end);
      return turn;
    },
  };
}
