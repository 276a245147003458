import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { ProjectRef } from '../../server/http/define-route.ts';
import type { FindProject } from '../../server/http/project-of-query.ts';
import type { PublicRoute } from '../../server/http/public-route.ts';
import { createPublicRouter } from '../../server/http/public-router.ts';

export const TEST_NOW = Date.UTC(2026, 10, 20, 9, 30);

export const TEST_PROJECT: ProjectRef = {
  id: 1,
  name: 'Shop',
  apiToken: 'phc_shop',
  timezone: 'UTC',
};

/** Has one project, `phc_shop`. */
export const findTestProject: FindProject = (token) =>
  token === TEST_PROJECT.apiToken ? TEST_PROJECT : null;

/**
 * Serves rows of the public route table over real HTTP on a free port of the loopback address until the running test
 * ends; returns the server's URL without trailing slash. Errors that are not of the table fail the test.
 */
export async function servePublic(routes: readonly PublicRoute[]): Promise<string> {
  const unexpected: unknown[] = [];
  const router = createPublicRouter({
    routes,
    clock: () => TEST_NOW,
    onError: (error) => {
      if (!(error instanceof Error && 'row' in error)) unexpected.push(error);
    },
  });
  const server = createServer((req, res) => {
    if (!router.handle(req, res)) res.writeHead(418).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    if (unexpected.length > 0) throw unexpected[0];
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
