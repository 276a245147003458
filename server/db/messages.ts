import type { LogLevel } from '../lib/log.ts';
import type { NewNotice, NoticeId } from '../lib/notices.ts';
import type { QueryName } from '../lib/stopped-queries.ts';
import type { Params, Row } from './db.ts';

/** The messages between the server (`client.ts`) and the thread that owns the database (`owner.ts`). */

/** Both a worker thread and a MessagePort are one; unit tests run the owner in their own thread over a MessageChannel. */
export interface Port {
  postMessage(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  on(event: 'message', listener: (message: never) => void): unknown;
}

export interface OpenOptions {
  /** The database file, or null for one in memory. */
  path: string | null;
  memoryLimitBytes: number;
  /** Where a database in memory writes what exceeds it; left out: a folder of a random name. */
  spillFolder?: string;
  /** Options of the services that live beside the database, by name. */
  services?: Readonly<Record<string, unknown>>;
}

/** Which connection runs a statement: a small one beside the others, an analytic one, or the one transaction. */
export type Lane = 'small' | 'analytic' | 'transaction';

export type ToOwner =
  | { kind: 'open'; id: number; options: OpenOptions }
  | {
      kind: 'statement';
      id: number;
      lane: Lane;
      sql: string;
      params: Params;
      timeoutMs: number;
      stream: boolean;
      query?: QueryName;
    }
  /** Ends all analytic statements, which fail as out of memory. */
  | { kind: 'shed-cache' }
  | { kind: 'interrupt-all' }
  | { kind: 'more'; id: number }
  | { kind: 'cancel'; id: number }
  | { kind: 'call'; id: number; service: string; message: unknown }
  | { kind: 'post'; service: string; message: unknown }
  | { kind: 'close'; id: number };

export type FromOwner =
  /** Of a statement the value is its rows; of one that is streamed, those that were not sent before. */
  | { kind: 'done'; id: number; value: unknown }
  | { kind: 'rows'; id: number; rows: Row[] }
  | { kind: 'failed'; id: number; failure: Failure }
  /** The queries behind the analytic statements that run now. */
  | { kind: 'running'; queries: readonly QueryName[]; isQuerying: boolean }
  /** A connection was replaced since its statement did not stop; how many of them go on. */
  | { kind: 'stuck'; query: QueryName | null; count: number }
  | { kind: 'post'; service: string; message: unknown }
  | { kind: 'log'; level: LogLevel; fields: object; message: string }
  /** What takes a while before the database is open: a sentence's first half, as "Replaying 390 MB of the write-ahead log". */
  | { kind: 'progress'; step: string }
  | { kind: 'notice'; notice: NewNotice }
  | { kind: 'clear-notice'; notice: NoticeId };

export type Failure =
  | { reason: 'interrupted'; message: string }
  | { reason: 'statement'; message: string }
  /** The store is in trouble; the message is a sentence for clients. */
  | { reason: 'unavailable'; message: string }
  | { reason: StoreOpenReason; message: string; holderPid: number | null };

export type StoreOpenReason = 'locked' | 'corrupt' | 'read_only' | 'newer_version' | 'full' | 'io';
