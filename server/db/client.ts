import { Worker } from 'node:worker_threads';
import { fail } from '../errors.ts';
import type { Log } from '../lib/log.ts';
import type { NoticeBoard } from '../lib/notices.ts';
import type { QueryName } from '../lib/stopped-queries.ts';
import {
  DatabaseError,
  InterruptedError,
  type Analytics,
  type Db,
  type Params,
  type QueryOptions,
  type Row,
  type Statements,
} from './db.ts';
import { readsOnly } from './db.ts';
import { REOPENING } from './store-trouble.ts';
import type { Failure, FromOwner, Lane, OpenOptions, Port, StoreOpenReason, ToOwner } from './messages.ts';

/** The database could not be opened; `message` is a sentence for the person who started Burrow. */
export class StoreOpenError extends Error {
  readonly reason: StoreOpenReason;
  readonly holderPid: number | null;

  constructor(reason: StoreOpenReason, message: string, holderPid: number | null) {
    super(message);
    this.reason = reason;
    this.holderPid = holderPid;
  }
}

export interface StoreOptions extends OpenOptions {
  log: Log;
  /** Where the thread of the database reports what users have to see; tests may leave it out. */
  notices?: NoticeBoard;
  /** Called with what takes a while before the database is open: "Replaying 390 MB of the write-ahead log". */
  onProgress?: (step: string) => void;
  /** The worker thread's file; null runs the owner in this thread by `serve` (unit tests). */
  workerUrl: URL | null;
  serve?: (port: Port) => void;
  /** Called with the queries behind the analytic statements that run, whenever that changes. */
  onRunning?: (queries: readonly QueryName[], isQuerying: boolean) => void;
  /** Called when a statement was given up that did not stop after its interrupt; `count` go on by now. */
  onStuck?: (query: QueryName | null, count: number) => void;
  /** Called when the thread of the database dies by itself; nothing can be stored after that. */
  onCrash?: (error: Error) => void;
}

/** The way to a service that lives in the thread of the database. */
export interface ServiceChannel {
  call<T>(message: unknown): Promise<T>;
  post(message: unknown, transfer?: readonly ArrayBuffer[]): void;
  onPost(listener: (message: never) => void): void;
}

export interface Store {
  readonly db: Db;
  readonly analytics: Analytics;
  service(name: string): ServiceChannel;
  /** Frees what DuckDB holds only to read it faster. */
  shedCache(): void;
  /** Ends all analytic statements, which fail as out of memory. */
  interruptAll(): void;
  /** Statements that go on inside DuckDB after they were given up: the process cannot exit before they end. */
  readonly stuckCount: number;
  /** Commits what was accepted, checkpoints and closes the file. */
  close(): Promise<void>;
}

const SMALL_TIMEOUT_MS = 30_000;
const ANALYTIC_TIMEOUT_MS = 60_000;

interface Waiting {
  resolve: (value: never) => void;
  reject: (error: Error) => void;
  onRows: ((rows: Row[]) => void) | null;
}

/** Starts the thread that owns the database, opens the file and migrates it. Throws StoreOpenError. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { port, end } = startOwner(options, () => {
    hasEnded = true;
    for (const { reject } of waiting.values()) reject(unavailable(REOPENING));
    waiting.clear();
  });
  let hasEnded = false;
  const waiting = new Map<number, Waiting>();
  const listeners = new Map<string, (message: never) => void>();
  let nextId = 1;
  let stuckCount = 0;

  port.on('message', ((message: FromOwner) => {
    if (message.kind === 'log') return options.log[message.level](message.fields, message.message);
    if (message.kind === 'progress') return options.onProgress?.(message.step);
    if (message.kind === 'notice') return options.notices?.raise(message.notice);
    if (message.kind === 'clear-notice') return options.notices?.clear(message.notice);
    if (message.kind === 'post') return listeners.get(message.service)?.(message.message as never);
    if (message.kind === 'running') return options.onRunning?.(message.queries, message.isQuerying);
    if (message.kind === 'stuck') {
      const isNew = message.count > stuckCount;
      stuckCount = message.count;
      return isNew ? options.onStuck?.(message.query, message.count) : undefined;
    }
    const waiter = waiting.get(message.id);
    if (waiter === undefined) return;
    if (message.kind === 'rows') return waiter.onRows?.(message.rows);
    waiting.delete(message.id);
    if (message.kind === 'done') waiter.resolve(message.value as never);
    else waiter.reject(errorOf(message.failure));
  }) as (message: never) => void);

  function request<T>(
    make: (id: number) => ToOwner,
    onRows: ((rows: Row[]) => void) | null = null,
  ): Promise<T> {
    const id = nextId++;
    if (hasEnded) return Promise.reject(unavailable(REOPENING));
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve, reject, onRows });
      port.postMessage(make(id));
    });
  }

  function statement<T>(
    lane: Lane,
    sql: string,
    params: Params,
    timeoutMs: number,
    { signal, query }: Pick<QueryOptions, 'signal' | 'query'> = {},
  ): Promise<T[]> {
    return request<T[]>((id) => {
      onAbort(signal, () => cancel(id));
      return { kind: 'statement', id, lane, sql, params, timeoutMs, stream: false, ...named(query) };
    });
  }

  /** Of one that has ended there is nothing to stop. */
  function cancel(id: number): void {
    if (waiting.has(id)) port.postMessage({ kind: 'cancel', id } satisfies ToOwner);
  }

  function statements(lane: Lane): Statements {
    const all = <T>(sql: string, params: Params = {}): Promise<T[]> =>
      statement<T>(lane, sql, params, SMALL_TIMEOUT_MS);
    return {
      all,
      first: async <T>(sql: string, params?: Params) => (await all<T>(sql, params))[0] ?? null,
      run: async (sql, params) => void (await all(sql, params)),
    };
  }

  let changes = 0;
  async function changing<T>(work: () => Promise<T>): Promise<T> {
    changes++;
    try {
      return await work();
    } finally {
      changes++;
    }
  }

  let transactions: Promise<unknown> = Promise.resolve();
  const inTransaction = statements('transaction');
  const small = statements('small');
  const writing = <T>(sql: string, work: () => Promise<T>): Promise<T> =>
    readsOnly(sql) ? work() : changing(work);
  const db: Db = {
    all: (sql, params) => writing(sql, () => small.all(sql, params)),
    first: (sql, params) => writing(sql, () => small.first(sql, params)),
    run: (sql, params) => writing(sql, () => small.run(sql, params)),
    changes: () => changes,
    transaction(work) {
      const turn = transactions.then(() => changing(() => inOne(work)));
      transactions = turn.catch(() => undefined);
      return turn;
    },
  };

  /** Runs work between BEGIN and COMMIT. */
  async function inOne<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
    await inTransaction.run('BEGIN TRANSACTION');
    try {
      const value = await work(inTransaction);
      await inTransaction.run('COMMIT');
      return value;
    } catch (error) {
      // A failed COMMIT has ended the transaction already.
      await inTransaction.run('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  const analytics: Analytics = {
    all: (sql, params = {}, query = {}) =>
      statement('analytic', sql, params, query.timeoutMs ?? ANALYTIC_TIMEOUT_MS, query),
    stream: (sql, params = {}, query = {}) =>
      streamRows(sql, params, query.timeoutMs ?? ANALYTIC_TIMEOUT_MS, query),
  };

  async function* streamRows<T>(
    sql: string,
    params: Params,
    timeoutMs: number,
    { signal, query }: QueryOptions,
  ): AsyncGenerator<T[]> {
    const pieces: T[][] = [];
    let wake: () => void = () => {};
    let streamId = 0;
    let ended = false;
    let failure: Error | null = null;
    void request<T[]>(
      (id) => {
        streamId = id;
        onAbort(signal, () => cancel(id));
        return {
          kind: 'statement',
          id,
          lane: 'analytic',
          sql,
          params,
          timeoutMs,
          stream: true,
          ...named(query),
        };
      },
      (rows) => {
        pieces.push(rows as T[]);
        wake();
      },
    )
      .then(
        (last) => void (last.length > 0 && pieces.push(last)),
        (error: Error) => (failure = error),
      )
      .finally(() => {
        ended = true;
        wake();
      });
    try {
      for (;;) {
        const piece = pieces.shift();
        if (piece !== undefined) {
          yield piece;
          if (!ended) port.postMessage({ kind: 'more', id: streamId } satisfies ToOwner);
        } else if (failure !== null) throw failure as Error;
        else if (ended) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    } finally {
      cancel(streamId);
    }
  }

  try {
    await request((id) => ({
      kind: 'open',
      id,
      options: {
        path: options.path,
        memoryLimitBytes: options.memoryLimitBytes,
        ...(options.spillFolder === undefined ? {} : { spillFolder: options.spillFolder }),
        ...(options.services === undefined ? {} : { services: options.services }),
      },
    }));
  } catch (error) {
    await end();
    throw error;
  }

  return {
    db,
    analytics,
    service: (name) => ({
      call: (message) => request((id) => ({ kind: 'call', id, service: name, message })),
      post: (message, transfer) =>
        port.postMessage({ kind: 'post', service: name, message } satisfies ToOwner, transfer ?? []),
      onPost: (listener) => listeners.set(name, listener),
    }),
    shedCache: () => port.postMessage({ kind: 'shed-cache' } satisfies ToOwner),
    interruptAll: () => port.postMessage({ kind: 'interrupt-all' } satisfies ToOwner),
    get stuckCount() {
      return stuckCount;
    },
    async close() {
      if (hasEnded) return;
      await request((id) => ({ kind: 'close', id }));
      // The thread would end only after the statements that go on in it.
      if (stuckCount === 0) await end();
    },
  };

  function errorOf(failure: Failure): Error {
    if (failure.reason === 'interrupted') return new InterruptedError(failure.message);
    if (failure.reason === 'statement') return new DatabaseError(failure.message);
    if (failure.reason === 'unavailable') return unavailable(failure.message);
    return new StoreOpenError(failure.reason, failure.message, failure.holderPid);
  }
}

/** What a client gets while the store is in trouble; `detail` is the reason as a sentence. */
function unavailable(detail: string): Error {
  return fail('database_unavailable', { detail, headers: { 'Retry-After': '1' } });
}

function named(query: QueryName | undefined): { query?: QueryName } {
  return query === undefined ? {} : { query };
}

function onAbort(signal: AbortSignal | undefined, cancel: () => void): void {
  if (signal === undefined) return;
  if (signal.aborted) queueMicrotask(cancel);
  else signal.addEventListener('abort', cancel, { once: true });
}

function startOwner(options: StoreOptions, onEnd: () => void): { port: Port; end: () => Promise<void> } {
  if (options.workerUrl === null) {
    const { port1, port2 } = new MessageChannel() as unknown as { port1: TestPort; port2: TestPort };
    options.serve!(port2);
    return {
      port: port1,
      end: async () => {
        port1.close();
        port2.close();
      },
    };
  }
  const worker = new Worker(options.workerUrl, { name: 'store' });
  let ending = false;
  let failure: Error | null = null;
  worker.on('error', (error: Error) => {
    failure ??= error;
    onEnd();
  });
  // Not before its end: until then it holds the file.
  worker.on('exit', () => {
    if (!ending && failure !== null) options.onCrash?.(failure);
  });
  return {
    port: worker as unknown as Port,
    end: async () => {
      ending = true;
      await worker.terminate();
    },
  };
}

interface TestPort extends Port {
  close(): void;
}
