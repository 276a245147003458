import { stringifyExactly } from '../lib/exact-number.contract.ts';
import type { ErrorRequestHandler } from 'express';
import type { ServerResponse } from 'node:http';
import { ApiError, fail, type ErrorName } from '../errors.ts';
import type { Log } from '../lib/log.ts';

/** What Express and its body reader throw, by their `type`. */
const BODY_ERRORS: Readonly<Record<string, { name: ErrorName; detail?: string }>> = {
  'entity.too.large': { name: 'payload_too_large', detail: 'The body is larger than 20971520 bytes.' },
  'encoding.unsupported': {
    name: 'unsupported_media_type',
    detail: 'This Content-Encoding is not supported.',
  },
  'request.size.invalid': {
    name: 'parse_error',
    detail: 'The length of the body does not match its Content-Length.',
  },
  'request.aborted': { name: 'parse_error', detail: 'The body is incomplete.' },
};

/**
 * The only renderer of errors of management API and console. What is not from the table is answered by one fixed 500,
 * and logged with the request's id; its text may quote statements or files and reaches no client.
 */
export function createErrorHandler({ log }: { log: Log }): ErrorRequestHandler {
  return (error: unknown, req, res, _next) => {
    const known = toApiError(error);
    if (known === null && !res.destroyed) {
      const requestId = res.getHeader('X-Request-Id');
      log.error({ err: error, requestId, method: req.method, path: req.path }, 'A request failed.');
    }
    // A partial response cannot become an error: the broken connection signals it.
    if (res.headersSent) return void res.destroy();
    const answer = known ?? fail('server_error');
    for (const [name, value] of Object.entries(answer.headers)) res.setHeader(name, value);
    sendJson(res, answer.status, answer.body);
  };
}

function toApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  // Express could not decode the path.
  if (error instanceof URIError) return fail('unknown_path');
  const row = BODY_ERRORS[(error as { type?: string } | null)?.type ?? ''];
  if (row !== undefined) return fail(row.name, row.detail === undefined ? {} : { detail: row.detail });
  // A compressed body that is not what it claims to be comes from zlib, or from its brotli.
  const isZlib = /^(Z_|ERR__ERROR_)/.test(String((error as { code?: unknown } | null)?.code));
  return isZlib ? fail('parse_error', { detail: 'The body could not be decompressed.' }) : null;
}

/** Sends a JSON response with its length. NaN and Infinity become null (management contract 2.1). */
export function sendJson(res: ServerResponse, status: number, body: unknown): void {
  const text = stringifyExactly(body);
  res.statusCode = status;
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.end(text);
}
