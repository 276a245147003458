import type { DuckDBConnection } from '@duckdb/node-api';
import type { OwnerContext } from '../../db/owner.ts';
import type { EventRow } from './event-row.ts';
import type { StreamHold } from './stream-hold.ts';
import type { TableWriteLock } from './table-write-lock.ts';

/** A feature that runs in the store thread. */
export interface StoreParticipant {
  /**
   * Writes changes that are in effect but not yet written, so that a statement sees them; null when no pending change
   * affects it.
   */
  flush?(sql?: string): Promise<void> | null;
  /** Background work, run once a second; `isQuiet` when there was no commit for a while. */
  maintain?(isQuiet: boolean): Promise<void>;
  /**
   * Deletes from its tables every row that was replaced or deleted by a later one. Called before deleted rows are
   * erased from the file; rows that remain here stay in the file.
   */
  settle?(): Promise<void>;
  /** Writes pending changes and drops in-memory state of a deleted project; its rows are deleted afterwards. */
  forgetProject?(projectId: number): Promise<void>;
  /**
   * Called between two commits, before all data of a project that came from events is deleted. Writes pending changes
   * and returns a function that drops the in-memory state after the deletion.
   */
  beforeWipe?(projectId: number): Promise<() => void>;
  /** The highest ID of any person or placeholder so far, over all projects. */
  lastPersonId?(): number;
  /** Handlers of messages from the server, by kind. */
  readonly calls?: Readonly<Record<string, Call>>;
  /** The store is closing: start no further work between commits. */
  closing?(): void;
  /** Called once, after the last commit. */
  close?(): Promise<void>;
}

/**
 * A feature whose rows are written in the same commit as the events that cause them (persons, definitions). Steps run
 * in the order of the members; all participants finish a step before any starts the next.
 */
export interface CommitParticipant extends StoreParticipant {
  /** Loads what `apply` needs for these rows, before the transaction; null when there is nothing to load. */
  prepare(rows: readonly EventRow[]): Promise<void> | null;
  /** Decides, row by row in their order; may change the rows before they are appended. */
  apply(rows: readonly EventRow[]): void;
  /** Writes what was decided, inside the open transaction of the participant's connection. */
  write(): Promise<void> | null;
  /** What was decided holds from now on. */
  committed(): void;
  /** Discards all decisions since the last commit. */
  rolledBack(): void;
}

/** Answers one kind of message of the server; each kind has a shape of its own. */
export type Call = (message: never) => Promise<unknown>;

export interface ParticipantContext extends OwnerContext {
  /** The commit connection; use it only in `prepare`, `write`, orders and work passed to `betweenCommits`. */
  readonly connection: DuckDBConnection;
  /** Hold this lock for each transaction outside the commits that changes stored rows. */
  readonly writeLock: TableWriteLock;
  readonly hold: StreamHold;
  /** Writes changes that are in effect but not yet written, of all participants; null when there are none. */
  flush(): Promise<void> | null;
  /** Runs work between two commits; it must not change stored rows. */
  betweenCommits<T>(work: () => Promise<T>): Promise<T>;
  /** Call in `committed` when a commit has changed property types or group types of a project. */
  typesChanged(projectId: number): void;
  /** Call in `committed` when a commit has merged persons. */
  personsMerged(projectId: number): void;
  /** Runs an order of the server between two commits, while nothing else changes stored rows. */
  order<T>(order: Order<T>): Promise<T>;
}

/** The steps of an order, as those of a commit. */
export interface Order<T> {
  /** The project whose rows change; absent: any project. */
  readonly projectId?: number;
  /** Reads what `work` has to know, before the transaction; null when there is nothing to read. */
  read?(): Promise<void> | null;
  /** Decides and writes, inside a transaction of its own. */
  work(): Promise<T>;
  /** What was decided holds from now on. */
  committed?(): void;
  rolledBack(): void;
}

export type OpenParticipant = (context: ParticipantContext) => Promise<StoreParticipant | CommitParticipant>;
