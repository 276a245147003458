/** Background work that belongs to no commit participant: retention, erasure. */
export interface MaintenanceTask {
  /** Does a bounded part of the work; called about once a second, never concurrently. */
  run(context: MaintenanceContext): Promise<void>;
  /** Called once, after the last commit and before the last checkpoint. */
  close(context: MaintenanceContext): Promise<void>;
}

/** What a task may use while it runs. */
export interface MaintenanceContext {
  /** No commit has come for a while. */
  readonly isQuiet: boolean;
  /** The store is closing: postpone work that can wait for the next start. */
  readonly isClosing: boolean;
  /** Bytes of the database file. */
  readonly fileBytes: number;
  /** Runs one step of compaction; returns how many rows it moved. */
  compact(): Promise<number>;
  /** Writes a checkpoint between two commits, then runs `next` before the commits go on. */
  checkpoint<T>(next: () => Promise<T>): Promise<T>;
}
