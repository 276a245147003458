import { LRUCache } from 'lru-cache';
import { fail } from '../../errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { isoOrNull } from '../../lib/iso-date.ts';
import type { NewId } from '../../lib/ids.ts';
import type { QueryAnswerJson, QueryStatusJson } from './query.contract.ts';
import { CANCELLED, refusalOf } from './query-errors.ts';

/** Identifies a query for status and cancellation. */
interface QueryName {
  readonly projectId: number;
  readonly id: string;
  /** Started without access to persons; a query started with access is not found without it. */
  readonly hidesPersons?: boolean;
}

/** A started query and its result; `status` is its status response. */
export interface QueryState {
  readonly status: 200 | 202 | 400 | 500;
  readonly json: QueryStatusJson;
}

/** Running queries by ID, and the results of finished async ones. */
export interface AsyncQueries {
  /** Runs `work` beside the request. A query of this name that is under way is not begun again. Throws throttled. */
  start(name: Omit<QueryName, 'id'> & { id: string | null }, work: Work): QueryState;
  /** Runs `work` for a client that waits, so that it can be cancelled by its id. */
  attend<T>(name: QueryName, signal: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Null: there is no such query, or not any more. */
  find(name: QueryName): QueryState | null;
  /** Interrupts a query; false when there is none of this name. */
  cancel(name: QueryName): boolean;
  close(): void;
}

type Work = (signal: AbortSignal) => Promise<QueryAnswerJson>;

const RUNNING_AT_MOST = 100;
const KEPT_MS = 600_000;
/** Characters of the answers that are kept. */
const KEPT_LENGTH = 64 * 1_048_576;

interface Running {
  readonly json: QueryStatusJson;
  readonly stop: AbortController;
}

interface Ended extends QueryState {
  readonly expiresAt: number;
  readonly length: number;
}

export function createAsyncQueries({
  clock,
  newId,
  onFailure,
}: {
  clock: Clock;
  newId: NewId;
  /** Called for errors that are not caused by the query. */
  onFailure: (error: unknown) => void;
}): AsyncQueries {
  const running = new Map<string, Running>();
  const attended = new Map<string, Set<AbortController>>();
  const ended = new LRUCache<string, Ended>({
    maxSize: KEPT_LENGTH,
    sizeCalculation: ({ length }) => length,
  });

  function end(key: string, json: QueryStatusJson, status: QueryState['status'], length: number): void {
    running.delete(key);
    const now = clock();
    const expiresAt = now + KEPT_MS;
    const times = { end_time: isoOrNull(now), expiration_time: isoOrNull(expiresAt) };
    ended.set(key, { status, json: { ...json, complete: true, ...times }, expiresAt, length });
  }

  async function run(key: string, { json, stop }: Running, work: Work): Promise<void> {
    try {
      const results = await work(stop.signal);
      const length = JSON.stringify(results).length;
      if (length > KEPT_LENGTH) throw fail('result_too_large');
      end(key, { ...json, results }, 200, length + 1_000);
    } catch (error) {
      const refusal = stop.signal.aborted ? fail('query_cancelled') : refusalOf(error, null);
      if (refusal === null) onFailure(error);
      const message = (refusal ?? fail('server_error')).message;
      end(key, { ...json, error: true, error_message: message }, refusal === null ? 500 : 400, 1_000);
    }
  }

  function find(name: QueryName): QueryState | null {
    const key = keyOf(name);
    const now = running.get(key);
    if (now !== undefined) return { status: 202, json: now.json };
    const before = ended.get(key);
    return before === undefined || before.expiresAt <= clock() ? null : before;
  }

  return {
    find,
    start({ projectId, id: requestedId, hidesPersons }, work) {
      const id = requestedId ?? newId();
      const key = keyOf({ projectId, id, ...(hidesPersons !== undefined && { hidesPersons }) });
      const known = running.get(key);
      if (known !== undefined) return { status: 202, json: known.json };
      if (running.size >= RUNNING_AT_MOST)
        throw fail('throttled', { headers: { 'Retry-After': '1' }, detail: 'Too many queries are running.' });
      const started = { json: newStatus(projectId, id, clock()), stop: new AbortController() };
      running.set(key, started);
      ended.delete(key);
      void run(key, started, work);
      return { status: 202, json: started.json };
    },
    async attend(name, signal, work) {
      const key = keyOf(name);
      const stop = new AbortController();
      const all = attended.get(key) ?? new Set();
      attended.set(key, all.add(stop));
      try {
        return await work(AbortSignal.any([signal, stop.signal]));
      } catch (error) {
        throw stop.signal.aborted ? fail('query_cancelled') : error;
      } finally {
        all.delete(stop);
        if (all.size === 0) attended.delete(key);
      }
    },
    cancel(name) {
      const key = keyOf(name);
      const all = [...(attended.get(key) ?? [])];
      const own = running.get(key);
      if (own !== undefined) all.push(own.stop);
      for (const stop of all) stop.abort(CANCELLED);
      return all.length > 0 || find(name) !== null;
    },
    close() {
      for (const { stop } of running.values()) stop.abort(CANCELLED);
    },
  };
}

/** The status of a query that cannot run; it has no ID, since it was not started under one. */
export function failedStatus(projectId: number, message: string): QueryStatusJson {
  const never = { start_time: null, expiration_time: null };
  return { ...newStatus(projectId, '', 0), ...never, complete: true, error: true, error_message: message };
}

function newStatus(projectId: number, id: string, now: number): QueryStatusJson {
  return {
    id,
    team_id: projectId,
    query_async: true,
    complete: false,
    error: false,
    error_message: null,
    results: null,
    start_time: isoOrNull(now),
    end_time: null,
    expiration_time: isoOrNull(now + KEPT_MS),
    task_id: null,
    dashboard_id: null,
    insight_id: null,
    query_progress: null,
    labels: null,
  };
}

function keyOf({ projectId, id, hidesPersons = false }: QueryName): string {
  return `${projectId} ${hidesPersons} ${id}`;
}
