import { signInOnDesktop } from './desktop.api.ts';

/** The single HTTP client of the console: JSON both ways, the session cookie, and errors as values of one class. */

/** A refusal or a failed journey. `status` is 0 when no answer came at all. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;
  readonly attr: string | null;

  constructor(status: number, code: string, detail: string, attr: string | null = null) {
    super(detail);
    this.name = 'ApiFailure';
    this.status = status;
    this.code = code;
    this.attr = attr;
  }
}

let onSignedOut: () => void = () => {};

/** Sets the callback for a session that the server no longer accepts. */
export function whenSignedOut(callback: () => void): void {
  onSignedOut = callback;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: unknown;
  /** Sent as it is, in place of a body. */
  file?: Blob;
  query?: Record<string, string | number | boolean | undefined>;
  /** True where a 401 speaks of a credential in the body, not of the session. */
  hasOwnCredential?: boolean;
  /** Requests the created object from an action whose response is usually empty. */
  requestsRepresentation?: boolean;
  signal?: AbortSignal;
}

/** Sends a request and returns the parsed response (`undefined` for an empty one, like 204); throws `ApiFailure`. */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const text = await (await accepted(path, options)).text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** Requests a file; throws `ApiFailure`. */
export async function requestFile(path: string, options: RequestOptions = {}): Promise<Blob> {
  return await (await accepted(path, options)).blob();
}

/** Requests server-sent events and calls back with the JSON of each; settles after the last one, throws `ApiFailure`. */
export async function requestMessages<Message>(
  path: string,
  options: RequestOptions,
  onMessage: (message: Message) => void,
): Promise<void> {
  const { body } = await accepted(path, options);
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      const messages = (rest + part.value).split('\n\n');
      rest = messages.pop()!;
      for (const text of messages) onMessage(JSON.parse(text.replace(/^data: /, '')) as Message);
    }
  } catch (error) {
    if (options.signal?.aborted || error instanceof SyntaxError) throw error;
    throw new ApiFailure(0, 'unreachable', 'Burrow stopped responding.');
  }
}

async function accepted(path: string, options: RequestOptions): Promise<Response> {
  const ask = (): Promise<Response> => send(path + queryText(options.query), options);
  let response = await ask();
  if (response.status === 401 && !options.hasOwnCredential) {
    // Sessions end with the server; the desktop app signs in again, and the page loses nothing.
    if (await signInOnDesktop()) response = await ask();
    if (response.status === 401) onSignedOut();
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** An answer as it came, whatever its status, and how long it took. */
export interface Exchange {
  status: number;
  text: string;
  milliseconds: number;
}

/** Posts JSON and gives the answer back unread; throws `ApiFailure` when none comes. */
export async function exchange(
  path: string,
  { body, headers = {} }: { body: unknown; headers?: Readonly<Record<string, string>> },
): Promise<Exchange> {
  const started = performance.now();
  const response = await send(path, { method: 'POST', body, headers });
  const text = await response.text();
  return { status: response.status, text, milliseconds: performance.now() - started };
}

/** The query with its question mark, or nothing; undefined values are left out. */
export function queryText(query: RequestOptions['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `?${search}` : '';
}

async function send(
  path: string,
  {
    method = 'GET',
    body,
    file,
    headers: given = {},
    requestsRepresentation = false,
    signal,
  }: RequestOptions & { headers?: Readonly<Record<string, string>> },
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...given };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (requestsRepresentation) headers['Prefer'] = 'return=representation';
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (signal) init.signal = signal;
  if (body !== undefined) init.body = JSON.stringify(body);
  if (file !== undefined) {
    headers['Content-Type'] = 'application/octet-stream';
    init.body = file;
  }
  try {
    return await fetch(path, init);
  } catch {
    throw new ApiFailure(0, 'unreachable', 'Burrow did not respond.');
  }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const fallback = `The server responded with status ${response.status}.`;
  try {
    const body = (await response.json()) as { code?: string; detail?: string; attr?: string | null };
    return new ApiFailure(response.status, body.code ?? 'error', body.detail ?? fallback, body.attr ?? null);
  } catch {
    // A proxy may answer with a page of its own.
    return new ApiFailure(response.status, 'error', fallback);
  }
}
