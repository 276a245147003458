import type { DuckDBConnection } from '@duckdb/node-api';
import type { OwnerContext } from '../../db/owner.ts';
import type { EventRow } from './event-row.ts';
import type { RowTurns } from './row-turns.ts';

/** A part of the product that works in the thread of the store. */
export interface StoreParticipant {
  /** Writes what holds but waits to be written, so that a statement sees it; null when nothing waits that it reads. */
  flush?(sql?: string): Promise<void> | null;
  /** Work that commits need not wait for, once a second; `isQuiet` when none has come for a while. */
  maintain?(isQuiet: boolean): Promise<void>;
  /**
   * Takes out of its tables, now, every row that a later one has replaced or deleted. Called before deleted rows are
   * erased from the file; what this leaves stays in it.
   */
  settle?(): Promise<void>;
  /** Lets go of what is kept of a deleted project in memory, having written what waits; its rows are deleted after. */
  forgetProject?(projectId: number): Promise<void>;
  /**
   * Called between two commits, before everything that events have brought into a project is deleted: writes what waits,
   * and returns what lets go of it in memory once it is gone.
   */
  beforeWipe?(projectId: number): Promise<() => void>;
  /** The highest number that a person or placeholder has got so far, in any project. */
  lastPersonId?(): number;
  /** Questions and orders of the server by their kind. */
  readonly calls?: Readonly<Record<string, Call>>;
  /** The store begins to close: nothing more may be begun between commits. */
  closing?(): void;
  /** Called once, after the last commit. */
  close?(): Promise<void>;
}

/**
 * A part of the product whose rows are written in the commit of the events that cause them (persons, definitions). The
 * steps of one commit come in the order of the members; all participants do one step before any does the next.
 */
export interface CommitParticipant extends StoreParticipant {
  /** Reads what `apply` has to know about these rows, before the transaction; null when there is nothing to read. */
  prepare(rows: readonly EventRow[]): Promise<void> | null;
  /** Decides, row by row in their order; may change the rows before they are appended. */
  apply(rows: readonly EventRow[]): void;
  /** Writes what was decided, inside the open transaction of the participant's connection. */
  write(): Promise<void> | null;
  /** What was decided holds from now on. */
  committed(): void;
  /** Nothing of what was decided since the last commit has happened. */
  rolledBack(): void;
}

/** Answers one kind of message of the server; each kind has a shape of its own. */
export type Call = (message: never) => Promise<unknown>;

/** What a participant is opened with. */
export interface ParticipantContext extends OwnerContext {
  /** The connection of the commits; used only in `prepare`, `write`, orders and work that runs `betweenCommits`. */
  readonly connection: DuckDBConnection;
  /** Work beside the commits that changes stored rows takes a turn for each of its transactions. */
  readonly turns: RowTurns;
  /** Runs work that changes no stored row between two commits, while none is under way. */
  betweenCommits<T>(work: () => Promise<T>): Promise<T>;
  /** To be called in `committed`: a commit has changed what a project's properties or group types are. */
  typesChanged(projectId: number): void;
  /** The same when it has merged persons. */
  personsMerged(projectId: number): void;
  /** Carries out an order of the server between two commits, while nothing else changes stored rows. */
  order<T>(order: Order<T>): Promise<T>;
}

/** The steps of an order, as those of a commit. */
export interface Order<T> {
  /** Whose rows change; left out: those of any project. */
  readonly projectId?: number;
  /** Reads what `work` has to know, before the transaction; null when there is nothing to read. */
  read?(): Promise<void> | null;
  /** Decides and writes, inside a transaction of its own. */
  work(): Promise<T>;
  /** What was decided holds from now on. */
  committed?(): void;
  /** Nothing of the order has happened. */
  rolledBack(): void;
}

export type OpenParticipant = (context: ParticipantContext) => Promise<StoreParticipant | CommitParticipant>;
