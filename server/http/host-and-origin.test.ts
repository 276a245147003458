import { describe, expect, test } from 'vitest';
import { openTestApp, shareTestApp } from '../../test/support/test-app.ts';

const sharedApp = shareTestApp();
const sharedBox = shareTestApp({ config: { allowedHosts: ['box.lan'] } });

describe('Host and Origin', () => {
  test.each(['evil.test', 'evil.test:2877', '127.0.0.1.evil.test', '192.168.1.7', 'localhost@evil.test'])(
    'the Host %j is refused, for the console as for the API',
    async (host) => {
      const { ask } = await sharedApp();
      for (const path of ['/api/projects/', '/', '/api/burrow/session/']) {
        const answer = await ask(path, { headers: { Host: host } });
        expect(answer).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
      }
    },
  );

  test.each(['localhost:2877', '127.0.0.1:1', '[::1]:2877', 'shop.localhost', 'box.lan:80'])(
    'the Host %j is accepted',
    async (host) => {
      const { ask } = await sharedBox();
      expect((await ask('/api/projects/', { headers: { Host: host } })).status).toBe(200);
    },
  );

  test('the public surface accepts any Host', async () => {
    const { ask } = await sharedApp();
    expect((await ask('/_liveness', { headers: { Host: 'evil.test' } })).status).toBe(200);
  });

  test.each(['http://evil.test', 'null', 'http://localhost:5173', 'https://127.0.0.1'])(
    'a page of %s is refused even with a key, and gets no CORS header',
    async (origin) => {
      const { ask } = await sharedApp();
      const answer = await ask('/api/projects/', { headers: { Origin: origin } });
      expect(answer.status).toBe(403);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    },
  );

  test("the console's own origin is accepted, and a client without Origin", async () => {
    const { ask, url } = await sharedApp();
    expect((await ask('/api/projects/', { headers: { Origin: url } })).status).toBe(200);
    expect((await ask('/api/projects/')).status).toBe(200);
  });

  test('behind a trusted proxy, Origin and links are those of the browser', async () => {
    const { ask } = await openTestApp({ config: { trustProxy: true, allowedHosts: ['stats.test'] } });
    const headers = {
      'X-Forwarded-Host': 'stats.test',
      'X-Forwarded-Proto': 'https',
      Origin: 'https://stats.test',
    };
    await ask('/api/organizations/@current/projects/', { method: 'POST', body: {}, headers });
    const page = await ask('/api/projects/?limit=1', { headers });
    expect(page.json.next).toBe('https://stats.test/api/projects/?limit=1&offset=1');
    expect((await ask('/api/projects/', { headers: { 'X-Forwarded-Host': 'evil.test' } })).status).toBe(403);
  });

  test('headers of an untrusted proxy are ignored', async () => {
    const { ask, url } = await openTestApp();
    await ask('/api/organizations/@current/projects/', { method: 'POST', body: {} });
    const page = await ask('/api/projects/?limit=1', { headers: { 'X-Forwarded-Host': 'stats.test' } });
    expect(page.json.next).toBe(`${url}/api/projects/?limit=1&offset=1`);
  });

  test('a path with two leading slashes is a 404 on this server', async () => {
    const { ask } = await sharedApp();
    expect((await ask('//evil.test/api/projects/')).status).toBe(404);
  });
});
