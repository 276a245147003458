import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_KEY, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { projectDetail } from './projects.contract.ts';

const CREATE = '/api/organizations/@current/projects/';
const PATHS = ['/api/projects/1/', '/api/environments/1/', `${CREATE}1/`, `${CREATE}@current/`];

function patch(app: TestApp, body: object, path = '/api/projects/1/', key = TEST_KEY) {
  return app.ask(path, { method: 'PATCH', body, key });
}

async function addMember(app: TestApp, level = 1): Promise<{ id: string; key: string }> {
  const body = { email: `l${level}@local.test`, level };
  const { json } = await app.ask('/api/organizations/@current/members/', { method: 'POST', body });
  return { id: json.id, key: json.personal_api_key };
}

async function setRule(app: TestApp, projectId: number, memberId: string, level: string): Promise<void> {
  const { access } = app.app.features;
  const rule = { projectId, resource: 'project', resourceId: String(projectId), memberId, roleId: null };
  await app.store.db.transaction((tx) => access.setRule(tx, rule, level));
  await access.load();
}

async function limitedKey(app: TestApp, limits: object): Promise<string> {
  const body = { label: 'limited', scopes: ['project:write'], ...limits };
  return (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json.value;
}

function capture(app: TestApp, token: string) {
  const body = { api_key: token, event: 'seen', distinct_id: 'u1' };
  return app.ask('/capture/', { method: 'POST', key: null, body });
}

function activities(app: TestApp) {
  return app.store.db.all<{ activity: string; project: number | null; detail: string }>(
    "SELECT activity, project_id AS project, detail FROM activity_log WHERE scope = 'Project' ORDER BY created_at, id",
  );
}

describe('M8.3 GET of a single project', () => {
  test.each(PATHS)('%s shows it', async (path) => {
    const app = await openTestApp();
    const { json } = await app.ask(path);
    expect(projectDetail.parse(json)).toMatchObject({
      id: 1,
      effective_membership_level: 8,
      user_access_level: 'admin',
      app_urls: [],
      heatmaps_opt_in: false,
    });
    expect(json).toEqual((await app.ask('/api/projects/1/')).json);
  });

  test('an organization’s path to an unknown project is a 404, of another organization too', async () => {
    const app = await openTestApp();
    expect((await app.ask(`${CREATE}7/`)).json.detail).toBe('Project not found.');
    const other = '/api/organizations/0190f0c1-0000-7000-8000-000000000001/projects/1/';
    expect((await app.ask(other)).json.detail).toBe('Not found.');
  });

  test('a key restricted to another project is refused on each path', async () => {
    const app = await openTestApp();
    await app.ask(CREATE, { method: 'POST', body: {} });
    const key = await limitedKey(app, { scoped_teams: [2] });
    for (const path of PATHS)
      expect(await app.ask(path, { key })).toMatchObject({
        status: 403,
        json: { code: 'permission_denied' },
      });
    expect((await app.ask(`${CREATE}2/`, { key })).status).toBe(200);
    expect((await app.ask('/api/projects/', { key })).status).toBe(403);
  });
});

describe('M8.3 PATCH', () => {
  test.each(PATHS)('%s changes name, time zone and settings', async (path) => {
    const app = await openTestApp();
    app.clock.now += 1_000;
    const body = {
      name: ' Shop ',
      timezone: 'Europe/Berlin',
      app_urls: ['https://shop.example'],
      test_account_filters: [
        { key: 'email', value: '@shop.example', operator: 'not_icontains', type: 'person' },
      ],
      heatmaps_opt_in: 'true',
      autocapture_opt_out: null,
      week_start_day: '1',
      completed_snippet_onboarding: true,
    };
    const { status, json } = await patch(app, body, path);
    expect(status).toBe(200);
    const changed = { ...body, name: 'Shop', heatmaps_opt_in: true, week_start_day: 1 };
    expect(json).toMatchObject({ ...changed, updated_at: '2026-11-20T09:30:01.000000Z' });
    const again = await openTestApp({ store: app.store });
    expect((await again.ask('/api/projects/1/')).json).toEqual(json);
    expect((await again.ask('/api/projects/')).json.results[0]).toMatchObject({
      name: 'Shop',
      completed_snippet_onboarding: true,
    });
  });

  test('unknown settings are stored and returned unchanged', async () => {
    const app = await openTestApp();
    const body = {
      session_recording_sample_rate: '0.50',
      modifiers: { a: [1, null, { b: 2 }] },
      nothing: null,
    };
    expect((await patch(app, body)).json).toMatchObject(body);
    expect((await patch(app, { name: 'x' })).json).toMatchObject(body);
  });

  test('read-only fields are ignored, and credentials are not stored', async () => {
    const app = await openTestApp();
    const before = (await app.ask('/api/projects/1/')).json;
    const body = {
      id: 9,
      uuid: 'x',
      api_token: 'phc_mine',
      organization: 'x',
      ingested_event: true,
      inspect_only: true,
      created_at: 'x',
      user_access_level: 'none',
      personal_api_key: TEST_KEY,
    };
    const answer = await app.ask('/api/projects/1/', { method: 'PATCH', body, key: null });
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({ ...before, inspect_only: true });
    expect((await app.ask('/api/projects/1/burrow/capture_settings/')).json).toEqual({ inspect_only: false });
    expect(JSON.stringify(await app.store.db.all('SELECT * FROM projects'))).not.toContain(TEST_KEY);
    expect((await capture(app, TEST_TOKEN)).status).toBe(200);
  });

  test('null resets a list or an object to its default', async () => {
    const app = await openTestApp();
    await patch(app, { app_urls: ['a'], correlation_config: { a: 1 } });
    expect((await patch(app, { app_urls: null, correlation_config: null })).json).toMatchObject({
      app_urls: [],
      correlation_config: {},
    });
  });

  test.each([
    [{ name: '' }, 'blank', 'name'],
    [{ name: null }, 'null', 'name'],
    [{ name: 'x'.repeat(201) }, 'max_length', 'name'],
    [{ timezone: 'Mars/Olympus' }, 'invalid_choice', 'timezone'],
    [{ app_urls: 'x' }, 'not_a_list', 'app_urls'],
    [{ app_urls: [1] }, 'invalid_input', 'app_urls__0'],
    [{ test_account_filters: {} }, 'not_a_list', 'test_account_filters'],
    [{ heatmaps_opt_in: 'maybe' }, 'invalid_input', 'heatmaps_opt_in'],
    [{ week_start_day: 7 }, 'invalid_input', 'week_start_day'],
    [{ correlation_config: [] }, 'not_a_dict', 'correlation_config'],
    [{ huge: 'x'.repeat(300_000) }, 'invalid_input', null],
  ])('%j is refused: %s at %s', async (body, code, attr) => {
    const app = await openTestApp();
    expect(await patch(app, { ...body })).toMatchObject({ status: 400, json: { code, attr } });
    expect((await app.ask('/api/projects/1/')).json.updated_at).toBe('2026-11-20T09:30:00.000000Z');
  });

  test('is logged with the values before', async () => {
    const app = await openTestApp();
    await patch(app, { app_urls: ['a'] });
    await patch(app, { name: 'Shop', app_urls: null });
    await patch(app, { name: 'Shop' });
    const log = (await activities(app)).map(({ detail }) => JSON.parse(detail).changes);
    expect(log).toEqual([
      [{ type: 'Project', action: 'created', field: 'app_urls', before: null, after: ['a'] }],
      [
        { type: 'Project', action: 'deleted', field: 'app_urls', before: ['a'], after: null },
        { type: 'Project', action: 'changed', field: 'name', before: 'Default', after: 'Shop' },
      ],
    ]);
  });

  test('two concurrent ones are both stored', async () => {
    const app = await openTestApp();
    await Promise.all([patch(app, { app_urls: ['a'] }), patch(app, { data_attributes: ['b'] })]);
    expect((await app.ask('/api/projects/1/')).json).toMatchObject({
      app_urls: ['a'],
      data_attributes: ['b'],
    });
  });
});

describe('M8.3 reset_token', () => {
  test.each(['/api/projects/1/', '/api/environments/1/', `${CREATE}1/`])(
    '%s returns a new token, and the old one is refused on every path',
    async (path) => {
      const app = await openTestApp();
      const answer = await app.ask(`${path}reset_token/`, { method: 'PATCH', body: {} });
      expect(answer.status).toBe(200);
      const token = answer.json.api_token;
      expect(token).toMatch(/^phc_[A-Za-z0-9]{43}$/);
      expect((await capture(app, token)).status).toBe(200);
      expect((await capture(app, TEST_TOKEN)).status).toBe(401);
      const flags = (key: string) =>
        app.ask('/flags/?v=2', { method: 'POST', key: null, body: { api_key: key, distinct_id: 'u1' } });
      expect((await flags(TEST_TOKEN)).status).toBe(401);
      expect((await flags(token)).status).toBe(200);
      expect((await app.ask(`/array/${TEST_TOKEN}/config`, { key: null })).status).not.toBe(200);
      expect((await app.ask(`/api/projects/@current/?token=${TEST_TOKEN}`)).status).toBe(401);
      const log = JSON.stringify(await app.store.db.all('SELECT * FROM activity_log'));
      expect(log).toContain('api_token');
      expect(log).not.toContain('phc_');
    },
  );
});

describe('M8.3 DELETE', () => {
  test.each(['/api/projects/2/', '/api/environments/2/', `${CREATE}2/`])('%s', async (path) => {
    const app = await openTestApp();
    const { api_token: token } = (await app.ask(CREATE, { method: 'POST', body: { name: 'Shop' } })).json;
    expect(await app.ask(path, { method: 'DELETE' })).toMatchObject({ status: 204, text: '' });
    expect((await app.ask(path)).status).toBe(404);
    expect((await app.ask('/api/projects/')).json.count).toBe(1);
    expect((await capture(app, token)).status).toBe(401);
    expect((await app.ask(path, { method: 'DELETE' })).status).toBe(404);
    expect(await activities(app)).toMatchObject([{ activity: 'deleted', project: null }]);
  });

  test('the last project cannot be deleted', async () => {
    const app = await openTestApp();
    await app.ask(CREATE, { method: 'POST', body: {} });
    const deleted = await Promise.all(
      [1, 2].map((id) => app.ask(`/api/projects/${id}/`, { method: 'DELETE' })),
    );
    expect(deleted.map(({ status }) => status).toSorted()).toEqual([204, 400]);
    expect(deleted.find(({ status }) => status === 400)!.json).toMatchObject({
      code: 'invalid_input',
      attr: null,
    });
    expect((await app.ask('/api/projects/')).json.count).toBe(1);
  });

  test('ids are not reused', async () => {
    const app = await openTestApp();
    await app.ask(CREATE, { method: 'POST', body: {} });
    await app.ask('/api/projects/2/', { method: 'DELETE' });
    expect((await app.ask(CREATE, { method: 'POST', body: {} })).json.id).toBe(3);
  });
});

describe('permissions for projects', () => {
  test('members can read projects, and cannot change them', async () => {
    const app = await openTestApp();
    const { key } = await addMember(app);
    await app.ask(CREATE, { method: 'POST', body: {} });
    expect((await app.ask('/api/projects/1/', { key })).json).toMatchObject({
      effective_membership_level: 1,
      user_access_level: 'member',
    });
    for (const path of ['/api/projects/1/', '/api/environments/1/', `${CREATE}1/`]) {
      for (const [method, at, body] of [
        ['PATCH', path, { name: 'Mine' }],
        ['DELETE', path, undefined],
        ['PATCH', `${path}reset_token/`, {}],
      ] as const)
        expect(await app.ask(at, { method, body, key })).toMatchObject({
          status: 403,
          json: { code: 'permission_denied' },
        });
    }
    const settings = { method: 'PUT', body: { inspect_only: true }, key };
    expect((await app.ask('/api/projects/1/burrow/capture_settings/', settings)).status).toBe(403);
    expect((await app.ask('/api/projects/1/burrow/retention/', { ...settings, body: {} })).status).toBe(403);
    expect((await app.ask('/api/burrow/geoip/', { ...settings, body: { source: 'none' } })).status).toBe(403);
    expect((await app.ask(CREATE, { method: 'POST', body: {}, key })).status).toBe(403);
    expect((await app.ask('/api/projects/1/')).json.name).toBe('Default');
  });

  test('an admin of the project by a rule can change that one; admins of the organization can create', async () => {
    const app = await openTestApp();
    const lin = await addMember(app);
    await app.ask(CREATE, { method: 'POST', body: {} });
    await setRule(app, 2, lin.id, 'admin');
    expect((await patch(app, { name: 'Mine' }, '/api/projects/2/', lin.key)).json).toMatchObject({
      name: 'Mine',
      effective_membership_level: 8,
    });
    expect((await patch(app, { name: 'Mine' }, '/api/projects/1/', lin.key)).status).toBe(403);
    const admin = await addMember(app, 8);
    expect((await app.ask(CREATE, { method: 'POST', body: {}, key: admin.key })).status).toBe(201);
  });

  test('a project without access for a member is listed nowhere and refused everywhere', async () => {
    const app = await openTestApp();
    const lin = await addMember(app);
    await app.ask(CREATE, { method: 'POST', body: { name: 'Shop' } });
    await setRule(app, 2, lin.id, 'none');
    for (const path of ['/api/projects/', CREATE])
      expect(
        (await app.ask(path, { key: lin.key })).json.results.map(({ id }: { id: number }) => id),
      ).toEqual([1]);
    for (const path of ['/api/projects/2/', '/api/environments/2/', `${CREATE}2/`])
      expect(await app.ask(path, { key: lin.key })).toMatchObject({
        status: 403,
        json: { code: 'permission_denied', detail: 'You do not have access to this project.' },
      });
    const { projects } = (await app.ask('/api/organizations/@current/', { key: lin.key })).json;
    expect(projects).toHaveLength(1);
    const session = (await app.ask('/api/burrow/session/', { key: lin.key })).json;
    expect(session.projects).toHaveLength(1);
    const storage = (await app.ask('/api/burrow/storage/', { key: lin.key })).json;
    expect(JSON.stringify(storage)).not.toContain('Shop');
    expect((await app.ask('/api/projects/2/')).status).toBe(200);
  });
});
