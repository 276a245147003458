import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  InterruptedError,
  type Analytics,
  type Params,
  type QueryOptions,
  type Row,
  type Value,
} from '../../db/db.ts';
import { sizeOf, statementKey } from '../../db/statement-key.ts';
import { fail } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { QueryName } from '../../lib/stopped-queries.ts';

/** One compiled statement and the data that it is about. */
export interface Statement {
  readonly projectId: number;
  /** Version of the project's data, read before the statement runs. */
  readonly version: number;
  readonly sql: string;
  readonly params: Params;
  /** Number of columns, named c0, c1… */
  readonly columns: number;
  /** It reads what changes without a new version: it is computed each time. */
  readonly readsStored: boolean;
  /** What runs it; left out: the file. */
  readonly engine?: Pick<Analytics, 'stream'>;
}

interface StatementRows {
  readonly rows: readonly (readonly Value[])[];
  /** Unix milliseconds: when they were computed. */
  readonly at: number;
  readonly isCached: boolean;
}

export interface StatementOptions {
  /** Results computed before this sequence number are not used; 0: all are. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** The query of the statement. */
  readonly query?: QueryName;
}

/**
 * Caches results of statements until the data of their project changes. A statement contains everything that was
 * decided about its query (rules, types, times), so nothing else can make a result stale.
 */
interface StatementCache {
  /** The current sequence number: all results so far have at most this one. */
  sequence(): number;
  /** A cached result, or null. */
  find(statement: Statement, after: number): StatementRows | null;
  /**
   * Returns a cached result, joins a running computation of the same statement, or computes it. A computation is
   * interrupted when all callers have left; each has its own time limit. Throws DatabaseError, and result_too_large.
   */
  run(statement: Statement, options: StatementOptions): Promise<StatementRows>;
}

/** Bytes of all cached results. */
const CACHE_BYTES = 64 * 1_048_576;
/** Larger results are not cached. */
const MAX_ENTRY_BYTES = 16 * 1_048_576;
/** Larger results are an error. */
const MAX_RESULT_BYTES = 128 * 1_048_576;

/** Bytes of an empty result with its key. */
const ENTRY_BYTES = 300;

interface CachedResult {
  /** Its sequence number among all computations. */
  sequence: number;
  rows: readonly (readonly Value[])[];
  at: number;
  version: number;
  bytes: number;
}

/** The statement was interrupted at the time limit of the caller that started it. */
class SharedTimeoutError extends InterruptedError {}

/** A running statement and the number of its callers. */
interface SharedRun {
  done: Promise<CachedResult>;
  stop: AbortController;
  waiting: number;
}

export function createStatementCache({
  analytics,
  clock,
  answeredAtMost: maxResultBytes = MAX_RESULT_BYTES,
}: {
  analytics: Pick<Analytics, 'stream'>;
  clock: Clock;
  /** Bytes of one answer. */
  answeredAtMost?: number;
}): StatementCache {
  const cache = new LRUCache<string, CachedResult>({
    maxSize: CACHE_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const sharedRuns = new Map<string, SharedRun>();
  let lastSequence = 0;

  async function compute(statement: Statement, options: QueryOptions): Promise<CachedResult> {
    const rows: Value[][] = [];
    const sequence = ++lastSequence;
    const names = Array.from({ length: statement.columns }, (_, at) => `c${at}`);
    let bytes = ENTRY_BYTES;
    const pieces = (statement.engine ?? analytics).stream<Row>(statement.sql, statement.params, options);
    for await (const piece of pieces) {
      for (const row of piece) {
        const values = names.map((name) => row[name] ?? null);
        bytes += sizeOf(values);
        rows.push(values);
      }
      if (bytes > maxResultBytes) throw fail('result_too_large');
    }
    return { sequence, rows, at: clock(), version: statement.version, bytes };
  }

  function start(
    key: string,
    statement: Statement,
    { timeoutMs, query }: Omit<StatementOptions, 'signal'>,
  ): SharedRun {
    const stop = new AbortController();
    const done = compute(statement, { timeoutMs, signal: stop.signal, ...(query && { query }) });
    const sharedRun: SharedRun = { done, stop, waiting: 0 };
    sharedRuns.set(`${key}:${statement.version}`, sharedRun);
    const end = (): void => {
      if (sharedRuns.get(`${key}:${statement.version}`) === sharedRun)
        sharedRuns.delete(`${key}:${statement.version}`);
    };
    done.then((answer) => {
      end();
      // A result for newer data is kept.
      if ((cache.peek(key)?.version ?? -1) <= answer.version) cache.set(key, answer);
    }, end);
    return sharedRun;
  }

  /**
   * Waits for the shared run until the caller's signal or time limit; the last caller to leave stops it. Null: the
   * run has the time limit itself.
   */
  async function wait(
    sharedRun: SharedRun,
    leave: () => void,
    signal: AbortSignal,
    timeoutMs: number | null,
  ): Promise<CachedResult> {
    sharedRun.waiting++;
    let onAbort: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    const left = new Promise<never>((_, reject) => {
      onAbort = () => reject(new DOMException('No request waits for the result', 'AbortError'));
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      const onTimeout = (): void => reject(new InterruptedError('The time limit of the query has passed'));
      if (timeoutMs !== null) timer = setTimeout(onTimeout, timeoutMs);
    });
    try {
      return await Promise.race([sharedRun.done, left]);
    } finally {
      signal.removeEventListener('abort', onAbort!);
      clearTimeout(timer);
      sharedRun.waiting--;
      if (sharedRun.waiting === 0) leave();
    }
  }

  async function computeShared(statement: Statement, options: StatementOptions): Promise<CachedResult> {
    const { signal, timeoutMs } = options;
    const key = keyOf(statement);
    const runKey = `${key}:${statement.version}`;
    const joined = sharedRuns.get(runKey);
    const sharedRun = joined ?? start(key, statement, options);
    const leave = (): void => {
      // The run has already finished.
      if (sharedRuns.get(runKey) !== sharedRun) return;
      sharedRuns.delete(runKey);
      sharedRun.stop.abort();
    };
    if (joined === undefined) return await wait(sharedRun, leave, signal, null);
    let isOver = false;
    sharedRun.done.catch(() => (isOver = true));
    try {
      return await wait(sharedRun, leave, signal, timeoutMs);
    } catch (error) {
      if (isOver && error instanceof InterruptedError) throw new SharedTimeoutError(error.message);
      throw error;
    }
  }

  function find(statement: Statement, after: number): StatementRows | null {
    if (statement.readsStored) return null;
    const cached = cache.get(keyOf(statement));
    if (cached === undefined || cached.version !== statement.version || cached.sequence <= after) return null;
    return { rows: cached.rows, at: cached.at, isCached: true };
  }

  return {
    sequence: () => lastSequence,
    find,
    async run(statement, options) {
      const { after, timeoutMs, signal, query } = options;
      if (statement.readsStored) {
        const { rows, at } = await compute(statement, { timeoutMs, signal, ...(query && { query }) });
        return { rows, at, isCached: false };
      }
      const until = performance.now() + timeoutMs;
      for (let left = timeoutMs; ; left = until - performance.now()) {
        const cached = find(statement, after);
        if (cached !== null) return cached;
        try {
          const { rows, at } = await computeShared(statement, { ...options, timeoutMs: left });
          return { rows, at, isCached: false };
        } catch (error) {
          // The caller that started it had a shorter time limit, so run it again.
          if (!(error instanceof SharedTimeoutError) || performance.now() >= until - 1) throw error;
        }
      }
    },
  };
}

function keyOf({ projectId, sql, params }: Statement): string {
  return createHash('sha256')
    .update(`${projectId}\n${statementKey(sql, params)}`)
    .digest('base64');
}
