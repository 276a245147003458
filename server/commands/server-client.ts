import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import { askForConsoleLink, NotRunningError } from '../console-link.ts';
import { refusalOf, sendLocally, textOf } from '../http/local-request.ts';
import { CommandError, type Terminal } from './terminal.ts';
import { timeLimit } from '../lib/time-limit.ts';

const SESSION = '/api/burrow/session/';
/** A stream of events that is silent for so long is taken for broken: the server pings every 15 s. */
const SILENCE_MS = 40_000;
/** For requests that clean up. */
const LAST_LIMIT_MS = 2_000;

const session = z.object({
  projects: z.array(z.object({ id: z.int(), name: z.string() })),
  current_project_id: z.int(),
});

/** The server answered that it does not do this. */
export class RefusedError extends CommandError {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

interface RequestOptions {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, in place of a body. */
  file?: { stream: Readable; bytes: number };
  /** Ends this request, as the terminal's signal ends all. */
  signal?: AbortSignal;
  /** The answer is a stream that pings. */
  pings?: boolean;
}

/** The running server, as its owner. */
export interface ServerClient {
  /** The project with this ID, else the one that the console shows. Throws CommandError. */
  projectId(requested: number | null): number;
  /** The answer, while its body arrives. Throws RefusedError, NotRunningError. */
  open(path: string, options?: RequestOptions): Promise<IncomingMessage>;
  /** The answer as JSON. */
  json(path: string, options?: RequestOptions): Promise<unknown>;
  /** Deletes what the path names. */
  remove(path: string): Promise<void>;
  /** A request that also leaves after Ctrl+C, and throws no error. */
  lastly(path: string, method: 'POST' | 'DELETE'): Promise<void>;
  /** Signs out. */
  close(): Promise<void>;
}

/**
 * Signs in to the server of a data folder, by a link that the key of its run file creates (decision 113). Requests end
 * with the terminal's signal. Throws NotRunningError.
 */
export async function signIn(dataDir: string, terminal: Terminal): Promise<ServerClient> {
  const link = new URL(await askForConsoleLink(dataDir, terminal.startCommand));
  const token = link.hash.replace('#token=', '');
  async function send(
    path: string,
    { method = 'GET', body, file, pings = false }: RequestOptions,
    signal: AbortSignal,
    cookie?: string,
  ): Promise<IncomingMessage> {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(cookie === undefined ? {} : { Cookie: cookie }),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(file === undefined
        ? {}
        : { 'Content-Type': 'application/octet-stream', 'Content-Length': String(file.bytes) }),
    };
    const { hostname, port } = link;
    const target = { host: hostname.replaceAll(/[[\]]/g, ''), port: Number(port || 80) };
    const silenceMs = pings ? SILENCE_MS : undefined;
    const answer = await sendLocally({
      ...target,
      path,
      method,
      headers,
      body: file?.stream ?? text,
      signal,
      silenceMs,
    }).catch((error: unknown) => {
      if (signal.aborted) throw error;
      throw new NotRunningError('The server has closed the connection.', { cause: error });
    });
    const status = answer.statusCode!;
    if (status < 400) return answer;
    throw new RefusedError(status, await refusalOf(answer));
  }

  const answer = await send(SESSION, { method: 'POST', body: { token } }, terminal.signal);
  const cookie = answer.headers['set-cookie']?.[0]?.split(';', 1)[0];
  const { projects, current_project_id: current } = session.parse(JSON.parse((await textOf(answer))!));
  const open = (path: string, options: RequestOptions = {}): Promise<IncomingMessage> =>
    send(
      path,
      options,
      options.signal === undefined ? terminal.signal : AbortSignal.any([terminal.signal, options.signal]),
      cookie,
    );

  /** What cannot be ended or deleted is left to the server. */
  async function lastly(path: string, method: 'POST' | 'DELETE'): Promise<void> {
    const limit = timeLimit(LAST_LIMIT_MS);
    const answer = await send(path, { method }, limit, cookie).catch(() => null);
    answer?.resume();
  }
  const remove = (path: string): Promise<void> => lastly(path, 'DELETE');

  return {
    projectId(requested) {
      const id = requested ?? current;
      if (projects.some((project) => project.id === id)) return id;
      const list = projects.map((project) => `${project.id} (${project.name})`).join(', ');
      throw new CommandError(`There is no project ${id}. Projects: ${list}.`);
    },
    open,
    json: async (path, options) => JSON.parse((await textOf(await open(path, options)))!) as unknown,
    remove,
    lastly,
    close: () => remove(SESSION),
  };
}
