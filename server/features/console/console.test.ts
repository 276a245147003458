import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  openTestApp,
  TEST_KEY,
  TEST_TOKEN,
  type TestApp,
  type TestResponse,
} from '../../../test/support/test-app.ts';
import { consoleSession, serverInfo } from './console.contract.ts';

const SESSION = '/api/burrow/session/';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

function signIn(app: TestApp, body: object, headers: Record<string, string> = {}): Promise<TestResponse> {
  return app.ask(SESSION, { method: 'POST', key: null, body, headers });
}

/** Signs in by a fresh link and returns the header that the browser sends from then on. */
async function signedIn(app: TestApp): Promise<Record<string, string>> {
  const answer = await signIn(app, { token: app.app.features.console.issueToken() });
  return { Cookie: answer.headers['set-cookie']!.split(';', 1)[0]! };
}

describe('signing in', () => {
  test('a link signs in, and the session shows user and projects', async () => {
    const app = await openTestApp();
    const answer = await signIn(app, { token: app.app.features.console.issueToken() });
    expect(answer.status).toBe(200);
    const session = consoleSession.parse(answer.json);
    expect(session.projects).toMatchObject([
      { id: 1, name: 'Default', api_token: TEST_TOKEN, timezone: 'UTC' },
    ]);
    expect(session).toMatchObject({ current_project_id: 1, version: '0.0.0-test', user: { id: 1 } });
  });

  test('the cookie is named after the port and unreadable for scripts and other sites', async () => {
    const app = await openTestApp();
    const answer = await signIn(app, { token: app.app.features.console.issueToken() });
    const [pair, ...attributes] = answer.headers['set-cookie']!.split('; ');
    expect(pair).toMatch(new RegExp(`^burrow_${app.port}=[A-Za-z0-9]{43}$`));
    expect(attributes).toEqual(['Path=/', 'Max-Age=2592000', 'HttpOnly', 'SameSite=Strict']);
  });

  test('behind a trusted proxy with TLS the cookie is sent over TLS only', async () => {
    const app = await openTestApp({ config: { trustProxy: true } });
    const headers = { 'X-Forwarded-Proto': 'https' };
    const answer = await signIn(app, { token: app.app.features.console.issueToken() }, headers);
    expect(answer.headers['set-cookie']).toContain('; Secure');
  });

  test('a link works once', async () => {
    const app = await openTestApp();
    const token = app.app.features.console.issueToken();
    await signIn(app, { token });
    const again = await signIn(app, { token });
    expect(again).toMatchObject({ status: 401, json: { code: 'authentication_failed' } });
    expect(again.json.detail).toContain('already used');
    expect(again.headers['set-cookie']).toBe(undefined);
  });

  test('a link works for ten minutes', async () => {
    const app = await openTestApp();
    const [first, second] = [app.app.features.console.issueToken(), app.app.features.console.issueToken()];
    app.clock.now += 10 * MINUTE_MS - 1;
    expect((await signIn(app, { token: first })).status).toBe(200);
    app.clock.now += 1;
    const late = await signIn(app, { token: second });
    expect(late.status).toBe(401);
    expect(late.json.detail).toContain('expired');
  });

  test('a link of another server is refused', async () => {
    const [app, other] = [await openTestApp(), await openTestApp()];
    const answer = await signIn(app, { token: other.app.features.console.issueToken() });
    expect(answer.status).toBe(401);
    expect(answer.json.detail).toContain('does not belong to this server');
  });

  test('a personal key signs in', async () => {
    const app = await openTestApp();
    expect((await signIn(app, { personal_api_key: TEST_KEY })).status).toBe(200);
    expect((await signIn(app, { personal_api_key: 'phx_wrong' })).status).toBe(401);
  });

  test('a restricted key does not become a session with full access', async () => {
    const app = await openTestApp();
    for (const limits of [{ scopes: ['query:read'] }, { scopes: ['*'], scoped_teams: [1] }]) {
      const made = await app.ask('/api/personal_api_keys/', {
        method: 'POST',
        body: { label: 'a', ...limits },
      });
      expect((await signIn(app, { personal_api_key: made.json.value })).status).toBe(403);
    }
  });

  test('a body without either is refused with the missing field', async () => {
    const app = await openTestApp();
    expect(await signIn(app, {})).toMatchObject({ status: 400, json: { code: 'required', attr: 'token' } });
  });

  test('a page of another origin cannot sign in', async () => {
    const app = await openTestApp();
    const token = app.app.features.console.issueToken();
    expect((await signIn(app, { token }, { Origin: 'http://localhost:5173' })).status).toBe(403);
    expect((await signIn(app, { token }, { Origin: app.url })).status).toBe(200);
  });
});

describe('a session', () => {
  test('is a credential for the whole API', async () => {
    const app = await openTestApp();
    const headers = await signedIn(app);
    expect((await app.ask('/api/personal_api_keys/', { key: null, headers })).status).toBe(200);
    expect(consoleSession.parse((await app.ask(SESSION, { key: null, headers })).json).user.id).toBe(1);
  });

  test('is refused from other origins, also from another port of this machine', async () => {
    const app = await openTestApp();
    const headers = await signedIn(app);
    for (const foreign of [
      { Origin: 'http://127.0.0.1:5173' },
      { 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' },
    ]) {
      const answer = await app.ask('/api/personal_api_keys/', {
        method: 'POST',
        key: null,
        body: { label: 'stolen', scopes: ['*'] },
        headers: { ...headers, ...foreign },
      });
      expect(answer.status).toBe(403);
    }
    expect((await app.ask('/api/personal_api_keys/')).json).toHaveLength(1);
  });

  test('opens also while the maximum number of queries runs', async () => {
    const app = await openTestApp();
    const headers = await signedIn(app);
    const stop = new AbortController();
    const endless = 'SELECT count(*) AS n FROM range(1000000) a, range(1000000) b';
    const queries = [1, 2, 3].map(() => app.store.analytics.all(endless, {}, { signal: stop.signal }));
    const ended = Promise.allSettled(queries);
    expect((await app.ask(SESSION, { key: null, headers })).status).toBe(200);
    stop.abort();
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  test('of another port is not a credential', async () => {
    const [app, other] = [await openTestApp(), await openTestApp()];
    const headers = await signedIn(other);
    expect((await app.ask(SESSION, { key: null, headers })).json.code).toBe('not_authenticated');
  });

  test('ends by signing out', async () => {
    const app = await openTestApp();
    const headers = await signedIn(app);
    const answer = await app.ask(SESSION, { method: 'DELETE', key: null, headers });
    expect(answer.status).toBe(204);
    expect(answer.headers['set-cookie']).toContain(`burrow_${app.port}=; Path=/; Max-Age=0`);
    expect((await app.ask(SESSION, { key: null, headers })).json.code).toBe('authentication_failed');
  });

  test('ends 30 days after its last use, and its cookie is renewed at most once a day', async () => {
    const app = await openTestApp();
    const headers = await signedIn(app);
    const use = () => app.ask('/api/projects/', { key: null, headers });
    app.clock.now += DAY_MS - 1;
    expect((await use()).headers['set-cookie']).toBe(undefined);
    app.clock.now += 29 * DAY_MS;
    const renewed = await use();
    expect(renewed.status).toBe(200);
    expect(renewed.headers['set-cookie']).toContain(headers['Cookie']);
    app.clock.now += 30 * DAY_MS - 1;
    expect((await use()).status).toBe(200);
    app.clock.now += 30 * DAY_MS;
    expect((await use()).status).toBe(401);
  });
});

describe('console links', () => {
  const path = '/api/burrow/sign_in_links/';

  test('are created with the key of burrow.json, which has no other permission', async () => {
    const app = await openTestApp();
    const key = app.app.features.console.newLinkKey();
    const answer = await app.ask(path, { method: 'POST', key });
    expect(answer.status).toBe(201);
    const link = new URL(answer.json.console_url);
    expect(link.origin).toBe(app.url);
    expect((await signIn(app, { token: link.hash.replace('#token=', '') })).status).toBe(200);
    for (const other of ['/api/projects/', '/api/projects/1/events/', '/api/personal_api_keys/', SESSION]) {
      expect((await app.ask(other, { key })).status).toBe(403);
    }
    expect((await signIn(app, { personal_api_key: key })).status).toBe(403);
  });

  test('A-10 a stored key with sign_in_link:write creates no link', async () => {
    const app = await openTestApp();
    const body = { label: 'link', scopes: ['sign_in_link:write'] };
    const made = await app.ask('/api/personal_api_keys/', { method: 'POST', body });
    expect(made.status).toBe(201);
    expect((await app.ask(path, { method: 'POST', key: made.json.value })).status).toBe(403);
  });

  test('cannot be created with other keys', async () => {
    const app = await openTestApp();
    const body = { label: 'reader', scopes: ['user:read', 'project:write'] };
    const { value } = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json;
    expect((await app.ask(path, { method: 'POST', key: value })).status).toBe(403);
    expect((await app.ask(path, { method: 'POST', key: null })).status).toBe(401);
  });
});

test('the server returns its port and URL', async () => {
  const app = await openTestApp();
  expect(serverInfo.parse((await app.ask('/api/burrow/server/')).json)).toMatchObject({
    port: app.port,
    url: app.url,
  });
  expect((await app.ask('/api/burrow/server/', { key: null })).status).toBe(401);
});

describe('the files of the console', () => {
  async function openConsole(): Promise<TestApp> {
    const folder = await mkdtemp(join(tmpdir(), 'burrow-console-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Burrow</title>');
    await writeFile(join(folder, 'assets', 'index-1a2b3c.js'), 'export {};');
    await writeFile(join(folder, '.secret'), 'hidden');
    return openTestApp({ consoleDir: folder });
  }
  const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  test('a file with a hash in its name is cached permanently', async () => {
    const { ask } = await openConsole();
    const answer = await ask('/assets/index-1a2b3c.js', { key: null });
    expect(answer).toMatchObject({ status: 200, text: 'export {};' });
    expect(answer.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
    });
  });

  test.each(['/', '/live', '/project/1/live?event=a'])(
    '%s is a screen: index.html, revalidated each time',
    async (path) => {
      const { ask } = await openConsole();
      const answer = await ask(path, { key: null, headers: browser });
      expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'no-cache' } });
      expect(answer.text).toContain('<title>Burrow</title>');
    },
  );

  test('pages run only scripts of this server, and cannot be framed', async () => {
    const { ask } = await openConsole();
    const policy = (await ask('/', { key: null, headers: browser })).headers[
      'content-security-policy'
    ]!.split('; ');
    expect(policy).toEqual(
      expect.arrayContaining([
        "default-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
      ]),
    );
  });

  test.each(['/assets/gone.js', '/assets/', '/.secret', '/assets/../.secret', '/assets/%2e%2e/.secret'])(
    '%s is not found',
    async (path) => {
      const { ask } = await openConsole();
      expect((await ask(path, { key: null })).status).toBe(404);
    },
  );

  test('an unknown path of the API is not a screen', async () => {
    const { ask } = await openConsole();
    expect((await ask('/api/live', { headers: browser })).json.code).toBe('not_found');
  });

  test('a screen rejects POST', async () => {
    const { ask } = await openConsole();
    expect((await ask('/', { method: 'POST', body: {}, headers: browser })).status).toBe(404);
  });
});
