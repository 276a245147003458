import { stringifyExactly } from '../lib/exact-number.contract.ts';
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http';
import { ApiError, fail } from '../errors.ts';
import { createResponseBatcher } from './response-batcher.ts';

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

/** Sends a JSON response of the public API. A `body` that is text is sent unchanged. */
export function sendPublicJson(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  const text = typeof body === 'string' ? body : stringifyExactly(body);
  send(req, res, status, text, { 'Content-Type': 'application/json', ...headers });
}

/** Holds responses for at most one event loop turn. */
const responseBatcher = createResponseBatcher();

/** Sends any response of the public API, with CORS and length; a HEAD request gets no body. */
export function send(
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
  responseBatcher.end(res, req.method === 'HEAD' ? undefined : body);
}

/** Sends an ApiError; any other error becomes the fixed 500. */
export function sendError(req: IncomingMessage, res: ServerResponse, error: unknown): void {
  const known = error instanceof ApiError ? error : fail('server_error');
  sendPublicJson(req, res, known.status, known.body, known.headers);
}
