/** The one way by which the console asks its server: JSON both ways, the session cookie, and errors as values of one class. */

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

/** Names what happens when the server no longer knows this session. */
export function whenSignedOut(callback: () => void): void {
  onSignedOut = callback;
}

export interface RequestOptions {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  body?: unknown;
  query?: Record<string, string | number | boolean | undefined>;
  /** True where a 401 speaks of a credential in the body, not of the session. */
  hasOwnCredential?: boolean;
}

/** Asks `path` and returns the parsed answer (`undefined` for one without a body, like 204); throws `ApiFailure`. */
export async function request<Answer>(path: string, options: RequestOptions = {}): Promise<Answer> {
  const response = await send(path + queryText(options.query), options);
  if (response.status === 401 && !options.hasOwnCredential) onSignedOut();
  if (!response.ok) throw await failureOf(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** The query with its question mark, or nothing; undefined values are left out. */
export function queryText(query: RequestOptions['query'] = {}): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `?${search}` : '';
}

async function send(path: string, { method = 'GET', body }: RequestOptions): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const init: RequestInit = { method, headers, credentials: 'same-origin' };
  if (body !== undefined) init.body = JSON.stringify(body);
  try {
    return await fetch(path, init);
  } catch {
    throw new ApiFailure(0, 'unreachable', 'Burrow did not answer.');
  }
}

async function failureOf(response: Response): Promise<ApiFailure> {
  const fallback = `The server answered ${response.status}.`;
  try {
    const body = (await response.json()) as { code?: string; detail?: string; attr?: string | null };
    return new ApiFailure(response.status, body.code ?? 'error', body.detail ?? fallback, body.attr ?? null);
  } catch {
    return new ApiFailure(response.status, 'error', fallback);
  }
}
