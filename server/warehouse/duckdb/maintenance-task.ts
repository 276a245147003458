/** Work beside the commits that belongs to none of their participants: retention, erasure. */
export interface MaintenanceTask {
  /** Does a bounded part of what is to be done; called about once a second, never twice at a time. */
  run(turn: MaintenanceTurn): Promise<void>;
  /** Called once, after the last commit and before the last checkpoint. */
  close(turn: MaintenanceTurn): Promise<void>;
}

/** What maintenance lends to a task while it runs. */
export interface MaintenanceTurn {
  /** No commit has come for a while. */
  readonly isQuiet: boolean;
  /** The store closes: what can wait for the next start waits. */
  readonly isClosing: boolean;
  /** Bytes of the database file. */
  readonly fileBytes: number;
  /** Moves the oldest recent rows into `events`, one step of compaction; returns how many, 0 when there are none. */
  compact(): Promise<number>;
  /** Writes a checkpoint between two commits, then runs `next` before the commits go on. */
  checkpoint<T>(next: () => Promise<T>): Promise<T>;
}
