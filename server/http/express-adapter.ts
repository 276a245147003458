import express, { type Express } from 'express';
import { fail } from '../errors.ts';
import type { NewId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import type { Method } from './define-route.ts';
import { createErrorHandler } from './error-handler.ts';
import type { HostRules } from './host-check.ts';
import { handleRoute, type RouteDependencies } from './handle-route.ts';
import { checkOrigin } from './request-origin.ts';
import { allowedMethods, pathsOf, type ManagementRoutes } from './route-paths.ts';
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
  for (const path of pathsOf(options.routes)) {
    const allow = allowedMethods(path);
    // `app.all` would add a layer for each of thirty methods.
    app.route(path.path).all(async (req, res) => {
      if (req.method === 'OPTIONS') return void res.writeHead(204, { Allow: allow }).end();
      const route = path.methods.get((req.method === 'HEAD' ? 'GET' : req.method) as Method);
      if (route === undefined) throw fail('method_not_allowed', { headers: { Allow: allow } });
      await handleRoute(route, req, res, options);
    });
  }
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
