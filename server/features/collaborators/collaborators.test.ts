import { describe, expect, test } from 'vitest';
import { addMember, type TestMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const LEVEL = { type: 'validation_error', code: 'invalid_input', attr: null };
const UNKNOWN = '0190f0c1-0000-7000-8000-00000000ffff';

async function makeDashboard(app: TestApp, body: object = {}, key = app.key): Promise<number> {
  const answer = await app.ask('/api/projects/1/dashboards/', {
    method: 'POST',
    key,
    body: { name: 'Weekly', restriction_level: 37, ...body },
  });
  expect(answer.status).toBe(201);
  return answer.json.id;
}

const pathOf = (dashboard: number | string, family = 'projects') =>
  `/api/${family}/1/dashboards/${dashboard}/collaborators/`;

function add(app: TestApp, dashboard: number | string, body: unknown, key = app.key) {
  return app.ask(pathOf(dashboard), { method: 'POST', key, body });
}

async function openRestricted(): Promise<{ app: TestApp; lin: TestMember; dashboard: number }> {
  const app = await openTestApp();
  return { app, lin: await addMember(app, 'lin@local.test'), dashboard: await makeDashboard(app) };
}

describe('M4.1/list the list', () => {
  test('is a bare array, in order of being added, with every field, in both families', async () => {
    const { app, lin, dashboard } = await openRestricted();
    const zoe = await addMember(app, 'zoe@local.test');
    expect((await app.ask(pathOf(dashboard))).json).toEqual([]);
    for (const { userUuid } of [zoe, lin]) {
      app.clock.now += 1000;
      await add(app, dashboard, { level: 37, user_uuid: userUuid });
    }
    for (const family of ['projects', 'environments']) {
      const { status, json } = await app.ask(pathOf(dashboard, family));
      expect(status).toBe(200);
      expect(json.map((one: { user_uuid: string }) => one.user_uuid)).toEqual([zoe.userUuid, lin.userUuid]);
      expect(json[1]).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        dashboard_id: dashboard,
        user: {
          id: lin.userId,
          uuid: lin.userUuid,
          distinct_id: expect.any(String),
          first_name: 'lin',
          last_name: '',
          email: 'lin@local.test',
          is_email_verified: json[1].user.is_email_verified,
          hedgehog_config: null,
          role_at_organization: null,
        },
        level: 37,
        added_at: '2026-11-20T09:30:02.000000Z',
        updated_at: '2026-11-20T09:30:02.000000Z',
        user_uuid: lin.userUuid,
      });
    }
  });

  test('leaves out users whose account is not active', async () => {
    const { app, lin, dashboard } = await openRestricted();
    await add(app, dashboard, { level: 37, user_uuid: lin.userUuid });
    await app.store.db.run('UPDATE users SET is_active = false WHERE id = $id', { id: lin.userId });
    await app.app.features.users.load();
    expect((await app.ask(pathOf(dashboard))).json).toEqual([]);
  });

  test.each(['99', 'abc', '0', '99999999999'])(
    'M4.1/unknown-dashboard of dashboard %s is a 404',
    async (id) => {
      const app = await openTestApp();
      for (const method of ['GET', 'POST', 'DELETE']) {
        const path = method === 'DELETE' ? `${pathOf(id)}${UNKNOWN}/` : pathOf(id);
        const answer = await app.ask(path, { method, ...(method === 'POST' ? { body: {} } : {}) });
        expect([method, answer.status, answer.json]).toEqual([
          method,
          404,
          { type: 'invalid_request', code: 'not_found', detail: 'Dashboard not found.', attr: null },
        ]);
      }
    },
  );

  test('of a deleted dashboard is a 404', async () => {
    const { app, dashboard } = await openRestricted();
    const body = { deleted: true };
    await app.ask(`/api/projects/1/dashboards/${dashboard}/`, { method: 'PATCH', body });
    expect((await app.ask(pathOf(dashboard))).json.detail).toBe('Dashboard not found.');
  });
});

describe('adding, checked in this order', () => {
  test('a collaborator is added, may edit, and the change is logged', async () => {
    const { app, lin, dashboard } = await openRestricted();
    const change = { method: 'PATCH', body: { name: 'Mine' } };
    expect((await lin.ask(`/api/projects/1/dashboards/${dashboard}/`, change)).status).toBe(403);
    const added = await add(app, dashboard, { level: 37, user_uuid: lin.userUuid });
    expect(added).toMatchObject({ status: 201, json: { level: 37, user_uuid: lin.userUuid } });
    expect((await app.ask(pathOf(dashboard))).json).toEqual([added.json]);
    expect((await lin.ask(`/api/projects/1/dashboards/${dashboard}/`, change)).status).toBe(200);
    const log = await app.store.db.all(
      `SELECT activity, item_id, detail FROM activity_log WHERE activity LIKE 'collaborator%'`,
    );
    expect(log).toEqual([
      { activity: 'collaborator added', item_id: String(dashboard), detail: expect.any(String) },
    ]);
    expect(JSON.parse(log[0]!['detail'] as string).changes).toEqual([
      {
        type: 'Dashboard',
        action: 'created',
        field: 'collaborators',
        before: null,
        after: { user_uuid: lin.userUuid, level: 37 },
      },
    ]);
  });

  test('M4.1/cannot-edit a caller without edit access cannot add collaborators, whatever the body is', async () => {
    const { app, lin, dashboard } = await openRestricted();
    for (const body of [{ level: 37, user_uuid: lin.userUuid }, {}, { level: 5 }]) {
      expect(await add(app, dashboard, body, lin.key)).toMatchObject({
        status: 403,
        json: { type: 'authentication_error', code: 'permission_denied', attr: null },
      });
    }
  });

  test.each([
    [{}, 'required', 'level'],
    [{ level: null }, 'null', 'level'],
    [{ level: 99 }, 'invalid_choice', 'level'],
    [{ level: 'x' }, 'invalid_choice', 'level'],
    [{ level: 37 }, 'required', 'user_uuid'],
    [{ level: 37, user_uuid: null }, 'null', 'user_uuid'],
    [{ level: 37, user_uuid: 'lin' }, 'invalid_input', 'user_uuid'],
    [{ level: 37, user_uuid: 7 }, 'invalid_input', 'user_uuid'],
  ])('M4.1/level, M4.1/user-uuid %j is refused: %s at %s', async (body, code, attr) => {
    const app = await openTestApp();
    // Also where collaborators make no sense: the fields come first.
    for (const restriction of [21, 37]) {
      const dashboard = await makeDashboard(app, { restriction_level: restriction });
      expect(await add(app, dashboard, body)).toMatchObject({
        status: 400,
        json: { type: 'validation_error', code, attr },
      });
    }
  });

  test('M4.1/lowest-restriction an unrestricted dashboard accepts no collaborators', async () => {
    const { app, lin } = await openRestricted();
    const dashboard = await makeDashboard(app, { restriction_level: 21 });
    for (const level of [21, 37]) {
      expect(await add(app, dashboard, { level, user_uuid: lin.userUuid })).toMatchObject({
        status: 400,
        json: {
          ...LEVEL,
          detail: 'Collaborators can only be managed on dashboards at restriction level 37.',
        },
      });
    }
  });

  test('M4.1/level-21 only level 37 is accepted, also as text', async () => {
    const { app, lin, dashboard } = await openRestricted();
    for (const level of [21, '21'])
      expect(await add(app, dashboard, { level, user_uuid: UNKNOWN })).toMatchObject({
        status: 400,
        json: LEVEL,
      });
    expect(
      (await add(app, dashboard, { level: '37', user_uuid: lin.userUuid.toUpperCase() })).json.level,
    ).toBe(37);
  });

  test('M4.1/no-active-user an unknown or inactive user cannot be added', async () => {
    const { app, lin, dashboard } = await openRestricted();
    const nobody = await add(app, dashboard, { level: 37, user_uuid: UNKNOWN });
    expect(nobody).toMatchObject({ status: 400, json: LEVEL });
    await app.store.db.run('UPDATE users SET is_active = false WHERE id = $id', { id: lin.userId });
    await app.app.features.users.load();
    const inactive = await add(app, dashboard, { level: 37, user_uuid: lin.userUuid });
    expect(inactive).toMatchObject({ status: 400, json: { ...LEVEL, detail: nobody.json.detail } });
  });

  test('M4.1/no-project-access a user without access to the project cannot be added', async () => {
    const { app, lin, dashboard } = await openRestricted();
    const body = { access_level: 'none', organization_member: lin.membershipId };
    await app.ask('/api/projects/1/access_controls/', { method: 'PUT', body });
    expect(await add(app, dashboard, { level: 37, user_uuid: lin.userUuid })).toMatchObject({
      status: 400,
      json: LEVEL,
    });
  });

  test('M4.1/inherent-rights creator, admins of the organization and of the project cannot be added', async () => {
    const { app, lin } = await openRestricted();
    const ada = await addMember(app, 'ada@local.test', 8);
    const pia = await addMember(app, 'pia@local.test');
    const body = { access_level: 'admin', organization_member: pia.membershipId };
    await app.ask('/api/projects/1/access_controls/', { method: 'PUT', body });
    const dashboard = await makeDashboard(app, {}, lin.key);
    for (const { userUuid } of [lin, ada, pia]) {
      const answer = await add(app, dashboard, { level: 37, user_uuid: userUuid }, lin.key);
      expect(answer).toMatchObject({ status: 400, json: LEVEL });
    }
  });

  test('M4.1/already a user cannot be added twice, also not concurrently', async () => {
    const { app, lin, dashboard } = await openRestricted();
    const body = { level: 37, user_uuid: lin.userUuid };
    const answers = await Promise.all([1, 2, 3, 4].map(() => add(app, dashboard, body)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400]);
    expect(await add(app, dashboard, body)).toMatchObject({ status: 400, json: LEVEL });
    expect((await app.ask(pathOf(dashboard))).json).toHaveLength(1);
  });
});

describe('M4.1/remove removing', () => {
  const remove = (app: TestApp, dashboard: number, uuid: string, key = app.key) =>
    app.ask(`${pathOf(dashboard)}${uuid}/`, { method: 'DELETE', key });

  test('ends the access immediately, and a collaborator can remove themselves', async () => {
    const { app, lin, dashboard } = await openRestricted();
    await add(app, dashboard, { level: 37, user_uuid: lin.userUuid });
    const gone = await remove(app, dashboard, lin.userUuid, lin.key);
    expect([gone.status, gone.text]).toEqual([204, '']);
    expect((await app.ask(pathOf(dashboard))).json).toEqual([]);
    const change = { method: 'PATCH', body: { name: 'Mine' } };
    expect((await lin.ask(`/api/projects/1/dashboards/${dashboard}/`, change)).status).toBe(403);
    expect((await add(app, dashboard, { level: 37, user_uuid: lin.userUuid })).status).toBe(201);
  });

  test.each([UNKNOWN, 'lin', '1'])('of %s, who is not a collaborator, is a 404', async (uuid) => {
    const { app, lin, dashboard } = await openRestricted();
    await add(app, dashboard, { level: 37, user_uuid: lin.userUuid });
    expect(await remove(app, dashboard, uuid)).toMatchObject({
      status: 404,
      json: { code: 'not_found', detail: 'Not found.' },
    });
  });

  test('is refused to callers without edit access, and on unrestricted dashboards', async () => {
    const { app, lin, dashboard } = await openRestricted();
    const zoe = await addMember(app, 'zoe@local.test');
    await add(app, dashboard, { level: 37, user_uuid: lin.userUuid });
    expect((await remove(app, dashboard, lin.userUuid, zoe.key)).status).toBe(403);
    const path = `/api/projects/1/dashboards/${dashboard}/`;
    await app.ask(path, { method: 'PATCH', body: { restriction_level: 21 } });
    expect(await remove(app, dashboard, lin.userUuid)).toMatchObject({ status: 400, json: LEVEL });
    // Lowering the restriction keeps the rows; they act again when it returns.
    await app.ask(path, { method: 'PATCH', body: { restriction_level: 37 } });
    expect((await lin.ask(path, { method: 'PATCH', body: { name: 'Mine' } })).status).toBe(200);
  });
});

test.each(['GET', 'PUT', 'PATCH'])(
  'M4.1/other-methods %s of one collaborator is not allowed',
  async (method) => {
    const { app, lin, dashboard } = await openRestricted();
    await add(app, dashboard, { level: 37, user_uuid: lin.userUuid });
    const answer = await app.ask(`${pathOf(dashboard)}${lin.userUuid}/`, {
      method,
      ...(method === 'GET' ? {} : { body: { level: 37 } }),
    });
    expect(answer).toMatchObject({
      status: 405,
      json: { type: 'invalid_request', code: 'method_not_allowed', attr: null },
      headers: { allow: 'DELETE, OPTIONS' },
    });
  },
);

test('reading requires dashboard:read, changing dashboard:write', async () => {
  const { app, lin, dashboard } = await openRestricted();
  const keyWith = async (...scopes: string[]) =>
    (await app.ask('/api/personal_api_keys/', { method: 'POST', body: { label: 'k', scopes } })).json.value;
  const [reader, other] = [await keyWith('dashboard:read'), await keyWith('insight:write')];
  expect((await app.ask(pathOf(dashboard), { key: reader })).status).toBe(200);
  expect((await app.ask(pathOf(dashboard), { key: other })).status).toBe(403);
  expect((await add(app, dashboard, { level: 37, user_uuid: lin.userUuid }, reader)).status).toBe(403);
});
