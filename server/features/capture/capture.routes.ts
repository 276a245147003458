import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail, type ApiError } from '../../errors.ts';
import { answer, answerError, answerJson } from '../../http/answer.ts';
import type { PublicRequest, PublicRoute } from '../../http/public-route.ts';
import { queryValue } from '../../http/query-text.ts';
import { readRawBody } from '../../http/read-body.ts';
import { originOf, type Capture } from './capture.service.ts';

/** Every answer to events that were taken: posthog-php accepts only 200, posthog-ruby only an object (contract 2.1). */
const ACCEPTED = '{"status":1}';
const ACCEPTED_HEADERS = { 'Content-Type': 'application/json', 'Content-Length': String(ACCEPTED.length) };

const CAPTURE_PATHS = ['/capture', '/batch', '/e', '/i/v0/e', '/i/v0/ai/batch', '/track'] as const;

/** The rows of the route table through which events arrive; all of them lead to the same `accept`. */
export function captureRoutes(capture: Capture, maxBodyBytes: number): PublicRoute[] {
  const routeOf = (paths: readonly string[], kind: 'capture' | 'engage', summary: string): PublicRoute => ({
    methods: ['POST', 'GET'],
    paths,
    preflight: 'capture',
    summary,
    handle: (request) => receive(request, kind),
    preflighted: (req, path) =>
      capture.knock({ ...knockOf(req, path), status: 200, outcome: 'preflight', code: null, detail: null }),
  });

  function receive(request: PublicRequest, kind: 'capture' | 'engage'): void {
    const { req, res } = request;
    if (request.method === 'GET' && queryValue(request.search, 'data') === null) {
      refuse(request, fail('method_not_allowed', { headers: { Allow: 'POST, OPTIONS' } }));
      return;
    }
    readRawBody(req, { maxBytes: maxBodyBytes, gate: capture.gate }, (error, body) => {
      if (error !== null) return refuse(request, error);
      capture.submit(request, kind, body, (refusal) => {
        if (refusal !== null) answerError(req, res, refusal);
        else accepted(request);
      });
    });
  }

  function refuse(request: PublicRequest, error: ApiError): void {
    capture.knock({
      ...knockOf(request.req, request.path),
      status: error.status,
      outcome: 'refused',
      code: error.body.code,
      detail: error.message,
    });
    answerError(request.req, request.res, error);
  }

  return [
    routeOf(CAPTURE_PATHS, 'capture', 'Takes one event or a batch; answers after they are durable.'),
    routeOf(['/engage'], 'engage', 'Takes person properties of old SDKs as an $identify event.'),
  ];

  function knockOf(req: IncomingMessage, path: string) {
    return { at: capture.now(), method: req.method ?? '', path, origin: originOf(req) };
  }
}

function accepted({ req, res, search }: PublicRequest): void {
  if (search.includes('beacon=1') && queryValue(search, 'beacon') === '1') return answer(req, res, 204, '');
  if (req.headers.origin !== undefined) return answerJson(req, res, 200, ACCEPTED);
  acceptedPlainly(res);
}

/** The common case of server SDKs, on the shortest way. */
function acceptedPlainly(res: ServerResponse): void {
  if (res.destroyed) return;
  res.writeHead(200, ACCEPTED_HEADERS);
  res.end(ACCEPTED);
}
