import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../lib/clock.ts';
import { parseExactly, stringifyExactly } from '../../lib/exact-number.contract.ts';

/** A copy cannot go on; the message is a sentence for its user. */
export class CopyError extends Error {}

/** The host refused a request for good: what it was for is left out, or the copy ends. */
export class RefusedByHost extends CopyError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** The host did not answer in time, or not at all, also after several tries. */
export class NoAnswer extends CopyError {}

export interface HostRequestParts {
  method: 'GET' | 'POST' | 'PATCH';
  /** From the root of the host. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

export interface HostAnswer {
  status: number;
  retryAfter: string | null;
  text: string;
}

/** Sends one request. Throws NoAnswer when none came, CopyError when another try would end the same way. */
export type HostCall = (request: HostRequestParts) => Promise<HostAnswer>;

export type Row = readonly unknown[];

/** A project on a host with PostHog's API: another machine, or this server. */
export interface HostClient {
  /** How messages name it. */
  readonly name: string;
  /** JSON of `path` below the project. Throws CopyError. */
  get(path: string): Promise<unknown>;
  post(path: string, body: object): Promise<unknown>;
  patch(path: string, body: object): Promise<unknown>;
  /** All objects of a list, page by page. */
  list(path: string): AsyncIterable<Record<string, unknown>>;
  /** Rows of a HogQL statement, which has a LIMIT. */
  rows(query: string, values?: object): Promise<Row[]>;
  /** Sends texts of events to `/batch/`, as history. */
  send(events: readonly string[]): Promise<void>;
}

export interface HostClientParts {
  name: string;
  call: HostCall;
  projectId: number | string;
  /** Of the management API. */
  headers: Readonly<Record<string, string>>;
  /** Of the project, which events are sent with; null: none are. */
  projectKey: string | null;
  signal: AbortSignal;
  clock: Clock;
}

const TOO_OFTEN = 429;
const TRIES = 8;
const MAX_PAUSE_MS = 60_000;
/** A host that names a longer pause is not waited for. */
const MAX_RETRY_AFTER_MS = 3_600_000;
const PAGE = 100;

export function createHostClient({
  name,
  call,
  projectId,
  headers,
  projectKey,
  signal,
  clock,
}: HostClientParts): HostClient {
  const project = `/api/projects/${projectId}/`;

  /** `repeats`: the same request twice has the effect of one. */
  async function request(
    parts: Pick<HostRequestParts, 'method' | 'path' | 'headers' | 'body'>,
    repeats: boolean,
  ): Promise<string> {
    for (let tries = 1; ; tries++) {
      let pause = Math.min(MAX_PAUSE_MS, 500 * 2 ** tries);
      let problem: CopyError;
      try {
        const answer = await call({ ...parts, signal });
        if (answer.status < 300) return answer.text;
        problem = refusalOf(name, answer);
        if (answer.status === TOO_OFTEN) pause = pauseOf(answer.retryAfter, clock()) ?? pause;
        else if (answer.status < 500 || !repeats) throw problem;
      } catch (error) {
        if (!(error instanceof NoAnswer) || !repeats) throw error;
        problem = error;
      }
      if (tries === TRIES || pause > MAX_RETRY_AFTER_MS) throw problem;
      await sleep(pause, undefined, { signal });
    }
  }

  async function json(method: HostRequestParts['method'], path: string, body?: object): Promise<unknown> {
    const text = body === undefined ? '' : stringifyExactly(body);
    const repeats = method !== 'POST' || path === 'query/';
    const found = await request({ method, path: project + path, headers, body: text }, repeats);
    if (found === '') return null;
    try {
      return parseExactly(found);
    } catch {
      throw new CopyError(`${name} answered ${project}${path.split('?')[0]} with something that is no JSON.`);
    }
  }

  return {
    name,
    get: (path) => json('GET', path),
    post: (path, body) => json('POST', path, body),
    patch: (path, body) => json('PATCH', path, body),
    async *list(path) {
      for (let offset = 0; ; offset += PAGE) {
        const page = (await json(
          'GET',
          `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}&offset=${offset}`,
        )) as { results?: Record<string, unknown>[]; next?: string | null };
        yield* page.results ?? [];
        if (!page.next || (page.results ?? []).length === 0) return;
      }
    },
    async rows(query, values = {}) {
      const body = { query: { kind: 'HogQLQuery', query, values }, refresh: 'force_blocking' };
      const answer = (await json('POST', 'query/', body)) as { results?: Row[] };
      return answer.results ?? [];
    },
    async send(events) {
      if (events.length === 0) return;
      const body = `{"api_key":${JSON.stringify(projectKey)},"historical_migration":true,"batch":[${events.join(',')}]}`;
      // An event that arrives again is the same one by its uuid.
      await request({ method: 'POST', path: '/batch/', headers: {}, body }, true);
    },
  };
}

/** Milliseconds of a Retry-After header (RFC 9110 10.2.3); `now` in Unix milliseconds. */
function pauseOf(header: string | null, now: number): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

function refusalOf(name: string, { status, text }: HostAnswer): RefusedByHost {
  let detail = '';
  try {
    const body = JSON.parse(text) as { detail?: unknown };
    if (typeof body.detail === 'string') detail = ` ${body.detail.slice(0, 300)}`;
  } catch {
    // The status says it.
  }
  if (status === 401 || status === 403)
    return new RefusedByHost(status, `${name} refused the key (status ${status}).${detail}`);
  if (status === TOO_OFTEN)
    return new RefusedByHost(
      status,
      `${name} answered too many requests for too long. Resume later.${detail}`,
    );
  return new RefusedByHost(status, `${name} answered with status ${status}.${detail}`);
}
