import { z } from 'zod';
import type { Scope } from '../../http/define-route.ts';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { timeLimit } from '../../lib/time-limit.ts';

/** A tool cannot do what it was called for; `message` is a sentence for the assistant and its user. */
export class ToolError extends Error {}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH';
  /** With its query. */
  path: string;
  body?: unknown;
  signal: AbortSignal;
}

/**
 * Calls the management API as the caller of the tools, so that scopes, access rules and the activity log are those of any
 * other client. Numbers keep their digits. Throws ToolError with the sentence of a refusal.
 */
export type CallApi = (request: ApiRequest) => Promise<unknown>;

type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** An object of the API, of which a tool shows some fields. */
type Found = Readonly<Record<string, unknown>>;

/** The management API within one call of a tool. */
export interface ToolApi {
  /** `P/…` is a path of the project, as in the route table. */
  get<T = Found>(path: string, query?: Parameters): Promise<T>;
  post<T = Found>(path: string, body: unknown): Promise<T>;
  patch<T = Found>(path: string, body: unknown): Promise<T>;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the key needs for the tool to be listed; the API checks it again at each call. */
  readonly scope: Exclude<Scope, '*'>;
  /** Listed only where writes are allowed. */
  readonly writes?: true;
  /** It deletes, or replaces what was there. */
  readonly destructive?: true;
  readonly input: z.ZodObject;
  run(input: never, api: ToolApi): Promise<string>;
}

/** Declares a tool, whose input reaches `run` typed by its schema. */
export function defineTool<S extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & { input: S; run(input: z.output<S>, api: ToolApi): Promise<string> },
): Tool {
  return tool as unknown as Tool;
}

/** Within one call; the query is canceled then. */
const CALL_LIMIT_MS = 60_000;

export function createToolApi(callApi: CallApi, project: number | null, caller: AbortSignal): ToolApi {
  const limit = timeLimit(CALL_LIMIT_MS);
  const signal = AbortSignal.any([caller, limit]);
  async function send<T>(method: ApiRequest['method'], path: string, body?: unknown): Promise<T> {
    const whole = path.replace(/^P\//, `/api/projects/${project ?? '@current'}/`);
    try {
      return (await callApi({ method, path: whole, body, signal })) as T;
    } catch (error) {
      if (!limit.aborted) throw error;
      throw new ToolError(
        `This took longer than ${CALL_LIMIT_MS / 1000} seconds and was canceled. Choose a shorter time range or fewer rows.`,
      );
    }
  }
  return {
    get: (path, query = {}) => send('GET', path + queryText(query)),
    post: (path, body) => send('POST', path, body),
    patch: (path, body) => send('PATCH', path, body),
  };
}

function queryText(query: Parameters): string {
  const set = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  const text = new URLSearchParams(
    set.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

/** The named fields of an object, without those that are empty: an assistant pays for every word it reads. */
export function pick(from: Found, names: readonly string[]): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(names.filter((name) => !isEmpty(from[name])).map((name) => [name, from[name]]));
}

interface Page {
  count?: number;
  next?: string | null;
  results: readonly Found[];
}

/** A page of a list as text: an object in each line, and where it goes on. */
export function pageText(
  found: object,
  names: readonly string[],
  { offset = 0 }: { offset?: number | undefined } = {},
): string {
  const { results, count, next } = found as Page;
  if (results.length === 0) return offset === 0 ? 'Nothing was found.' : 'There is nothing further.';
  const lines = results.map((one) => stringifyExactly(pick(one, names)));
  if (next) {
    const total = count === undefined ? '' : ` of ${count}`;
    lines.push(
      `(${offset + 1} to ${offset + results.length}${total}; continue with offset ${offset + results.length}.)`,
    );
  }
  return lines.join('\n');
}

const MAX_LIMIT = 200;

/** The input of every list. */
export const page = {
  limit: z.int().min(1).max(MAX_LIMIT).default(50).describe(`How many, up to ${MAX_LIMIT}`),
  offset: z.int().min(0).default(0).describe('How many to skip'),
};

/** An id in a path. */
export function inPath(id: string | number): string {
  return encodeURIComponent(String(id));
}
