import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { ApiError, fail } from '../errors.ts';
import { createAnswerBurst } from './answer-burst.ts';

/**
 * CORS of the public surface (ingestion contract 1.3): the Origin is mirrored because credentials forbid `*`, and
 * errors carry the headers too, or a browser SDK sees an opaque failure and retries.
 */
export function corsHeaders(req: IncomingMessage): Record<string, string> {
  const origin = req.headers.origin;
  if (origin === undefined) return {};
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'Retry-After, ETag',
    Vary: 'Origin',
  };
}

/** Writes a JSON answer of the public surface. `body` is sent as it is when it is text already. */
export function answerJson(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  answer(req, res, status, text, { 'Content-Type': 'application/json', ...headers });
}

/** Holds nothing beyond a turn of the loop. */
const burst = createAnswerBurst();

/** Writes any answer of the public surface, with CORS and length; a HEAD request gets no body. */
export function answer(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: Record<string, string> = {},
): void {
  if (res.headersSent || res.destroyed) return;
  res.writeHead(status, STATUS_CODES[status], {
    ...corsHeaders(req),
    ...headers,
    ...(status === 204 || status === 304 ? {} : { 'Content-Length': Buffer.byteLength(body) }),
  });
  burst.end(res, req.method === 'HEAD' ? undefined : body);
}

/** Writes an error of the table; anything else becomes the fixed 500. */
export function answerError(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  const known = error instanceof ApiError ? error : fail('server_error');
  answerJson(req, res, known.status, known.body, known.headers);
}
