import express from 'express';
import { Router, type Express, type RequestHandler } from 'express';
import { fail } from '../errors.ts';
import type { NewId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { memoize } from '../lib/memoize.ts';
import type { Method } from './define-route.ts';
import { createErrorHandler } from './error-handler.ts';
import { isAllowedHost, isOwnPage, type HostRules } from './host-check.ts';
import { handleRoute, type RouteDependencies } from './handle-route.ts';
import {
  allowedMethods,
  pathsByResource,
  resourceOf,
  type ManagementRoutes,
  type PathRoutes,
} from './route-paths.ts';
import { setApiHeaders, setConsoleHeaders } from './security-headers.ts';
import type { IncomingMessage } from 'node:http';

const YEAR_SECONDS = 31_536_000;

/**
 * Serves the built console from `folder`. Files under `assets/` carry their hash in their name and are kept for good;
 * `index.html` is revalidated each time. A page that a browser navigates to is a screen of the console: its route is
 * in the path, its file is index.html. The reference of the API is a page of its own at `/docs`.
 */
function serveConsole(folder: string): RequestHandler {
  const files = express.static(folder, {
    index: false,
    redirect: false,
    setHeaders(res, path) {
      setConsoleHeaders(res);
      const isHashed = /[\\/]assets[\\/]/.test(path);
      res.setHeader('Cache-Control', isHashed ? `public, max-age=${YEAR_SECONDS}, immutable` : 'no-cache');
    },
  });
  return (req, res, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return next();
    if (/^\/docs\/?$/.test(req.path)) req.url = '/docs.html';
    files(req, res, (error?: unknown) => {
      if (error !== undefined || !isNavigation(req.headers.accept, req.path)) return next(error);
      req.url = '/index.html';
      files(req, res, next);
    });
  };
}

/** A missing script or image is a 404; the console page in its place would hide the mistake. */
function isNavigation(accept: string | undefined, path: string): boolean {
  return (accept ?? '').includes('text/html') && !path.startsWith('/assets/');
}

/** The scheme, host and port under which the client reached this server, such as `http://localhost:2877`. */
function requestOrigin(req: IncomingMessage, trustProxy: boolean): string {
  const scheme = trustProxy && forwarded(req, 'x-forwarded-proto') === 'https' ? 'https' : 'http';
  const host = (trustProxy ? forwarded(req, 'x-forwarded-host') : null) ?? req.headers.host ?? '';
  return new URL(`${scheme}://${host}`).origin;
}

/**
 * Refuses what does not belong to console and management API: a foreign Host (DNS rebinding) and a foreign page
 * (cross-site requests). Returns the request's absolute URL. Throws foreign_host, foreign_origin.
 */
function checkOrigin(req: IncomingMessage, rules: HostRules, trustProxy: boolean): URL {
  const forwardedHost = trustProxy ? forwarded(req, 'x-forwarded-host') : null;
  if (!isAllowedHost(req.headers.host, rules)) throw fail('foreign_host');
  if (forwardedHost !== null && !isAllowedHost(forwardedHost, rules)) throw fail('foreign_host');
  const origin = requestOrigin(req, trustProxy);
  const page = {
    origin: req.headers.origin,
    fetchSite: req.headers['sec-fetch-site'] as string | undefined,
    fetchMode: req.headers['sec-fetch-mode'] as string | undefined,
  };
  if (!isOwnPage(page, origin)) throw fail('foreign_origin');
  // The path is set apart from the host: `//evil.test` is a path of this server, not another one.
  const url = new URL(origin);
  const [path = '/', search = ''] = splitOnce(req.url ?? '/', '?');
  url.pathname = path;
  url.search = search;
  return url;
}

/** The first value of a header to which proxies append. */
function forwarded(req: IncomingMessage, name: string): string | null {
  const header = req.headers[name];
  const text = Array.isArray(header) ? header[0] : header;
  return text?.split(',', 1)[0]?.trim() || null;
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

export interface ManagementOptions extends RouteDependencies {
  routes: ManagementRoutes;
  hostRules: HostRules;
  trustProxy: boolean;
  /** Folder of the built console; null: none is served. */
  consoleDir: string | null;
  /** The OpenAPI document of this API, as JSON text. */
  describe: () => string;
  newId: NewId;
  log: Log;
}

/**
 * The management API and the console as one Express app, to be called with node's request and response: Host and Origin
 * first, then `/api` by the route table, then the console's files.
 */
export function createManagementApp(options: ManagementOptions): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag').enable('case sensitive routing');
  // Each route's schema reads the query itself.
  app.set('query parser', false);
  app.use((req, res, next) => {
    res.setHeader('X-Request-Id', options.newId());
    setApiHeaders(res);
    res.locals['url'] = checkOrigin(req, options.hostRules, options.trustProxy);
    next();
  });
  app.use(createRouteTable(options));
  app.get('/openapi.json', (_req, res) => void res.type('json').send(options.describe()));
  app.use('/api', () => {
    throw fail('unknown_path');
  });
  if (options.consoleDir !== null) app.use(serveConsole(options.consoleDir));
  app.use(() => {
    throw fail('unknown_path');
  });
  app.use(createErrorHandler(options));
  return app;
}

/**
 * The rows of the table as Express matches them, in one lazily created router per resource: a single router would
 * compile every pattern at the start and try many of them for each request.
 */
function createRouteTable(options: ManagementOptions): RequestHandler {
  const resources = pathsByResource(options.routes);
  const routerOf = memoize((resource) => createRouter(resources.get(resource)!, options), resources.size);
  return (req, res, next) => {
    const resource = resourceOf(req.path);
    if (!resources.has(resource)) return next();
    routerOf(resource)(req, res, next);
  };
}

function createRouter(paths: readonly PathRoutes[], options: ManagementOptions): Router {
  const router = Router({ caseSensitive: true });
  for (const path of paths) {
    const allow = allowedMethods(path);
    // `router.all` would add a layer for each of thirty methods.
    router.route(path.path).all(async (req, res) => {
      if (req.method === 'OPTIONS') return void res.writeHead(204, { Allow: allow }).end();
      const route = path.methods.get((req.method === 'HEAD' ? 'GET' : req.method) as Method);
      if (route === undefined) throw fail('method_not_allowed', { headers: { Allow: allow } });
      await handleRoute(route, req, res, options);
    });
  }
  return router;
}
