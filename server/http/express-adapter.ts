import express, { Router, type Express, type RequestHandler } from 'express';
import { fail } from '../errors.ts';
import type { NewId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { remembered } from '../lib/remembered.ts';
import type { Method } from './define-route.ts';
import { createErrorHandler } from './error-handler.ts';
import type { HostRules } from './host-check.ts';
import { handleRoute, type RouteDependencies } from './handle-route.ts';
import { checkOrigin } from './request-origin.ts';
import {
  allowedMethods,
  pathsByResource,
  resourceOf,
  type ManagementRoutes,
  type PathRoutes,
} from './route-paths.ts';
import { setApiHeaders } from './security-headers.ts';
import { serveConsole } from './static-console.ts';

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
 * The rows of the table as Express matches them, in a router for each resource that is made when it is asked for first: one
 * router of all rows compiles every pattern at the start, and tries many of them for each request.
 */
function createRouteTable(options: ManagementOptions): RequestHandler {
  const resources = pathsByResource(options.routes);
  const routerOf = remembered((resource) => createRouter(resources.get(resource)!, options), resources.size);
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
