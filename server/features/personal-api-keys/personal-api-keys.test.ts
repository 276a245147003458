import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_KEY, type TestApp } from '../../../test/support/test-app.ts';
import { personalApiKey, personalApiKeys } from './personal-api-keys.contract.ts';

const KEYS = '/api/personal_api_keys/';

function create(app: TestApp, body: object) {
  return app.ask(KEYS, { method: 'POST', body: { label: 'ci', scopes: ['query:read'], ...body } });
}

describe('creating a key', () => {
  test('shows it once', async () => {
    const app = await openTestApp();
    const made = await create(app, {});
    expect(made.status).toBe(201);
    const key = personalApiKey.parse(made.json);
    expect(key.value).toMatch(/^phx_[A-Za-z0-9]{43}$/);
    expect(key).toMatchObject({
      label: 'ci',
      mask_value: `phx_...${key.value!.slice(-4)}`,
      created_at: '2026-11-20T09:30:00.000000Z',
      last_used_at: null,
      user_id: 1,
      scopes: ['query:read'],
      scoped_teams: [],
      scoped_organizations: [],
    });
    expect((await app.ask(`${KEYS}${key.id}/`)).json).toEqual({ ...made.json, value: null });
    expect((await app.ask('/api/projects/1/events/', { key: key.value })).status).toBe(200);
  });

  test('stores no part of the key', async () => {
    const app = await openTestApp();
    const { value } = (await create(app, {})).json;
    const stored = JSON.stringify(await app.store.db.all('SELECT * FROM personal_api_keys'));
    for (const secret of [value, value.slice(4), TEST_KEY, TEST_KEY.slice(4)])
      expect(stored).not.toContain(secret);
  });

  test.each([
    [{ label: undefined }, 'required', 'label'],
    [{ label: null }, 'null', 'label'],
    [{ label: '' }, 'blank', 'label'],
    [{ label: 'x'.repeat(41) }, 'max_length', 'label'],
    [{ label: {} }, 'invalid_input', 'label'],
    [{ scopes: undefined }, 'required', 'scopes'],
    [{ scopes: 'query:read' }, 'not_a_list', 'scopes'],
    [{ scopes: [] }, 'invalid_input', 'scopes'],
    [{ scopes: ['query:delete'] }, 'invalid_input', 'scopes'],
    [{ scopes: ['query:read', ''] }, 'invalid_input', 'scopes'],
    [{ scoped_teams: 1 }, 'not_a_list', 'scoped_teams'],
    [{ scoped_teams: ['one'] }, 'invalid_input', 'scoped_teams__0'],
    [{ scoped_teams: [2] }, 'invalid_input', 'scoped_teams'],
    [{ scoped_organizations: ['x'] }, 'invalid_input', 'scoped_organizations__0'],
    [
      { scoped_organizations: ['0190f0c1-0000-7000-8000-000000000001'] },
      'invalid_input',
      'scoped_organizations',
    ],
  ])('%j is refused: %s at %s', async (body, code, attr) => {
    const app = await openTestApp();
    expect(await create(app, body)).toMatchObject({
      status: 400,
      json: { type: 'validation_error', code, attr },
    });
  });

  test('scopes of unknown objects are accepted', async () => {
    const app = await openTestApp();
    expect((await create(app, { scopes: ['batch_export:write', 'made_up:read'] })).status).toBe(201);
  });

  test('an eleventh key is refused, also with concurrent requests', async () => {
    const app = await openTestApp();
    const made = await Promise.all(Array.from({ length: 12 }, () => create(app, {})));
    expect(made.filter((answer) => answer.status === 201)).toHaveLength(9);
    const refused = made.find((answer) => answer.status === 400)!;
    expect(refused.json).toMatchObject({ code: 'invalid_input', attr: null });
    expect((await app.ask(KEYS)).json).toHaveLength(10);
  });
});

describe('the list', () => {
  test('is bare, newest first, and shows no key', async () => {
    const app = await openTestApp();
    for (const label of ['a', 'b']) {
      app.clock.now += 1000;
      await create(app, { label });
    }
    const list = personalApiKeys.parse((await app.ask(KEYS)).json);
    expect(list.map(({ label, value }) => [label, value])).toEqual([
      ['b', null],
      ['a', null],
      ['First key', null],
    ]);
  });

  test('requires a key with every scope', async () => {
    const app = await openTestApp();
    const { value, id } = (await create(app, { scopes: ['user:read', 'project:write'] })).json;
    for (const [method, path] of [
      ['GET', KEYS],
      ['POST', KEYS],
      ['GET', KEYS + id],
      ['DELETE', KEYS + id],
    ] as const) {
      expect((await app.ask(path, { method, key: value })).status).toBe(403);
    }
  });
});

test('a key may read its own scopes, whatever they are', async () => {
  const app = await openTestApp();
  const { value, id } = (await create(app, { scopes: ['user:read'] })).json;
  expect((await app.ask(`${KEYS}@current`, { key: value })).json).toMatchObject({
    id,
    scopes: ['user:read'],
    value: null,
  });
});

test('a deleted key stops working immediately and permanently', async () => {
  const app = await openTestApp();
  const { value, id } = (await create(app, {})).json;
  expect((await app.ask(KEYS + id, { method: 'DELETE' })).status).toBe(204);
  expect((await app.ask('/api/projects/1/events/', { key: value })).status).toBe(401);
  expect((await app.ask(KEYS + id)).status).toBe(404);
  expect((await app.ask(KEYS + id, { method: 'DELETE' })).status).toBe(404);
});

describe('M8.4 changing a key', () => {
  async function patch(app: TestApp, id: string, body: object, key = TEST_KEY) {
    return app.ask(`${KEYS}${id}/`, { method: 'PATCH', body, key });
  }

  test('renames it and changes its scopes, immediately; omitted fields stay', async () => {
    const app = await openTestApp();
    const { id, value, ...made } = (await create(app, { scoped_teams: [1] })).json;
    const renamed = await patch(app, id, { label: ' deploy ' });
    expect(personalApiKey.parse(renamed.json)).toEqual({ ...made, id, value: null, label: 'deploy' });
    const { organization } = (await app.ask('/api/projects/1/')).json;
    const changes = { scopes: ['user:read'], scoped_teams: [], scoped_organizations: [organization] };
    expect((await patch(app, id, changes)).json).toMatchObject({ label: 'deploy', ...changes });
    expect((await app.ask('/api/projects/1/events/', { key: value })).status).toBe(403);
    expect((await app.ask('/api/users/@me/', { key: value })).status).toBe(200);
    expect((await patch(app, id, { scoped_organizations: null })).json.scoped_organizations).toEqual([]);
    const again = await openTestApp({ store: app.store });
    expect((await again.ask(KEYS + id)).json).toMatchObject({ label: 'deploy', scopes: ['user:read'] });
  });

  test.each([
    [{ label: '' }, 'blank', 'label'],
    [{ label: null }, 'null', 'label'],
    [{ label: 'x'.repeat(41) }, 'max_length', 'label'],
    [{ scopes: null }, 'null', 'scopes'],
    [{ scopes: [] }, 'invalid_input', 'scopes'],
    [{ scopes: ['query'] }, 'invalid_input', 'scopes'],
    [{ scoped_teams: [2] }, 'invalid_input', 'scoped_teams'],
    [{ scoped_organizations: ['x'] }, 'invalid_input', 'scoped_organizations__0'],
  ])('%j is refused: %s at %s', async (body, code, attr) => {
    const app = await openTestApp();
    const { id } = (await create(app, {})).json;
    expect(await patch(app, id, body)).toMatchObject({ status: 400, json: { code, attr } });
    expect((await app.ask(KEYS + id)).json).toMatchObject({ label: 'ci', scopes: ['query:read'] });
  });

  test('requires a key with every scope, and finds only keys of the caller', async () => {
    const app = await openTestApp();
    const { id, value } = (await create(app, {})).json;
    expect((await patch(app, id, { scopes: ['*'] }, value)).status).toBe(403);
    const body = { email: 'lin@local.test', level: 8 };
    const members = '/api/organizations/@current/members/';
    const lin = (await app.ask(members, { method: 'POST', body })).json.personal_api_key;
    expect((await patch(app, id, { label: 'x' }, lin)).status).toBe(404);
    expect((await app.ask(KEYS + id, { method: 'DELETE', key: lin })).status).toBe(404);
    expect((await app.ask(KEYS, { key: lin })).json).toMatchObject([{ label: 'First key', user_id: 2 }]);
  });

  test('changes of keys are logged, without any part of a key', async () => {
    const app = await openTestApp();
    const { id, value } = (await create(app, {})).json;
    await patch(app, id, { label: 'deploy' });
    await app.ask(KEYS + id, { method: 'DELETE' });
    const log = await app.store.db.all<{ activity: string; detail: string }>(
      "SELECT activity, detail FROM activity_log WHERE scope = 'PersonalAPIKey' ORDER BY created_at, id",
    );
    expect(log.map(({ activity }) => activity)).toEqual(['created', 'updated', 'deleted']);
    expect(JSON.parse(log[1]!.detail)).toMatchObject({
      name: 'deploy',
      changes: [{ field: 'label', before: 'ci', after: 'deploy' }],
    });
    for (const secret of [value, value.slice(4), value.slice(-4)])
      expect(JSON.stringify(log)).not.toContain(secret);
  });
});

test('M8.4 a member can restrict keys only to projects with access', async () => {
  const app = await openTestApp();
  const members = '/api/organizations/@current/members/';
  const lin = (await app.ask(members, { method: 'POST', body: { email: 'lin@local.test' } })).json;
  const key = lin.personal_api_key;
  const { access } = app.app.features;
  const rule = { projectId: 1, resource: 'project', resourceId: '1', memberId: lin.id, roleId: null };
  const body = { label: 'a', scopes: ['*'], scoped_teams: [1] };
  expect((await app.ask(KEYS, { method: 'POST', body, key })).status).toBe(201);
  await app.store.db.transaction((tx) => access.setRule(tx, rule, 'none'));
  await access.load();
  expect(await app.ask(KEYS, { method: 'POST', body, key })).toMatchObject({
    status: 400,
    json: { attr: 'scoped_teams' },
  });
});

test('the last use is stored at most once an hour', async () => {
  const app = await openTestApp();
  const lastUse = async () =>
    (await app.store.db.first<{ at: string }>('SELECT last_used_at AS at FROM personal_api_keys'))!.at;
  await app.ask(KEYS);
  await expect.poll(lastUse).toBe('2026-11-20T09:30:00.000000Z');
  app.clock.now += 3_599_999;
  await app.ask(KEYS);
  // What is written in a transaction comes after those before it.
  await app.store.db.transaction(async () => undefined);
  expect(await lastUse()).toBe('2026-11-20T09:30:00.000000Z');
  app.clock.now += 1;
  await app.ask(KEYS);
  await expect.poll(lastUse).toBe('2026-11-20T10:30:00.000000Z');
});

test('the key of this run has all scopes, is not listed, and is not stored', async () => {
  const app = await openTestApp();
  const key = app.app.features.keys.createRunKey(() => 1, { label: 'This run', scopes: ['*'] });
  expect((await app.ask(KEYS, { key })).json).toHaveLength(1);
  expect((await app.ask(`${KEYS}@current`, { key })).json).toMatchObject({
    label: 'This run',
    scopes: ['*'],
  });
  expect(await app.store.db.all('SELECT * FROM personal_api_keys')).toHaveLength(1);
});
