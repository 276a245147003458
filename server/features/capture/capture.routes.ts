import type { ServerResponse } from 'node:http';
import { ApiError, fail } from '../../errors.ts';
import { send, sendPublicJson } from '../../http/send.ts';
import type { PublicRequest, PublicRoute } from '../../http/public-route.ts';
import { queryValue } from '../../http/query-text.ts';
import { readAiClaims, readV1Claims } from './header-claims.ts';
import type { Answers, Door } from './door.ts';

/** Every answer to events that were taken: posthog-php accepts only 200, posthog-ruby only an object (contract 2.1). */
const ACCEPTED = '{"status":1}';
const ACCEPTED_HEADERS = { 'Content-Type': 'application/json', 'Content-Length': String(ACCEPTED.length) };

const CAPTURE_PATHS = ['/capture', '/batch', '/e', '/i/v0/e', '/i/v0/ai/batch', '/track'] as const;
const V1_PATHS = ['/i/v1/analytics/events', '/i/v1/ai/events'] as const;

const V0: Answers = { taken: accepted };
/** Responses of capture itself, which the store's thread writes. */
const OWN: Answers = { taken: ({ req, res }, body) => sendPublicJson(req, res, 200, body ?? ACCEPTED) };
/** Capture v1 has an error of its own form (ingestion contract 5). */
const V1: Answers = {
  ...OWN,
  refused: (req, res, error) =>
    sendPublicJson(
      req,
      res,
      error.status,
      { error: error.body.code, error_description: error.message },
      error.headers,
    ),
};

/** The rows of the route table through which events arrive; all of them lead to the same `accept`. */
export function captureRoutes(door: Door): PublicRoute[] {
  return [
    v0Route(
      door,
      CAPTURE_PATHS,
      'capture',
      'Captures one event or a batch; responds after the events are stored durably.',
    ),
    v0Route(door, ['/engage'], 'engage', 'Captures person properties of legacy SDKs as an $identify event.'),
    {
      ...post(door, ['/s'], 'Accepts session recordings, which are not stored.'),
      handle: (request) => door.receive(request, 'recording', V0),
    },
    {
      ...post(
        door,
        ['/i/v0/ai'],
        'Captures one AI event as a multipart form, with large properties as parts.',
      ),
      handle: (request) => claimed(door, request, 'ai', readAiClaims, OWN),
    },
    {
      ...post(
        door,
        V1_PATHS,
        'Captures a batch in the capture v1 format and returns the result of each event.',
      ),
      handle: (request) => claimed(door, request, 'v1', readV1Claims, V1),
    },
  ];
}

function v0Route(
  door: Door,
  paths: readonly string[],
  kind: 'capture' | 'engage',
  summary: string,
): PublicRoute {
  return {
    methods: ['POST', 'GET'],
    paths,
    preflight: 'capture',
    summary,
    handle(request) {
      if (request.method === 'GET' && queryValue(request.search, 'data') === null) {
        door.refuse(request, fail('method_not_allowed', { headers: { Allow: 'POST, OPTIONS' } }));
      } else door.receive(request, kind, V0);
    },
    preflighted: door.preflighted,
  };
}

function post(door: Door, paths: readonly string[], summary: string): Omit<PublicRoute, 'handle'> {
  return { methods: ['POST'], paths, preflight: 'capture', summary, preflighted: door.preflighted };
}

/** Receives a request whose headers have the key; missing headers are refused before the body is read. */
function claimed(
  door: Door,
  request: PublicRequest,
  kind: 'v1' | 'ai',
  readClaims: typeof readV1Claims,
  answers: Answers,
): void {
  try {
    door.receive(request, kind, answers, readClaims(request.req.headers));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    request.req.resume();
    door.refuse(request, error, answers);
  }
}

function accepted({ req, res, search }: PublicRequest): void {
  if (search.includes('beacon=1') && queryValue(search, 'beacon') === '1') return send(req, res, 204, '');
  if (req.headers.origin !== undefined) return sendPublicJson(req, res, 200, ACCEPTED);
  acceptedPlainly(res);
}

/** The common case of server SDKs, on the shortest way. */
function acceptedPlainly(res: ServerResponse): void {
  if (res.destroyed) return;
  res.writeHead(200, ACCEPTED_HEADERS);
  res.end(ACCEPTED);
}
