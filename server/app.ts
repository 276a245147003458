import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Config } from './config.ts';
import type { Store } from './db/client.ts';
import { createFeatures, type Features } from './features.ts';
import { createManagementApp } from './http/express-adapter.ts';
import { isLoopback } from './http/host-check.ts';
import { createPublicRouter } from './http/public-router.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import type { Clock } from './lib/clock.ts';
import type { NewId } from './lib/ids.ts';
import type { Log } from './lib/log.ts';
import type { ServerInfo } from './features/console/index.ts';

export interface AppDeps {
  config: Config;
  store: Store;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** Folder of the built console; null: none is served. */
  consoleDir: string | null;
  /** Folder of the bundles of posthog-js. */
  staticDir: string;
  version: string;
  /** Known once the server listens, and asked for only then. */
  readServerInfo: () => ServerInfo;
  /** Whether events are accepted now. */
  isReady: () => boolean;
}

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
export async function createApp(deps: AppDeps): Promise<App> {
  const { config, log, clock, newId } = deps;
  const features = await createFeatures(deps);
  const publicRouter = createPublicRouter({
    routes: features.list.flatMap((feature) => feature.publicRoutes ?? []),
    clock,
    onError: (error, req) =>
      log.error({ err: error, method: req.method, path: pathOf(req) }, 'A request failed'),
  });
  const management = createManagementApp({
    routes: features.list.flatMap((feature) => feature.routes ?? []),
    authenticate: features.authenticate,
    projects: features.projects,
    rateLimiter: config.rateLimits ? createRateLimiter({ clock }) : null,
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
