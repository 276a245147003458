import type { IncomingMessage, ServerResponse } from 'node:http';
import { ApiError, fail } from '../errors.ts';
import type { Clock } from '../lib/clock.ts';
import { send, sendError, corsHeaders } from './send.ts';
import type { PublicRequest, PublicRoute } from './public-route.ts';

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

interface Pattern {
  segments: string[];
  route: PublicRoute;
}

export interface PublicRouter {
  /** Handles the request when its path belongs to the public surface; false otherwise. */
  handle(req: IncomingMessage, res: ServerResponse): boolean;
  readonly routes: readonly PublicRoute[];
}

/** Builds the router of the public surface: exact paths by hash, paths with parameters by pattern. */
export function createPublicRouter(options: {
  routes: readonly PublicRoute[];
  clock: Clock;
  /** Called for unexpected errors; an ApiError is the client's fault. */
  onError: (error: unknown, req: IncomingMessage) => void;
}): PublicRouter {
  const exact = new Map<string, PublicRoute>();
  const patterns: Pattern[] = [];
  for (const route of options.routes) {
    for (const path of route.paths) {
      if (/[:*]/.test(path)) patterns.push({ segments: path.split('/'), route });
      else exact.set(path, route);
    }
  }

  function handle(req: IncomingMessage, res: ServerResponse): boolean {
    const url = req.url ?? '/';
    const mark = url.indexOf('?');
    let path = mark === -1 ? url : url.slice(0, mark);
    if (path.length > 1 && path.endsWith('/')) path = path.slice(0, -1);
    let route = exact.get(path);
    let params = NO_PARAMS;
    if (route === undefined) {
      for (const pattern of patterns) {
        const found = matchSegments(pattern.segments, path);
        if (found !== null) {
          route = pattern.route;
          params = found;
          break;
        }
      }
      if (route === undefined) return false;
    }
    const method = req.method ?? 'GET';
    if (method === 'OPTIONS') {
      answerPreflight(req, res, route);
      route.preflighted?.(req, path);
      return true;
    }
    if (!(route.methods as readonly string[]).includes(method)) {
      req.resume();
      sendError(req, res, fail('method_not_allowed', { headers: { Allow: allowed(route) } }));
      return true;
    }
    const request: PublicRequest = {
      req,
      res,
      method,
      path,
      search: mark === -1 ? '' : url.slice(mark + 1),
      params,
      receivedAt: options.clock(),
      clientIp: clientIp(req),
    };
    try {
      const pending = route.handle(request);
      if (pending !== undefined) pending.catch((error: unknown) => refuse(error, req, res));
    } catch (error) {
      refuse(error, req, res);
    }
    return true;
  }

  function refuse(error: unknown, req: IncomingMessage, res: ServerResponse): void {
    if (!(error instanceof ApiError)) options.onError(error, req);
    sendError(req, res, error);
  }

  return { handle, routes: options.routes };
}

function allowed(route: PublicRoute): string {
  return [...route.methods, 'OPTIONS'].join(', ');
}

function answerPreflight(req: IncomingMessage, res: ServerResponse, route: PublicRoute): void {
  req.resume();
  const headers: Record<string, string> = {
    ...corsHeaders(req),
    Allow: allowed(route),
    'Access-Control-Allow-Methods': allowed(route),
    'Access-Control-Max-Age': '86400',
  };
  const requestedHeaders = req.headers['access-control-request-headers'];
  if (requestedHeaders !== undefined) headers['Access-Control-Allow-Headers'] = requestedHeaders;
  // A public page that talks to a local server needs this (Private Network Access).
  if (req.headers['access-control-request-private-network'] === 'true') {
    headers['Access-Control-Allow-Private-Network'] = 'true';
  }
  if (route.preflight === 'capture') {
    send(req, res, 200, '{"status":"Ok"}', { ...headers, 'Content-Type': 'application/json' });
  } else {
    send(req, res, 204, '', headers);
  }
}

function matchSegments(pattern: readonly string[], path: string): Record<string, string> | null {
  const segments = path.split('/');
  const params: Record<string, string> = {};
  for (let i = 0; i < pattern.length; i++) {
    const expected = pattern[i]!;
    if (expected.startsWith('*')) {
      params[expected.slice(1)] = segments.slice(i).join('/');
      return segments.length > i ? params : null;
    }
    const got = segments[i];
    if (got === undefined) return null;
    if (expected.startsWith(':')) {
      const decoded = decodeSegment(got);
      if (decoded === null || decoded === '') return null;
      params[expected.slice(1)] = decoded;
    } else if (expected !== got) return null;
  }
  return segments.length === pattern.length ? params : null;
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** First address of X-Forwarded-For, else the socket's (ingestion contract 1.9); IPv4-mapped IPv6 as plain IPv4. */
export function clientIp(req: IncomingMessage): string {
  const forwarded = req.headers['x-forwarded-for'];
  const first = (Array.isArray(forwarded) ? forwarded[0] : forwarded)?.split(',', 1)[0]?.trim();
  const address = first !== undefined && first !== '' ? first : (req.socket.remoteAddress ?? '');
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}
