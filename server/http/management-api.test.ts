import { describe, expect, test } from 'vitest';
import {
  openTestApp,
  shareTestApp,
  TEST_KEY,
  TEST_TOKEN,
  type TestApp,
} from '../../test/support/test-app.ts';

const READ_EVENTS = '/api/projects/1/events/';

/** For tests that leave nothing but further keys; what makes projects or changes the store has an app of its own. */
const sharedApp = shareTestApp();

/** A key of the owner with these limits. */
async function limitedKey(app: TestApp, limits: object): Promise<string> {
  const { json } = await app.ask('/api/personal_api_keys/', {
    method: 'POST',
    body: { label: 'limited', scopes: ['query:read'], ...limits },
  });
  return json.value;
}

function errorOf(answer: { status: number; json: any }) {
  const { type, code, attr } = answer.json;
  return { status: answer.status, type, code, attr };
}

describe('errors', () => {
  test('every error is one object of four keys', async () => {
    const { ask } = await sharedApp();
    const answer = await ask('/api/projects/7/');
    expect(answer.json).toEqual({
      type: 'invalid_request',
      code: 'not_found',
      detail: 'Project not found.',
      attr: null,
    });
    expect(answer.headers['content-type']).toBe('application/json');
  });

  test('without a credential: 401 not_authenticated, with a challenge', async () => {
    const { ask } = await sharedApp();
    const answer = await ask(READ_EVENTS, { key: null });
    expect(errorOf(answer)).toEqual({
      status: 401,
      type: 'authentication_error',
      code: 'not_authenticated',
      attr: null,
    });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  test.each([['phx_unknown'], ['pha_token'], ['phs_secret'], [TEST_TOKEN]])(
    'with the key %s: 401 authentication_failed',
    async (key) => {
      const { ask } = await sharedApp();
      const answer = await ask(READ_EVENTS, { key });
      expect(errorOf(answer)).toMatchObject({ status: 401, code: 'authentication_failed' });
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.text).not.toContain(key);
    },
  );

  test('a key that lacks the scope: 403, and the detail names it', async () => {
    const app = await sharedApp();
    const key = await limitedKey(app, { scopes: ['dashboard:write'] });
    const answer = await app.ask(READ_EVENTS, { key });
    expect(errorOf(answer)).toEqual({
      status: 403,
      type: 'authentication_error',
      code: 'permission_denied',
      attr: null,
    });
    expect(answer.json.detail).toContain("missing required scope 'query:read'");
  });

  test('write includes read', async () => {
    const app = await sharedApp();
    const key = await limitedKey(app, { scopes: ['query:write'] });
    expect((await app.ask(READ_EVENTS, { key })).status).toBe(200);
  });

  test.each([
    '/api/projects/999/events/',
    '/api/projects/shop/',
    '/api/projects/1.5/',
    '/api/environments/0/',
  ])('the unknown project of %s: 404', async (path) => {
    const { ask } = await sharedApp();
    expect((await ask(path)).json.detail).toBe('Project not found.');
  });

  test('an unknown path below /api: 404', async () => {
    const { ask } = await sharedApp();
    expect(errorOf(await ask('/api/nothing/'))).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('a path that cannot be decoded: 404', async () => {
    const { ask } = await sharedApp();
    expect(errorOf(await ask('/api/personal_api_keys/%E0%A4%A/'))).toMatchObject({ status: 404 });
  });

  test('a method the path does not offer: 405 with Allow', async () => {
    const { ask } = await sharedApp();
    const answer = await ask('/api/projects/', { method: 'PUT' });
    expect(errorOf(answer)).toEqual({
      status: 405,
      type: 'invalid_request',
      code: 'method_not_allowed',
      attr: null,
    });
    expect(answer.headers['allow']).toBe('GET, HEAD, OPTIONS');
  });

  test('an unknown format: 404', async () => {
    const { ask } = await sharedApp();
    expect(errorOf(await ask(`${READ_EVENTS}?format=xml`))).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('a body that is not JSON: 400 parse_error', async () => {
    const { ask } = await sharedApp();
    const answer = await ask('/api/personal_api_keys/', { method: 'POST', body: '{"label": ' });
    expect(errorOf(answer)).toEqual({
      status: 400,
      type: 'invalid_request',
      code: 'parse_error',
      attr: null,
    });
  });

  test.each([1_001, 100_000])('a body that is nested %d levels deep: 400 parse_error', async (depth) => {
    const { ask } = await sharedApp();
    const body = `{"label":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
    const answer = await ask('/api/personal_api_keys/', { method: 'POST', body });
    expect(errorOf(answer)).toMatchObject({ status: 400, code: 'parse_error' });
  });

  test.each(['gzip', 'deflate', 'br'])(
    'a body that is not %s although its header declares it: 400 parse_error',
    async (encoding) => {
      const { ask } = await sharedApp();
      const headers = { 'Content-Encoding': encoding };
      const answer = await ask('/api/personal_api_keys/', { method: 'POST', body: '{"label":"a"}', headers });
      expect(errorOf(answer)).toMatchObject({ status: 400, code: 'parse_error' });
    },
  );

  test('a body of another media type: 415', async () => {
    const { ask } = await sharedApp();
    const headers = { 'Content-Type': 'text/xml' };
    const answer = await ask('/api/personal_api_keys/', { method: 'POST', body: '<key/>', headers });
    expect(errorOf(answer)).toEqual({
      status: 415,
      type: 'invalid_request',
      code: 'unsupported_media_type',
      attr: null,
    });
  });

  test('a body above 20 MiB: 413', async () => {
    const { ask } = await sharedApp();
    const body = `{"label": "${'x'.repeat(20_971_520)}"}`;
    expect((await ask('/api/personal_api_keys/', { method: 'POST', body })).status).toBe(413);
  });

  test('a body that is not an object: 400 invalid_input without a field', async () => {
    const { ask } = await sharedApp();
    expect(errorOf(await ask('/api/personal_api_keys/', { method: 'POST', body: [] }))).toEqual({
      status: 400,
      type: 'validation_error',
      code: 'invalid_input',
      attr: null,
    });
  });

  test('an unexpected error is one fixed 500 and a log line with the id of the request', async () => {
    const app = await openTestApp();
    await app.store.db.run('ALTER TABLE events RENAME TO gone');
    const answer = await app.ask(READ_EVENTS);
    expect(answer.status).toBe(500);
    expect(answer.json).toEqual({
      type: 'server_error',
      code: 'error',
      detail: 'A server error occurred.',
      attr: null,
    });
    expect(app.errors).toHaveLength(1);
    expect(app.errors[0]!.fields).toMatchObject({
      requestId: answer.headers['x-request-id'],
      path: '/api/projects/1/events/',
    });
    expect(JSON.stringify(app.errors)).not.toContain(TEST_KEY);
  });
});

describe('the order of checks', () => {
  test('the credential is checked before the body is parsed', async () => {
    const { ask } = await sharedApp();
    const answer = await ask('/api/personal_api_keys/', { method: 'POST', key: null, body: '{' });
    expect(answer.status).toBe(401);
  });

  test('an unknown project is a 404 for a key that lacks the scope', async () => {
    const app = await sharedApp();
    const key = await limitedKey(app, { scopes: ['dashboard:read'] });
    expect((await app.ask('/api/projects/999/events/', { key })).status).toBe(404);
  });

  test('an excluded project is refused before the scope is checked', async () => {
    const app = await openTestApp();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: { name: 'Second' } });
    const key = await limitedKey(app, { scopes: ['dashboard:read'], scoped_teams: [2] });
    expect((await app.ask(READ_EVENTS, { key })).json.detail).toBe(
      'This key does not give access to this project.',
    );
  });

  test('the scope is checked before the object is looked up', async () => {
    const app = await sharedApp();
    const key = await limitedKey(app, { scopes: ['query:read'] });
    expect((await app.ask('/api/personal_api_keys/unknown/', { key })).status).toBe(403);
  });

  test('the object is looked up before the body is validated', async () => {
    const { ask } = await sharedApp();
    const path = '/api/organizations/00000000-0000-7000-8000-000000000000/projects/';
    expect((await ask(path, { method: 'POST', body: { name: [] } })).status).toBe(404);
    expect((await ask(path, { method: 'POST', body: '{' })).status).toBe(404);
  });
});

describe('credentials', () => {
  test('a key may be in the query or in the body', async () => {
    const { ask } = await openTestApp();
    expect((await ask(`/api/projects/?personal_api_key=${TEST_KEY}`, { key: null })).status).toBe(200);
    const body = { personal_api_key: TEST_KEY, name: 'Second' };
    const made = await ask('/api/organizations/@current/projects/', { method: 'POST', key: null, body });
    expect(made.status).toBe(201);
  });

  test('only the first credential found is tried', async () => {
    const { ask } = await sharedApp();
    expect((await ask(`/api/projects/?personal_api_key=${TEST_KEY}`, { key: 'phx_wrong' })).status).toBe(401);
  });

  test('a key restricted to a project works only there, and can read itself', async () => {
    const app = await openTestApp();
    await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: { name: 'Second' } });
    const key = await limitedKey(app, { scopes: ['*'], scoped_teams: [2] });
    const statusOf = async (path: string) => (await app.ask(path, { key })).status;
    expect(await statusOf('/api/projects/2/events/')).toBe(200);
    expect(await statusOf('/api/projects/1/events/')).toBe(403);
    expect(await statusOf('/api/projects/')).toBe(403);
    expect(await statusOf('/api/users/@me/')).toBe(200);
    expect(await statusOf('/api/personal_api_keys/@current')).toBe(200);
  });

  test('a key restricted to the organization works in its projects', async () => {
    const app = await sharedApp();
    const { organization } = (await app.ask('/api/projects/1/')).json;
    const key = await limitedKey(app, { scopes: ['*'], scoped_organizations: [organization] });
    expect((await app.ask(READ_EVENTS, { key })).status).toBe(200);
    expect((await app.ask('/api/organizations/@current/projects/', { key })).status).toBe(200);
    expect((await app.ask('/api/personal_api_keys/', { key })).status).toBe(403);
  });

  test('a project token in the query overrides the project of the path', async () => {
    const { ask } = await sharedApp();
    expect((await ask(`/api/projects/999/?token=${TEST_TOKEN}`)).json.id).toBe(1);
    expect((await ask('/api/projects/1/?token=')).json.id).toBe(1);
    expect((await ask('/api/projects/1/?token=phc_unknown')).status).toBe(401);
  });
});

describe('paths and methods', () => {
  test.each([
    '/api/projects/1',
    '/api/projects/1/',
    '/api/environments/1',
    '/api/environments/1/',
    '/api/projects/@current/',
    '/api/environments/@current',
  ])('%s shows the project, without a redirect', async (path) => {
    const { ask } = await sharedApp();
    expect(await ask(path)).toMatchObject({ status: 200, json: { id: 1, api_token: TEST_TOKEN } });
  });

  test('HEAD is GET without a body', async () => {
    const { ask } = await sharedApp();
    const [head, get] = [await ask('/api/projects/', { method: 'HEAD' }), await ask('/api/projects/')];
    expect(head).toMatchObject({ status: 200, text: '' });
    expect(head.headers['content-length']).toBe(get.headers['content-length']);
    expect((await ask(`${READ_EVENTS}?format=csv`, { method: 'HEAD' })).status).toBe(200);
  });

  test('OPTIONS names the methods and needs no credential', async () => {
    const { ask } = await sharedApp();
    const answer = await ask('/api/personal_api_keys/', { method: 'OPTIONS', key: null });
    expect(answer).toMatchObject({ status: 204, text: '', headers: { allow: 'GET, POST, HEAD, OPTIONS' } });
  });

  test('a form is accepted as a body', async () => {
    const { ask } = await openTestApp();
    const path = '/api/organizations/@current/projects/';
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const made = await ask(path, { method: 'POST', body: 'name=A+%26+B&timezone=Asia%2FTokyo', headers });
    expect(made).toMatchObject({ status: 201, json: { name: 'A & B', timezone: 'Asia/Tokyo' } });
  });

  test('so is a multipart form', async () => {
    const { ask } = await openTestApp();
    const body = '--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nFrom a form\r\n--b--\r\n';
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const made = await ask('/api/organizations/@current/projects/', { method: 'POST', body, headers });
    expect(made).toMatchObject({ status: 201, json: { name: 'From a form' } });
  });

  test('a broken multipart form is a parse error', async () => {
    const { ask } = await sharedApp();
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    const made = await ask('/api/organizations/@current/projects/', { method: 'POST', body: '--b', headers });
    expect(errorOf(made)).toMatchObject({ status: 400, code: 'parse_error' });
  });
});

describe('rate limits', () => {
  test('are off by default', async () => {
    const { ask } = await sharedApp();
    for (let i = 0; i < 300; i++) expect((await ask(`${READ_EVENTS}?limit=0x`)).status).toBe(400);
  });

  test('when on, the 241st read of events within a minute is refused with Retry-After', async () => {
    const { ask, clock } = await openTestApp({ config: { rateLimits: true } });
    for (let i = 0; i < 240; i++) expect((await ask(`${READ_EVENTS}?limit=0x`)).status).toBe(400);
    const answer = await ask(READ_EVENTS);
    expect(errorOf(answer)).toEqual({ status: 429, type: 'throttled_error', code: 'throttled', attr: null });
    expect(answer.headers['retry-after']).toBe('60');
    expect((await ask('/api/projects/1/persons/')).status).toBe(429);
    expect((await ask('/api/projects/1/insights/')).status).toBe(429);
    expect((await ask('/api/projects/')).status).toBe(200);
    clock.now += 60_000;
    expect((await ask(READ_EVENTS)).status).toBe(200);
  });
});
