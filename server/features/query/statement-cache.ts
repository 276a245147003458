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
  /** Of the project's data, read before the statement is asked. */
  readonly version: number;
  readonly sql: string;
  readonly params: Params;
  /** How many columns it has; they are called c0, c1… */
  readonly columns: number;
}

export interface StatementRows {
  readonly rows: readonly (readonly Value[])[];
  /** Unix milliseconds: when they were computed. */
  readonly at: number;
  readonly isCached: boolean;
}

/** How a statement is asked. */
export interface Asked {
  /** Answers that were begun before this mark (`StatementCache.mark`) do not count; 0: all do. */
  readonly after: number;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Whose statement it is. */
  readonly query?: QueryName;
}

/**
 * What statements have answered, until the data of their project changes. Statements carry all that was decided about a
 * query (rules, types, moments), so that nothing else can make an answer old.
 */
export interface StatementCache {
  /** The answers so far were begun before this. */
  mark(): number;
  /** Null: it would have to be computed. */
  find(statement: Statement, after: number): StatementRows | null;
  /**
   * Answers from memory, or from whoever computes the same just now, or computes it. What nobody waits for any more is
   * interrupted. Each waits as long as its own time limit, whoever began. Throws DatabaseError, and result_too_large.
   */
  run(statement: Statement, asked: Asked): Promise<StatementRows>;
}

/** Bytes of answers that are kept. */
const KEPT_BYTES = 64 * 1_048_576;
/** One that is larger is not kept. */
const KEPT_AT_MOST = 16 * 1_048_576;
/** One that is larger is not answered. */
const ANSWERED_AT_MOST = 128 * 1_048_576;

/** What an answer without rows takes, with its key. */
const ENTRY_BYTES = 300;

interface Kept {
  /** Its place among all that were begun. */
  turn: number;
  rows: readonly (readonly Value[])[];
  at: number;
  version: number;
  bytes: number;
}

/** The statement was ended at the time limit of whoever began it. */
class OthersTimeEnded extends InterruptedError {}

/** A statement that is being computed, and how many wait for it. */
interface Flight {
  done: Promise<Kept>;
  stop: AbortController;
  waiting: number;
}

export function createStatementCache({
  analytics,
  clock,
  answeredAtMost = ANSWERED_AT_MOST,
}: {
  analytics: Pick<Analytics, 'stream'>;
  clock: Clock;
  /** Bytes of one answer. */
  answeredAtMost?: number;
}): StatementCache {
  const kept = new LRUCache<string, Kept>({
    maxSize: KEPT_BYTES,
    maxEntrySize: KEPT_AT_MOST,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const flights = new Map<string, Flight>();
  let turns = 0;

  async function compute(statement: Statement, options: QueryOptions): Promise<Kept> {
    const rows: Value[][] = [];
    const turn = ++turns;
    const names = Array.from({ length: statement.columns }, (_, at) => `c${at}`);
    let bytes = ENTRY_BYTES;
    const pieces = analytics.stream<Row>(statement.sql, statement.params, options);
    for await (const piece of pieces) {
      for (const row of piece) {
        const values = names.map((name) => row[name] ?? null);
        bytes += sizeOf(values);
        rows.push(values);
      }
      if (bytes > answeredAtMost) throw fail('result_too_large');
    }
    return { turn, rows, at: clock(), version: statement.version, bytes };
  }

  function start(key: string, statement: Statement, { timeoutMs, query }: Omit<Asked, 'signal'>): Flight {
    const stop = new AbortController();
    const done = compute(statement, { timeoutMs, signal: stop.signal, ...(query && { query }) });
    const flight: Flight = { done, stop, waiting: 0 };
    flights.set(`${key}:${statement.version}`, flight);
    const end = (): void => {
      if (flights.get(`${key}:${statement.version}`) === flight)
        flights.delete(`${key}:${statement.version}`);
    };
    done.then((answer) => {
      end();
      // An answer about newer data stays.
      if ((kept.peek(key)?.version ?? -1) <= answer.version) kept.set(key, answer);
    }, end);
    return flight;
  }

  /** The flight's answer, or the end of waiting for it; whoever leaves last stops it. Null: it has its time limit itself. */
  async function wait(
    flight: Flight,
    leave: () => void,
    signal: AbortSignal,
    timeoutMs: number | null,
  ): Promise<Kept> {
    flight.waiting++;
    let onAbort: (() => void) | undefined;
    let timer: NodeJS.Timeout | undefined;
    const left = new Promise<never>((_, reject) => {
      onAbort = () => reject(new DOMException('Nobody waits for the answer', 'AbortError'));
      if (signal.aborted) onAbort();
      else signal.addEventListener('abort', onAbort, { once: true });
      const onTimeout = (): void => reject(new InterruptedError('The time for the answer is over'));
      if (timeoutMs !== null) timer = setTimeout(onTimeout, timeoutMs);
    });
    try {
      return await Promise.race([flight.done, left]);
    } finally {
      signal.removeEventListener('abort', onAbort!);
      clearTimeout(timer);
      flight.waiting--;
      if (flight.waiting === 0) leave();
    }
  }

  async function fly(statement: Statement, asked: Asked): Promise<Kept> {
    const { signal, timeoutMs } = asked;
    const key = keyOf(statement);
    const flightKey = `${key}:${statement.version}`;
    const joined = flights.get(flightKey);
    const flight = joined ?? start(key, statement, asked);
    const leave = (): void => {
      // One that has landed is none of them any more.
      if (flights.get(flightKey) !== flight) return;
      flights.delete(flightKey);
      flight.stop.abort();
    };
    if (joined === undefined) return await wait(flight, leave, signal, null);
    let isOver = false;
    flight.done.catch(() => (isOver = true));
    try {
      return await wait(flight, leave, signal, timeoutMs);
    } catch (error) {
      if (isOver && error instanceof InterruptedError) throw new OthersTimeEnded(error.message);
      throw error;
    }
  }

  function find(statement: Statement, after: number): StatementRows | null {
    const known = kept.get(keyOf(statement));
    if (known === undefined || known.version !== statement.version || known.turn <= after) return null;
    return { rows: known.rows, at: known.at, isCached: true };
  }

  return {
    mark: () => turns,
    find,
    async run(statement, asked) {
      const { after, timeoutMs } = asked;
      const until = performance.now() + timeoutMs;
      for (let left = timeoutMs; ; left = until - performance.now()) {
        const known = find(statement, after);
        if (known !== null) return known;
        try {
          const { rows, at } = await fly(statement, { ...asked, timeoutMs: left });
          return { rows, at, isCached: false };
        } catch (error) {
          // Whoever began had less time than who came later: then it is begun again.
          if (!(error instanceof OthersTimeEnded) || performance.now() >= until - 1) throw error;
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
