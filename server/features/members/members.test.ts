import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { createdMember, member, memberPage } from './members.contract.ts';

const MEMBERS = '/api/organizations/@current/members/';
const SESSION = '/api/burrow/session/';

async function add(
  app: TestApp,
  body: object = {},
): Promise<{ id: string; uuid: string; userId: number; key: string }> {
  const answer = await app.ask(MEMBERS, { method: 'POST', body: { email: 'lin@local.test', ...body } });
  expect(answer.status).toBe(201);
  const { id, user, personal_api_key: key } = createdMember.parse(answer.json);
  return { id, uuid: user.uuid, userId: user.id, key };
}

function change(app: TestApp, uuid: string, level: unknown, key?: string) {
  return app.ask(`${MEMBERS}${uuid}/`, {
    method: 'PATCH',
    body: { level },
    ...(key === undefined ? {} : { key }),
  });
}

function remove(app: TestApp, uuid: string, key?: string) {
  return app.ask(`${MEMBERS}${uuid}/`, { method: 'DELETE', ...(key === undefined ? {} : { key }) });
}

function activities(app: TestApp) {
  return app.store.db.all<{ activity: string; scope: string; detail: string }>(
    'SELECT activity, scope, detail FROM activity_log ORDER BY created_at, id',
  );
}

describe('M8.2 adding a member', () => {
  test('returns the member and, once, a key with all scopes', async () => {
    const app = await openTestApp();
    const names = { first_name: 'Lin', last_name: 'Ode' };
    const answer = await app.ask(MEMBERS, { method: 'POST', body: { email: ' lin@local.test ', ...names } });
    expect(answer.status).toBe(201);
    const added = createdMember.parse(answer.json);
    expect(added).toMatchObject({
      level: 1,
      user: { id: 2, email: 'lin@local.test', ...names, is_email_verified: false },
      joined_at: '2026-11-20T09:30:00.000000Z',
      last_login: null,
    });
    expect(added.personal_api_key).toMatch(/^phx_[A-Za-z0-9]{43}$/);
    const me = (await app.ask('/api/users/@me/', { key: added.personal_api_key })).json;
    expect(me).toMatchObject({ id: 2, email: 'lin@local.test', team: { id: 1 } });
    expect(me.organizations).toMatchObject([{ membership_level: 1 }]);
    const { personal_api_key: secret, ...shown } = answer.json;
    expect((await app.ask(`${MEMBERS}${added.user.uuid}/`)).json).toEqual(shown);
    for (const table of ['personal_api_keys', 'activity_log'])
      expect(JSON.stringify(await app.store.db.all(`SELECT * FROM ${table}`))).not.toContain(secret.slice(4));
  });

  test.each([
    [{}, 'required', 'email'],
    [{ email: null }, 'null', 'email'],
    [{ email: '' }, 'blank', 'email'],
    [{ email: 'nobody' }, 'invalid_input', 'email'],
    [{ email: `${'x'.repeat(250)}@local.test` }, 'max_length', 'email'],
    [{ email: 'a@local.test', first_name: 'x'.repeat(151) }, 'max_length', 'first_name'],
    [{ email: 'a@local.test', last_name: {} }, 'invalid_input', 'last_name'],
    [{ email: 'a@local.test', level: 9 }, 'invalid_choice', 'level'],
    [{ email: 'a@local.test', level: 'admin' }, 'invalid_input', 'level'],
    [{ email: 'OWNER@burrow.localhost' }, 'unique', 'email'],
  ])('%j is refused: %s at %s', async (body, code, attr) => {
    const app = await openTestApp();
    const answer = await app.ask(MEMBERS, { method: 'POST', body });
    expect(answer).toMatchObject({ status: 400, json: { type: 'validation_error', code, attr } });
    expect((await app.ask(MEMBERS)).json.count).toBe(1);
  });

  test('concurrent requests with the same email add one member', async () => {
    const app = await openTestApp();
    const asked = Array.from({ length: 6 }, () =>
      app.ask(MEMBERS, { method: 'POST', body: { email: 'lin@local.test' } }),
    );
    expect((await Promise.all(asked)).filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await app.ask(MEMBERS)).json.count).toBe(2);
  });

  test("is for admins, and the level cannot be above the caller's", async () => {
    const app = await openTestApp();
    const plain = await add(app);
    const admin = await add(app, { email: 'admin@local.test', level: '8' });
    const ask = (key: string, level: number) =>
      app.ask(MEMBERS, { method: 'POST', key, body: { email: `l${level}@local.test`, level } });
    expect(await ask(plain.key, 1)).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    expect((await ask(admin.key, 15)).status).toBe(403);
    expect((await ask(admin.key, 8)).status).toBe(201);
  });

  test('requires the scope to write members', async () => {
    const app = await openTestApp();
    const body = { label: 'reader', scopes: ['organization_member:read'] };
    const { value: key } = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json;
    const answer = await app.ask(MEMBERS, { method: 'POST', key, body: { email: 'lin@local.test' } });
    expect(answer.json.detail).toContain("missing required scope 'organization_member:write'");
    expect((await app.ask(MEMBERS, { key })).status).toBe(200);
  });
});

describe('M8.2 the members', () => {
  test('are a page, the last to join first, or in order of joining', async () => {
    const app = await openTestApp();
    for (const email of ['b@local.test', 'c@local.test']) {
      app.clock.now += 1_000;
      await add(app, { email });
    }
    const emails = async (query: string) =>
      memberPage.parse((await app.ask(MEMBERS + query)).json).results.map(({ user }) => user.email);
    const joined = ['owner@burrow.localhost', 'b@local.test', 'c@local.test'];
    expect(await emails('')).toEqual(joined.toReversed());
    expect(await emails('?order=-joined_at')).toEqual(joined.toReversed());
    expect(await emails('?order=joined_at')).toEqual(joined);
    const page = (await app.ask(`${MEMBERS}?limit=2&order=joined_at`)).json;
    expect(page).toMatchObject({ count: 3, next: `${app.url}${MEMBERS}?limit=2&order=joined_at&offset=2` });
  });

  test('are found by the organization’s id, one by uuid or @me; others are a 404', async () => {
    const app = await openTestApp();
    const lin = await add(app);
    const { id } = (await app.ask('/api/organizations/@current/')).json;
    expect((await app.ask(`/api/organizations/${id}/members/${lin.uuid}/`)).json.id).toBe(lin.id);
    const me = await app.ask(`${MEMBERS}@me/`, { key: lin.key });
    expect(member.parse(me.json).id).toBe(lin.id);
    for (const path of [
      `${MEMBERS}0190f0c1-0000-7000-8000-000000000001/`,
      `${MEMBERS}17/`,
      `/api/organizations/0190f0c1-0000-7000-8000-000000000001/members/`,
    ])
      expect(await app.ask(path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });
});

describe('M8.2 levels', () => {
  test('an admin changes them, with immediate effect', async () => {
    const app = await openTestApp();
    const lin = await add(app);
    app.clock.now += 1_000;
    expect(await change(app, lin.uuid, 8)).toMatchObject({
      status: 200,
      json: { level: 8, updated_at: '2026-11-20T09:30:01.000000Z' },
    });
    const other = await add(app, { email: 'x@local.test' });
    expect((await change(app, other.uuid, 8, lin.key)).status).toBe(200);
    expect((await activities(app)).map(({ activity }) => activity)).toEqual([
      'created',
      'updated',
      'created',
      'updated',
    ]);
  });

  test("a member cannot change them, an admin cannot change an owner's or exceed their own", async () => {
    const app = await openTestApp();
    const plain = await add(app);
    const admin = await add(app, { email: 'admin@local.test', level: 8 });
    const owner = (await app.ask(`${MEMBERS}@me/`)).json.user.uuid;
    expect((await change(app, plain.uuid, 8, plain.key)).status).toBe(403);
    expect((await change(app, plain.uuid, 15, admin.key)).status).toBe(403);
    expect((await change(app, owner, 1, admin.key)).status).toBe(403);
    expect((await app.ask(`${MEMBERS}@me/`)).json.level).toBe(15);
  });

  test.each([
    [9, 'invalid_choice'],
    ['x', 'invalid_input'],
    [null, 'null'],
    [undefined, 'required'],
  ])('%j is refused: %s', async (level, code) => {
    const app = await openTestApp();
    const lin = await add(app);
    expect(await change(app, lin.uuid, level)).toMatchObject({ status: 400, json: { code, attr: 'level' } });
  });

  test('the last owner cannot be demoted; with another, one can', async () => {
    const app = await openTestApp();
    const lin = await add(app);
    expect(await change(app, '@me', 8)).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', attr: 'level' },
    });
    expect((await change(app, '@me', 15)).status).toBe(200);
    await change(app, lin.uuid, 15);
    expect((await change(app, '@me', 1)).json.level).toBe(1);
    expect((await change(app, lin.uuid, 8, lin.key)).status).toBe(400);
  });

  test('a promotion by an owner is kept when an admin demotes the same member concurrently', async () => {
    const app = await openTestApp();
    const admin = await add(app, { level: 8 });
    const { uuid } = await add(app, { email: 'ada@local.test' });
    await Promise.all([change(app, uuid, 15), change(app, uuid, 1, admin.key)]);
    expect((await app.ask(`${MEMBERS}${uuid}/`)).json).toMatchObject({ level: 15 });
  });

  test('of two owners who demote themselves concurrently, one is left', async () => {
    const app = await openTestApp();
    const lin = await add(app, { level: 15 });
    const statuses = (await Promise.all([change(app, '@me', 1), change(app, '@me', 1, lin.key)])).map(
      ({ status }) => status,
    );
    expect(statuses.toSorted()).toEqual([200, 400]);
  });
});

describe('M8.2 removing a member', () => {
  test('ends keys and console sessions immediately, and keeps the user as creator', async () => {
    const app = await openTestApp();
    const lin = await add(app);
    const signedIn = await app.ask(SESSION, {
      method: 'POST',
      key: null,
      body: { personal_api_key: lin.key },
    });
    const headers = { Cookie: signedIn.headers['set-cookie']!.split(';', 1)[0]! };
    expect((await app.ask(SESSION, { key: null, headers })).json.user.id).toBe(lin.userId);
    const lastLogin = async () => (await app.ask(`${MEMBERS}${lin.uuid}/`)).json.last_login;
    await expect.poll(lastLogin).toBe('2026-11-20T09:30:00.000000Z');
    const token = app.app.features.console.issueToken(lin.userId);

    expect((await remove(app, lin.uuid)).status).toBe(204);
    expect(await app.ask('/api/users/@me/', { key: lin.key })).toMatchObject({
      status: 401,
      json: { code: 'authentication_failed' },
    });
    expect((await app.ask(SESSION, { key: null, headers })).status).toBe(401);
    expect((await app.ask(SESSION, { method: 'POST', key: null, body: { token } })).status).toBe(401);
    expect((await app.ask(`${MEMBERS}${lin.uuid}/`)).status).toBe(404);
    expect((await app.ask(MEMBERS)).json.count).toBe(1);
    expect(app.app.features.users.embedded(lin.userId)).toMatchObject({ email: 'lin@local.test' });
    expect(await app.store.db.all(`SELECT id FROM personal_api_keys WHERE user_id = ${lin.userId}`)).toEqual(
      [],
    );
  });

  test('who is added again is the same user with a new key; old access is not restored', async () => {
    const app = await openTestApp();
    const before = await add(app);
    const signedIn = await app.ask(SESSION, {
      method: 'POST',
      key: null,
      body: { personal_api_key: before.key },
    });
    const headers = { Cookie: signedIn.headers['set-cookie']!.split(';', 1)[0]! };
    await remove(app, before.uuid);
    const after = await add(app, { email: 'LIN@local.test', first_name: 'Lin' });
    expect(after).toMatchObject({ uuid: before.uuid, userId: before.userId });
    expect(after.id).not.toBe(before.id);
    expect((await app.ask('/api/users/@me/', { key: after.key })).json.first_name).toBe('Lin');
    expect((await app.ask('/api/users/@me/', { key: before.key })).status).toBe(401);
    expect((await app.ask(SESSION, { key: null, headers })).status).toBe(401);
  });

  test('is for admins, and for oneself; the last owner cannot be removed', async () => {
    const app = await openTestApp();
    const lin = await add(app);
    const ada = await add(app, { email: 'ada@local.test' });
    const admin = await add(app, { email: 'admin@local.test', level: 8 });
    const owner = (await app.ask(`${MEMBERS}@me/`)).json.user.uuid;
    expect((await remove(app, ada.uuid, lin.key)).status).toBe(403);
    expect((await remove(app, owner, admin.key)).status).toBe(403);
    expect((await remove(app, ada.uuid, admin.key)).status).toBe(204);
    expect((await remove(app, '@me', lin.key)).status).toBe(204);
    expect(await remove(app, '@me')).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', attr: null },
    });
    expect((await app.ask('/api/users/@me/')).status).toBe(200);
  });

  test('removes them from the dashboards of which they are collaborators', async () => {
    const app = await openTestApp();
    const lin = await add(app);
    const body = { name: 'Weekly', restriction_level: 37 };
    const { id } = (await app.ask('/api/projects/1/dashboards/', { method: 'POST', body })).json;
    const collaborators = `/api/projects/1/dashboards/${id}/collaborators/`;
    const added = await app.ask(collaborators, { method: 'POST', body: { user_uuid: lin.uuid, level: 37 } });
    expect(added.status).toBe(201);
    await remove(app, lin.uuid);
    await add(app);
    expect((await app.ask(collaborators)).json).toEqual([]);
  });

  test('deletes the rules of the member', async () => {
    const app = await openTestApp();
    const lin = await add(app);
    const rule = { projectId: 1, resource: 'project', resourceId: '1', memberId: lin.id, roleId: null };
    const { access } = app.app.features;
    await app.store.db.transaction((tx) => access.setRule(tx, rule, 'admin'));
    await access.load();
    expect(access.rulesOf(1)).toHaveLength(1);
    await remove(app, lin.uuid);
    expect(access.rulesOf(1)).toEqual([]);
  });

  test('of the first owner makes the next owner the owner of the machine', async () => {
    const app = await openTestApp();
    const linkKey = app.app.features.console.newLinkKey();
    const runKey = app.app.features.keys.createRunKey(() => 1, { label: 'This run', scopes: ['*'] });
    const lin = await add(app, { level: 15 });
    expect((await remove(app, '@me')).status).toBe(204);
    expect(app.app.features.users.owner().id).toBe(lin.userId);
    expect((await app.ask('/api/users/@me/', { key: runKey })).status).toBe(401);
    const link = await app.ask('/api/burrow/sign_in_links/', { method: 'POST', key: linkKey });
    const token = new URL(link.json.console_url).hash.replace('#token=', '');
    const answer = await app.ask(SESSION, { method: 'POST', key: null, body: { token } });
    expect(answer.json.user.id).toBe(lin.userId);
  });
});

test('a sign-in link signs in the user who requested it, not the owner', async () => {
  const app = await openTestApp();
  const lin = await add(app);
  const link = await app.ask('/api/burrow/sign_in_links/', { method: 'POST', key: lin.key });
  const token = new URL(link.json.console_url).hash.replace('#token=', '');
  expect((await app.ask(SESSION, { method: 'POST', key: null, body: { token } })).json.user.id).toBe(
    lin.userId,
  );
});

describe('A-10 a key with organization_member:write', () => {
  test('A-10 adds a plain member and makes neither an admin nor an owner, also not of a member it added', async () => {
    const app = await openTestApp();
    const { keys } = app.app.features;
    const key = keys.createRunKey(() => 1, { label: 'people', scopes: ['organization_member:write'] });
    const path = '/api/organizations/@current/members/';
    const added = await app.ask(path, { method: 'POST', key, body: { email: 'mo@local.test' } });
    expect(added.status).toBe(201);
    for (const level of [8, 15]) {
      const body = { email: 'eve@local.test', level };
      expect((await app.ask(path, { method: 'POST', key, body })).status).toBe(403);
      const raised = await app.ask(`${path}${added.json.user.uuid}/`, {
        method: 'PATCH',
        key,
        body: { level },
      });
      expect(raised.status).toBe(403);
    }
    const me = await app.ask('/api/users/@me/', { key: added.json.personal_api_key });
    expect(me.json.organizations[0].membership_level).toBe(1);
  });
});
