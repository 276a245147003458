import type { IncomingMessage, ServerResponse } from 'node:http';
import { createApiReference } from './features/api-reference/index.ts';
import { createFeatures, type AppDeps, type Features } from './features.ts';
import { createManagementApp } from './http/express-adapter.ts';
import { isLoopback } from './http/host-check.ts';
import type { OnRoute } from './http/handle-route.ts';
import { createPublicRouter } from './http/public-router.ts';
import { createRateLimiter } from './http/rate-limit.ts';

export interface App {
  /** Answers a request of node's http server. */
  handle(req: IncomingMessage, res: ServerResponse): void;
  readonly features: Features;
  /** Ends what the features keep running; the store is closed by its owner. */
  close(): Promise<void>;
}

/**
 * The composition root: the public surface on bare node:http first, then the management API and the console on Express.
 * Both read their rows from the same list of features.
 */
export async function createApp(deps: AppDeps & { onRoute?: OnRoute }): Promise<App> {
  const { config, log, clock, newId } = deps;
  const features = await createFeatures(deps);
  const routes = features.list.flatMap((feature) => feature.routes ?? []);
  const publicRoutes = features.list.flatMap((feature) => feature.publicRoutes ?? []);
  const publicRouter = createPublicRouter({
    routes: publicRoutes,
    clock,
    onError: (error, req) =>
      log.error({ err: error, method: req.method, path: pathOf(req) }, 'A request failed'),
  });
  const management = createManagementApp({
    routes,
    describe: createApiReference(features.list, deps.version),
    authenticate: features.console.authenticate,
    projects: features.projects,
    checkAccess: features.access.checkRoute,
    answerShared: features.answerShared,
    rateLimiter: config.rateLimits ? createRateLimiter({ clock }) : null,
    onRoute: deps.onRoute,
    hostRules: {
      host: config.host,
      allowedHosts: config.allowedHosts,
      beyondLoopback: !isLoopback(config.host),
    },
    trustProxy: config.trustProxy,
    consoleDir: deps.consoleDir,
    newId,
    log,
  });
  return {
    features,
    handle(req, res) {
      if (!publicRouter.handle(req, res)) management(req, res);
    },
    async close() {
      for (const feature of features.list) await feature.close?.();
    },
  };
}

/** The path alone: a query may carry a secret, which no log may hold. */
function pathOf(req: IncomingMessage): string {
  return (req.url ?? '').split('?', 1)[0]!;
}
