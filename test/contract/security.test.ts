import { describe, expect, test } from 'vitest';
import type { ManagementRoute } from '../../server/http/define-route.ts';
import { pathsOf } from '../../server/http/route-paths.ts';
import { openTestApp, type TestApp, type TestResponse } from '../support/test-app.ts';

/** A route of the table with an address of it; ids are of nothing. */
interface Door {
  name: string;
  method: string;
  path: string;
  route: ManagementRoute;
}

const PLACES: Readonly<Record<string, string>> = { project_id: '1', organization_id: '@current' };

/** Every row of the route table that authenticates the caller. */
function doorsOf(app: TestApp): Door[] {
  const routes = app.app.features.list.flatMap((feature) => feature.routes ?? []);
  return pathsOf(routes).flatMap(({ path, methods }) =>
    [...methods.values()]
      .filter(({ atOnce }) => atOnce === undefined)
      .map((route) => ({
        name: `${route.method} ${path}`,
        method: route.method,
        path: `${path.replaceAll(/:([a-z_]+)/g, (_, name: string) => PLACES[name] ?? '987654321')}/`,
        route,
      })),
  );
}

/** The response of a route; bodies are empty objects, which create nothing by accident. */
const knock = (app: TestApp, { method, path }: Door, request: object = {}): Promise<TestResponse> =>
  app.ask(path, { method, ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }), ...request });

/** The doors that do not answer as they should, by name. */
async function others(doors: readonly Door[], isRight: (door: Door) => Promise<boolean>): Promise<string[]> {
  const wrong: string[] = [];
  for (const door of doors) if (!(await isRight(door))) wrong.push(door.name);
  return wrong;
}

const codeOf = ({ status, text }: TestResponse): string => {
  const body = text.startsWith('{') ? (JSON.parse(text) as { code?: string; detail?: string }) : {};
  return `${status} ${body.code ?? ''} ${body.detail ?? ''}`;
};
const corsOf = ({ headers }: TestResponse): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control'));

describe('every route of the management API', () => {
  test('refuses a page whose host name points to this machine, with or without a key (DNS rebinding)', async () => {
    const app = await openTestApp();
    const doors = doorsOf(app);
    expect(doors.length).toBeGreaterThan(200);
    const headers = { Host: 'rebound.evil.test' };
    expect(
      await others(doors, async (door) =>
        codeOf(await knock(app, door, { headers })).startsWith('403 permission_denied'),
      ),
    ).toEqual([]);
  });

  test('refuses pages of other origins, also of another port, without CORS headers (CSRF, CORS)', async () => {
    const app = await openTestApp();
    const pages = [
      { Origin: 'http://evil.test' },
      { Origin: `http://127.0.0.1:${app.port + 1}` },
      { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' },
    ];
    const wrong = await others(doorsOf(app), async (door) => {
      const answers = await Promise.all(pages.map((headers) => knock(app, door, { headers })));
      return answers.every(
        (answer) => codeOf(answer).startsWith('403 permission_denied') && corsOf(answer).length === 0,
      );
    });
    expect(wrong).toEqual([]);
  });

  test('answers a preflight without CORS headers', async () => {
    const app = await openTestApp();
    const headers = { Origin: 'http://evil.test', 'Access-Control-Request-Method': 'POST' };
    const wrong = await others(doorsOf(app), async ({ path }) => {
      const answer = await app.ask(path, { method: 'OPTIONS', key: null, headers });
      return corsOf(answer).length === 0;
    });
    expect(wrong).toEqual([]);
  });

  test('requires a credential, unless its row has an exception', async () => {
    const app = await openTestApp();
    const doors = doorsOf(app);
    expect(doors.filter(({ route }) => route.auth === 'none').map(({ name }) => name)).toEqual([
      'POST /api/burrow/session',
      // Signing out ends the session of the request, if there is one.
      'DELETE /api/burrow/session',
    ]);
    const wrong = await others(
      doors.filter(({ route }) => route.auth === 'key'),
      async (door) => codeOf(await knock(app, door, { key: null })).startsWith('401 not_authenticated'),
    );
    expect(wrong).toEqual([]);
  });

  test('requires one of the scopes of its row: any other is refused, and read does not include write', async () => {
    const app = await openTestApp();
    // A user has ten keys at most: one key gets each wrong scope in turn, and requests all routes for which it is
    // wrong.
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'changing', scopes: ['user:read'] },
    });
    const asked = doorsOf(app)
      .filter(({ route }) => route.auth === 'key' && route.scope.length > 0)
      .flatMap((door) => wrongScopesOf(door.route.scope).map((scope) => ({ door, scope })));
    const open: string[] = [];
    for (const scope of new Set(asked.map((one) => one.scope))) {
      const changed = await app.ask(`/api/personal_api_keys/${made.json.id}/`, {
        method: 'PATCH',
        body: { scopes: [scope] },
      });
      expect(changed.status, changed.text).toBe(200);
      const doors = asked.filter((one) => one.scope === scope).map(({ door }) => door);
      const isRefused = async (door: Door) =>
        /^403 permission_denied .*scope/i.test(codeOf(await knock(app, door, { key: made.json.value })));
      open.push(...(await others(doors, isRefused)).map((name) => `${name} with ${scope}`));
    }
    expect(open).toEqual([]);
  });
});

/** Scopes that do not open a door: another thing's, and reading where it takes writing. */
function wrongScopesOf(scope: readonly string[]): string[] {
  // A key with all scopes is required only where no narrower scope is enough.
  if (scope.includes('*')) return ['user:read'];
  const foreign = ['webhook:write', 'batch_export:write'].find((one) => !scope.includes(one))!;
  const written = scope.find((one) => one.endsWith(':write'));
  const isRead = scope.some((one) => one.endsWith(':read'));
  return written === undefined || isRead ? [foreign] : [foreign, written.replace(/write$/, 'read')];
}

describe('a session', () => {
  test('is never the one that a browser sent before (session fixation)', async () => {
    const app = await openTestApp();
    const name = `burrow_${app.port}`;
    const planted = 'planted-by-somebody-else-0123456789abcdef';
    const signIn = await app.ask('/api/burrow/session/', {
      method: 'POST',
      key: null,
      body: { personal_api_key: app.key },
      headers: { Cookie: `${name}=${planted}` },
    });
    const given = new RegExp(`${name}=([^;]+)`).exec(signIn.headers['set-cookie']!)![1]!;
    expect(given).not.toBe(planted);
    const as = (cookie: string) =>
      app.ask('/api/burrow/session/', { key: null, headers: { Cookie: `${name}=${cookie}` } });
    expect([(await as(planted)).status, (await as(given)).status]).toEqual([401, 200]);

    const again = await app.ask('/api/burrow/session/', {
      method: 'POST',
      key: null,
      body: { personal_api_key: app.key },
      headers: { Cookie: `${name}=${given}` },
    });
    expect(again.headers['set-cookie']).not.toContain(given);
  });
});

describe('redirects', () => {
  test('no redirect leads to another host', async () => {
    const app = await openTestApp();
    const paths = [
      '//evil.test',
      '//evil.test/',
      '/\\evil.test',
      '/%2F%2Fevil.test',
      '/?next=//evil.test',
      '/api//evil.test/',
    ];
    for (const path of paths) {
      const { status, headers } = await app.ask(path, { key: null, headers: { Accept: 'text/html' } });
      expect(status >= 300 && status < 400 ? headers['location'] : 'no redirect').toBe('no redirect');
    }
  });
});
