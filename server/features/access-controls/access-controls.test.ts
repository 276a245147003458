import { describe, expect, test } from 'vitest';
import { openWithDashboard, putRule } from '../../../test/support/access-rules.ts';
import { addMember, type TestMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { dashboard as dashboardSchema } from '../dashboards/index.ts';
import { accessControls } from './access-controls.contract.ts';

const P = '/api/projects/1/';
const UNKNOWN = '0190f0c1-0000-7000-8000-00000000ffff';

async function make(app: TestApp, what: 'dashboards' | 'actions', body: object, key = app.key) {
  const answer = await app.ask(`${P}${what}/`, { method: 'POST', key, body });
  expect(answer.status).toBe(201);
  return answer.json.id as number;
}

describe('M5.1/get the rules of a dashboard', () => {
  test('are shown beside all its fields, under both segments and in both families', async () => {
    const { app, lin, id, path } = await openWithDashboard();
    await putRule(app, path, { access_level: 'viewer' });
    await putRule(app, path, { access_level: 'manager', organization_member: lin.membershipId });
    for (const [family, segment] of [
      ['projects', 'dashboards'],
      ['projects', 'dashboard'],
      ['environments', 'dashboards'],
    ]) {
      const { status, json } = await app.ask(`/api/${family}/1/${segment}/${id}/access_controls/`);
      expect(status).toBe(200);
      expect(Object.keys(json).toSorted()).toEqual(
        [
          ...new Set([...Object.keys(dashboardSchema.shape), ...Object.keys(accessControls.shape)]),
        ].toSorted(),
      );
      expect(json).toMatchObject({
        id,
        name: 'Weekly',
        user_access_level: 'manager',
        available_access_levels: ['none', 'viewer', 'editor', 'manager'],
        default_access_level: 'editor',
        minimum_access_level: 'none',
        maximum_access_level: 'manager',
        user_can_edit_access_levels: true,
      });
      const times = { created_at: '2026-11-20T09:30:00.000000Z', updated_at: '2026-11-20T09:30:00.000000Z' };
      const common = {
        resource: 'dashboard',
        resource_id: String(id),
        role: null,
        created_by: null,
        ...times,
      };
      expect(json.access_controls).toEqual([
        { ...common, access_level: 'viewer', organization_member: null },
        { ...common, access_level: 'manager', organization_member: lin.membershipId },
      ]);
    }
  });

  test('M5.1/global of the whole resource are those without an object', async () => {
    const { app, id, path } = await openWithDashboard();
    await putRule(app, path, { access_level: 'viewer' });
    await putRule(app, 'resource_access_controls/', { resource: 'dashboard', access_level: 'editor' });
    await putRule(app, 'resource_access_controls/', { resource: 'insight', access_level: 'none' });
    const { status, json } = await app.ask(`${P}dashboards/${id}/global_access_controls/`);
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, name: 'Weekly', user_access_level: 'manager' });
    expect(json.access_controls).toEqual([
      expect.objectContaining({ access_level: 'editor', resource: 'dashboard', resource_id: null }),
    ]);
  });

  test.each(['access_controls', 'global_access_controls', 'users_with_access'])(
    'M5.1/unknown %s of an unknown or deleted dashboard is a 404',
    async (what) => {
      const { app, id } = await openWithDashboard();
      await app.ask(`${P}dashboards/${id}/`, { method: 'PATCH', body: { deleted: true } });
      for (const none of [id, 99, 'abc'])
        expect(await app.ask(`${P}dashboards/${none}/${what}/`)).toMatchObject({
          status: 404,
          json: { type: 'invalid_request', code: 'not_found', detail: 'Not found.' },
        });
    },
  );

  test('M2.3/access-controls either of two scopes can read, only its own can write', async () => {
    const { app, id, path } = await openWithDashboard();
    const statusOf = async (scope: string) => {
      const body = { label: 'k', scopes: [scope] };
      const key = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json.value;
      const reads = ['access_controls', 'global_access_controls', 'users_with_access'].map(
        async (what) => (await app.ask(`${P}dashboards/${id}/${what}/`, { key })).status,
      );
      const write = (await putRule(app, path, { access_level: 'editor' }, key)).status;
      return [...(await Promise.all(reads)), write];
    };
    expect(await statusOf('access_control:read')).toEqual([200, 200, 200, 403]);
    expect(await statusOf('dashboard:read')).toEqual([200, 200, 200, 403]);
    expect(await statusOf('access_control:write')).toEqual([200, 200, 200, 200]);
    expect(await statusOf('dashboard:write')).toEqual([200, 200, 200, 403]);
    expect(await statusOf('insight:write')).toEqual([403, 403, 403, 403]);
  });
});

describe('M5.1/put setting a rule', () => {
  test('creates it, changes it, and null deletes it: 200, 200, 204, 204', async () => {
    const { app, lin, id, path } = await openWithDashboard();
    const body = { access_level: 'viewer', organization_member: lin.membershipId };
    const made = await putRule(app, path, body);
    expect(made).toMatchObject({
      status: 200,
      json: { ...body, resource: 'dashboard', resource_id: String(id) },
    });
    app.clock.now += 1000;
    const changed = await putRule(app, path, { ...body, access_level: 'none' });
    expect(changed.json).toEqual({
      ...made.json,
      access_level: 'none',
      updated_at: '2026-11-20T09:30:01.000000Z',
    });
    expect((await app.ask(P + path)).json.access_controls).toEqual([changed.json]);
    for (let i = 0; i < 2; i++) {
      const gone = await putRule(app, path, { ...body, access_level: null });
      expect([gone.status, gone.text]).toEqual([204, '']);
    }
    expect((await app.ask(P + path)).json.access_controls).toEqual([]);
    const log = await app.store.db.all<{ activity: string; name: string; changes: string }>(
      `SELECT activity, detail->>'$.name' AS name, detail->>'$.changes' AS changes FROM activity_log
       WHERE scope = 'AccessControl' AND item_id = $id ORDER BY created_at, id`,
      { id: String(id) },
    );
    expect(log.map(({ activity, name }) => [activity, name])).toEqual([
      ['created', 'Weekly'],
      ['updated', 'Weekly'],
      ['deleted', 'Weekly'],
    ]);
    expect(JSON.parse(log[1]!.changes)).toEqual([
      { type: 'AccessControl', action: 'changed', field: 'access_level', before: 'viewer', after: 'none' },
    ]);
  });

  test('accepts the body of Terraform: the resource and the id of the path again', async () => {
    const { app, id, path } = await openWithDashboard();
    const body = { access_level: 'viewer', resource: 'dashboard', resource_id: String(id) };
    expect((await putRule(app, path, body)).status).toBe(200);
    expect((await putRule(app, path, { ...body, resource_id: id })).status).toBe(200);
  });

  test.each<[object, number, string, string | null]>([
    [{}, 400, 'required', 'access_level'],
    [{ access_level: 'owner' }, 400, 'invalid_choice', 'access_level'],
    [{ access_level: 'admin' }, 400, 'invalid_choice', 'access_level'],
    [{ access_level: 'viewer', organization_member: 'lin' }, 400, 'invalid_input', 'organization_member'],
    [{ access_level: 'viewer', organization_member: 5 }, 400, 'invalid_input', 'organization_member'],
    [{ access_level: 'viewer', organization_member: UNKNOWN }, 400, 'does_not_exist', 'organization_member'],
    [{ access_level: 'viewer', role: UNKNOWN }, 400, 'does_not_exist', 'role'],
    [{ access_level: 'viewer', organization_member: UNKNOWN, role: UNKNOWN }, 400, 'invalid_input', null],
    [{ access_level: 'viewer', resource_id: '77' }, 403, 'permission_denied', null],
    [{ access_level: null, resource_id: 77 }, 403, 'permission_denied', null],
    [{ access_level: 'viewer', resource_id: [1] }, 403, 'permission_denied', null],
    [{ access_level: 'viewer', resource_id: { toString: 1 } }, 403, 'permission_denied', null],
  ])('M5.1/put-errors %j is refused: %i %s at %s', async (body, status, code, attr) => {
    const { app, path } = await openWithDashboard();
    expect(await putRule(app, path, body)).toMatchObject({ status, json: { code, attr } });
    expect((await app.ask(P + path)).json.access_controls).toEqual([]);
  });

  test('accepts the id of a membership, not that of a user', async () => {
    const { app, lin, path } = await openWithDashboard();
    expect(
      await putRule(app, path, { access_level: 'viewer', organization_member: lin.userUuid }),
    ).toMatchObject({
      status: 400,
      json: { code: 'does_not_exist', attr: 'organization_member' },
    });
  });

  test('M5.1/put-who creators, admins, admins of the project and managers are allowed; others are refused before validation', async () => {
    const { app, lin, path } = await openWithDashboard();
    const mine = await make(app, 'dashboards', { name: 'Mine' }, lin.key);
    const rule = { access_level: 'editor' };
    const may = async (member: TestMember, of = path) => [
      (await app.ask(P + of, { key: member.key })).json.user_can_edit_access_levels,
      (await putRule(app, of, rule, member.key)).status,
    ];
    expect(await may(lin)).toEqual([false, 403]);
    expect((await putRule(app, path, { access_level: 5 }, lin.key)).json.code).toBe('permission_denied');
    expect(await may(lin, `dashboards/${mine}/access_controls/`)).toEqual([true, 200]);
    await putRule(app, path, { access_level: 'manager', organization_member: lin.membershipId });
    expect(await may(lin)).toEqual([true, 200]);
    await putRule(app, path, { access_level: 'editor', organization_member: lin.membershipId });
    expect(await may(lin)).toEqual([false, 403]);
    await putRule(app, 'access_controls/', { access_level: 'admin', organization_member: lin.membershipId });
    expect(await may(lin)).toEqual([true, 200]);
    expect(await may(await addMember(app, 'ada@local.test', 8))).toEqual([true, 200]);
  });

  test('after many concurrent requests, memory is equal to the database', async () => {
    const { app, path } = await openWithDashboard();
    const levels = ['none', 'viewer', 'editor', 'manager'];
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => putRule(app, path, { access_level: levels[i % 4] })),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const stored = await app.store.db.all('SELECT access_level FROM access_controls');
    expect(stored).toHaveLength(1);
    expect((await app.ask(P + path)).json.access_controls[0].access_level).toBe(stored[0]!['access_level']);
  });
});

describe('M5.2/requests the access level decides the response', () => {
  const read = (lin: TestMember, id: number) => lin.ask(`${P}dashboards/${id}/`);
  const write = (lin: TestMember, id: number) =>
    lin.ask(`${P}dashboards/${id}/`, { method: 'PATCH', body: { pinned: true } });
  const listed = async (lin: TestMember) =>
    (await lin.ask(`${P}dashboards/`)).json.results.map(({ id }: { id: number }) => id);

  test.each([
    ['none', 403, 403, false],
    ['viewer', 200, 403, true],
    ['editor', 200, 200, true],
    ['manager', 200, 200, true],
  ])('%s: reading %i, writing %i, in lists %s', async (level, reading, writing, isListed) => {
    const { app, lin, id, path } = await openWithDashboard();
    await putRule(app, path, { access_level: level, organization_member: lin.membershipId });
    expect((await read(lin, id)).status).toBe(reading);
    expect((await write(lin, id)).status).toBe(writing);
    expect((await listed(lin)).includes(id)).toBe(isListed);
    if (reading === 200) expect((await read(lin, id)).json.user_access_level).toBe(level);
    expect((await read({ ...lin, ask: app.ask }, id)).status).toBe(200);
  });

  test('a creator and an admin keep full access under any rule', async () => {
    const { app, lin } = await openWithDashboard();
    const mine = await make(app, 'dashboards', { name: 'Mine' }, lin.key);
    const path = `dashboards/${mine}/access_controls/`;
    await putRule(app, path, { access_level: 'none' });
    await putRule(app, path, { access_level: 'none', organization_member: lin.membershipId });
    expect((await read(lin, mine)).json.user_access_level).toBe('manager');
    expect((await app.ask(`${P}dashboards/${mine}/`)).json.user_access_level).toBe('manager');
  });

  test('a whole resource at none is hidden, except for an object with a rule of its own', async () => {
    const { app, lin, id, path } = await openWithDashboard();
    const second = await make(app, 'dashboards', { name: 'Second' });
    await putRule(app, 'resource_access_controls/', { resource: 'dashboard', access_level: 'none' });
    expect((await lin.ask(`${P}dashboards/`)).status).toBe(403);
    expect((await lin.ask(`${P}dashboards/`, { method: 'POST', body: {} })).status).toBe(403);
    await putRule(app, path, { access_level: 'viewer', organization_member: lin.membershipId });
    expect(await listed(lin)).toEqual([id]);
    expect((await read(lin, id)).status).toBe(200);
    expect((await read(lin, second)).status).toBe(403);
  });
});

test('M5.1/users-with-access lists the users with access to an object and the reason', async () => {
  const { app, lin, id, path } = await openWithDashboard();
  const ada = await addMember(app, 'ada@local.test', 8);
  const [zoe, max, out] = [
    await addMember(app, 'zoe@local.test'),
    await addMember(app, 'max@local.test'),
    await addMember(app, 'out@local.test'),
  ];
  await putRule(app, path, { access_level: 'viewer', organization_member: lin.membershipId });
  await putRule(app, path, { access_level: 'none', organization_member: zoe.membershipId });
  await putRule(app, 'access_controls/', { access_level: 'none', organization_member: out.membershipId });
  const { status, json } = await app.ask(`${P}dashboards/${id}/users_with_access/`);
  expect(status).toBe(200);
  expect(json.total_count).toBe(4);
  expect(json.users).toEqual([
    expect.objectContaining({
      access_level: 'manager',
      access_source: 'creator',
      organization_membership_level: 'owner',
    }),
    {
      user_id: lin.userUuid,
      access_level: 'viewer',
      access_source: 'explicit_member',
      organization_membership_id: lin.membershipId,
      organization_membership_level: 'member',
    },
    expect.objectContaining({
      user_id: ada.userUuid,
      access_level: 'manager',
      access_source: 'organization_admin',
      organization_membership_level: 'admin',
    }),
    expect.objectContaining({ user_id: max.userUuid, access_level: 'editor', access_source: 'default' }),
  ]);
});

describe('other kinds of objects', () => {
  test('an insight has only the envelope, by either of its ids', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const { id, short_id: shortId } = (await app.ask(`${P}insights/`, { method: 'POST', body: {} })).json;
    const rule = { access_level: 'none', organization_member: lin.membershipId };
    expect((await putRule(app, `insights/${id}/access_controls/`, rule)).json).toMatchObject({
      resource: 'insight',
      resource_id: String(id),
    });
    for (const path of [`insight/${id}`, `insights/${shortId}`]) {
      const { json } = await app.ask(`${P}${path}/access_controls/`);
      expect(Object.keys(json).toSorted()).toEqual(Object.keys(accessControls.shape).toSorted());
      expect(json.access_controls).toHaveLength(1);
      expect((await lin.ask(`${P}${path}/access_controls/`)).status).toBe(403);
    }
    expect((await lin.ask(`${P}insights/`)).json.results).toEqual([]);
  });

  test('an action has only the envelope, and cannot be hidden', async () => {
    const app = await openTestApp();
    const id = await make(app, 'actions', { name: 'Signed up', steps: [{ event: 'signup' }] });
    for (const segment of ['action', 'actions']) {
      const { status, json } = await app.ask(`${P}${segment}/${id}/access_controls/`);
      expect(status).toBe(200);
      expect(Object.keys(json).toSorted()).toEqual(Object.keys(accessControls.shape).toSorted());
      expect(json.minimum_access_level).toBe('viewer');
    }
    expect(
      (await putRule(app, `action/${id}/access_controls/`, { access_level: 'viewer' })).json,
    ).toMatchObject({
      resource: 'action',
      resource_id: String(id),
    });
    expect(
      (await putRule(app, `actions/${id}/access_controls/`, { access_level: 'none' })).json,
    ).toMatchObject({
      code: 'invalid_choice',
      attr: 'access_level',
    });
  });

  test.each(['feature_flag', 'feature_flags', 'cohort', 'cohorts'])(
    'an unknown %s is 404',
    async (segment) => {
      const app = await openTestApp();
      expect((await app.ask(`${P}${segment}/1/access_controls/`)).status).toBe(404);
      expect((await putRule(app, `${segment}/1/access_controls/`, { access_level: 'viewer' })).status).toBe(
        404,
      );
    },
  );
});
