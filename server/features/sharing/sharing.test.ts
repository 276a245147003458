import { describe, expect, test } from 'vitest';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const P = '/api/projects/1/';
const MACHINE = '/api/burrow/sharing/';

async function makeDashboard(app: TestApp, body: object = {}): Promise<number> {
  return (await app.ask(`${P}dashboards/`, { method: 'POST', body: { name: 'Weekly', ...body } })).json.id;
}

function linkOf(app: TestApp, id: number | string) {
  const path = `${P}dashboards/${id}/sharing/`;
  return {
    path,
    get: (key = app.key) => app.ask(path, { key }),
    patch: (body: unknown, key = app.key) => app.ask(path, { method: 'PATCH', key, body }),
    refresh: (key = app.key) => app.ask(`${path}refresh/`, { method: 'POST', key }),
    expire: (expires_at: unknown, key = app.key) =>
      app.ask(`${P}burrow/dashboards/${id}/sharing_expiry/`, { method: 'PUT', key, body: { expires_at } }),
  };
}

const open = (app: TestApp, token: string) => app.ask(`/shared/${token}.json`, { key: null });

async function openWithLink() {
  const app = await openTestApp();
  const id = await makeDashboard(app);
  return { app, id, link: linkOf(app, id) };
}

async function isShared(app: TestApp, id: number): Promise<boolean[]> {
  const [one, list] = [await app.ask(`${P}dashboards/${id}/`), await app.ask(`${P}dashboards/`)];
  const listed = list.json.results.find((each: { id: number }) => each.id === id);
  return [one.json.is_shared, listed.is_shared];
}

describe('M4.2/get the link of a dashboard', () => {
  test('exists on the first read, disabled, and is the same on the next, in both families', async () => {
    const { app, id, link } = await openWithLink();
    const [first, second] = await Promise.all([link.get(), link.get()]);
    expect(first).toMatchObject({ status: 200 });
    expect(first.json).toEqual({
      created_at: '2026-11-20T09:30:00.000000Z',
      enabled: false,
      access_token: expect.stringMatching(/^[A-Za-z0-9_-]{30}$/),
    });
    expect(second.json).toEqual(first.json);
    const other = await app.ask(`/api/environments/1/dashboards/${id}/sharing/`);
    expect(other.json).toEqual(first.json);
    expect(await app.store.db.all('SELECT id FROM sharing_configurations')).toHaveLength(1);
    expect((await open(app, first.json.access_token)).status).toBe(404);
  });

  test('M4.2/unknown of an unknown or deleted one is a 404', async () => {
    const { app, id, link } = await openWithLink();
    await app.ask(`${P}dashboards/${id}/`, { method: 'PATCH', body: { deleted: true } });
    for (const one of [link, linkOf(app, 99), linkOf(app, 'abc')]) {
      for (const answer of [await one.get(), await one.patch({ enabled: true }), await one.refresh()]) {
        expect(answer).toMatchObject({
          status: 404,
          json: { type: 'invalid_request', code: 'not_found', detail: 'Dashboard not found.', attr: null },
        });
      }
    }
  });

  test.each(['POST', 'PUT', 'DELETE'])('M4.2/other-methods %s is not allowed', async (method) => {
    const { app, link } = await openWithLink();
    const answer = await app.ask(link.path, { method, ...(method === 'DELETE' ? {} : { body: {} }) });
    expect(answer).toMatchObject({ status: 405, json: { code: 'method_not_allowed' } });
  });

  test('reading requires sharing_configuration:read, changing sharing_configuration:write', async () => {
    const { app, link } = await openWithLink();
    const keyWith = async (scope: string) =>
      (await app.ask('/api/personal_api_keys/', { method: 'POST', body: { label: 'k', scopes: [scope] } }))
        .json.value;
    const reader = await keyWith('sharing_configuration:read');
    expect((await link.get(reader)).status).toBe(200);
    expect((await link.patch({ enabled: true }, reader)).status).toBe(403);
    expect((await link.refresh(reader)).status).toBe(403);
    expect((await link.get(await keyWith('dashboard:write'))).status).toBe(403);
  });
});

describe('M4.2/patch turning it on and off', () => {
  test('opens and closes the page immediately; is_shared follows', async () => {
    const { app, id, link } = await openWithLink();
    const before = (await link.get()).json;
    const on = await link.patch({ enabled: true });
    expect(on).toMatchObject({ status: 200, json: { ...before, enabled: true } });
    expect((await open(app, on.json.access_token)).status).toBe(200);
    expect(await isShared(app, id)).toEqual([true, true]);
    const off = await link.patch({ enabled: 'false' });
    expect(off.json).toEqual({ ...on.json, enabled: false });
    expect((await open(app, on.json.access_token)).status).toBe(404);
    expect(await isShared(app, id)).toEqual([false, false]);
  });

  test('M4.2/re-enable a link that is enabled again has a new token, and the old one stays invalid', async () => {
    const { app, link } = await openWithLink();
    const first = (await link.patch({ enabled: true })).json;
    expect((await link.patch({ enabled: true })).json).toEqual(first);
    await link.patch({ enabled: false });
    const second = (await link.patch({ enabled: true })).json;
    expect(second).toMatchObject({ enabled: true, created_at: first.created_at });
    expect(second.access_token).not.toBe(first.access_token);
    expect((await open(app, first.access_token)).status).toBe(404);
    expect((await open(app, second.access_token)).status).toBe(200);
  });

  test('a body without keys, or with those of the response, changes no field', async () => {
    const { link } = await openWithLink();
    const on = (await link.patch({ enabled: true })).json;
    const sent = { access_token: 'mine', created_at: '2020-01-01T00:00:00Z', settings: { colour: 'red' } };
    for (const body of [{}, sent]) expect((await link.patch(body)).json).toEqual(on);
    expect((await link.get()).json).toEqual(on);
  });

  test.each([
    [{ enabled: 'perhaps' }, 'enabled'],
    [{ settings: 'dark' }, 'settings'],
    [{ settings: { legend: 'yes' } }, 'settings'],
    [{ password_required: true }, 'password_required'],
  ])('%j is refused at %s', async (body, attr) => {
    const { link } = await openWithLink();
    expect(await link.patch(body)).toMatchObject({ status: 400, json: { type: 'validation_error', attr } });
    expect((await link.get()).json.enabled).toBe(false);
  });

  test('M4.2/edit-rights users without edit access can read the link, and cannot change it', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const restricted = linkOf(app, await makeDashboard(app, { restriction_level: 37 }));
    expect((await restricted.get(lin.key)).status).toBe(200);
    for (const answer of [
      await restricted.patch({ enabled: true }, lin.key),
      await restricted.refresh(lin.key),
      await restricted.expire(null, lin.key),
    ])
      expect(answer).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    const id = await makeDashboard(app);
    const body = { access_level: 'viewer', organization_member: lin.membershipId };
    await app.ask(`${P}dashboards/${id}/access_controls/`, { method: 'PUT', body });
    expect((await linkOf(app, id).patch({ enabled: true }, lin.key)).status).toBe(403);
    expect((await linkOf(app, await makeDashboard(app)).patch({ enabled: true }, lin.key)).status).toBe(200);
  });

  test('is logged with its own activity names, without a token', async () => {
    const { app, id, link } = await openWithLink();
    const tokens = [
      (await link.get()).json.access_token,
      (await link.patch({ enabled: true })).json.access_token,
      (await link.refresh()).json.access_token,
      (await link.patch({ enabled: false })).json.access_token,
      (await link.patch({ enabled: true })).json.access_token,
    ];
    const log = await app.store.db.all(
      `SELECT activity, scope, item_id, detail FROM activity_log WHERE activity <> 'created' ORDER BY created_at, id`,
    );
    expect(log.map(({ activity, scope, item_id }) => [activity, scope, item_id])).toEqual([
      ['sharing enabled', 'Dashboard', String(id)],
      ['access token refreshed', 'Dashboard', String(id)],
      ['sharing disabled', 'Dashboard', String(id)],
      ['sharing enabled', 'Dashboard', String(id)],
    ]);
    for (const token of tokens) expect(JSON.stringify(log)).not.toContain(token);
  });
});

describe('M4.2/refresh a new token', () => {
  test('works immediately, and the old one for 300 seconds more', async () => {
    const { app, link } = await openWithLink();
    const old = (await link.patch({ enabled: true })).json;
    const fresh = await link.refresh();
    expect(fresh).toMatchObject({ status: 200, json: { enabled: true, created_at: old.created_at } });
    expect(fresh.json.access_token).not.toBe(old.access_token);
    app.clock.now += 299_999;
    const seen = await open(app, old.access_token);
    expect(seen.status).toBe(200);
    // A visitor with the old link does not see the new one.
    expect(seen.text).not.toContain(fresh.json.access_token);
    app.clock.now += 1;
    expect((await open(app, old.access_token)).status).toBe(404);
    expect((await open(app, fresh.json.access_token)).status).toBe(200);
  });

  test('is shown with the link, and the old one can be ended early', async () => {
    const { app, id, link } = await openWithLink();
    const path = `${P}burrow/dashboards/${id}/sharing_link/`;
    const settings = { theme: 'dark', noHeader: true };
    const old = (await link.patch({ enabled: true, settings })).json.access_token;
    const before = { enabled: true, expires_at: null, old_until: null, settings };
    expect((await app.ask(path)).json).toEqual(before);
    const fresh = (await link.refresh()).json.access_token;
    expect((await app.ask(path)).json).toEqual({ ...before, old_until: '2026-11-20T09:35:00.000000Z' });
    app.clock.now += 60_000;
    expect((await app.ask(`${path}old/`, { method: 'DELETE' })).status).toBe(204);
    expect((await open(app, old)).status).toBe(404);
    expect((await open(app, fresh)).status).toBe(200);
    expect((await app.ask(path)).json).toEqual(before);
    expect((await app.ask(`${path}old/`, { method: 'DELETE' })).status).toBe(204);
    const { results } = (await app.ask(`${P}activity_log/?scope=Dashboard&item_id=${id}`)).json;
    const ended = results.filter(
      ({ activity }: { activity: string }) => activity === 'old access token ended',
    );
    expect(ended).toHaveLength(1);
    expect(JSON.stringify(ended)).not.toContain(old);
  });

  test('the old one is hidden after its time has passed, or when the link is off', async () => {
    const { app, id, link } = await openWithLink();
    const oldUntil = async () =>
      (await app.ask(`${P}burrow/dashboards/${id}/sharing_link/`)).json.old_until as unknown;
    await link.patch({ enabled: true });
    await link.refresh();
    expect(await oldUntil()).not.toBeNull();
    app.clock.now += 300_000;
    expect(await oldUntil()).toBeNull();
    await link.refresh();
    await link.patch({ enabled: false });
    expect(await oldUntil()).toBeNull();
  });

  test('of a disabled link keeps it disabled, and the old token does not work', async () => {
    const { app, link } = await openWithLink();
    const old = (await link.get()).json;
    const fresh = (await link.refresh()).json;
    expect(fresh).toEqual({ ...old, access_token: expect.any(String) });
    expect(fresh.access_token).not.toBe(old.access_token);
    const on = (await link.patch({ enabled: true })).json;
    expect(on.access_token).toBe(fresh.access_token);
    expect((await open(app, old.access_token)).status).toBe(404);
  });

  test('disabling ends the grace period too', async () => {
    const { app, link } = await openWithLink();
    const old = (await link.patch({ enabled: true })).json;
    await link.refresh();
    await link.patch({ enabled: false });
    await link.patch({ enabled: true });
    expect((await open(app, old.access_token)).status).toBe(404);
  });
});

describe('the expiry of a link', () => {
  test('closes it, and only enabling it again, with a new token, opens it', async () => {
    const { app, id, link } = await openWithLink();
    const on = (await link.patch({ enabled: true })).json;
    const set = await link.expire('2026-11-20T10:30:00+00:30');
    expect(set).toMatchObject({
      status: 200,
      json: { enabled: true, expires_at: '2026-11-20T10:00:00.000000Z' },
    });
    expect((await app.ask(`${P}burrow/dashboards/${id}/sharing_expiry/`)).json).toEqual(set.json);
    expect((await link.get()).json).toEqual(on);
    app.clock.now = Date.UTC(2026, 10, 20, 9, 59, 59, 999);
    expect((await open(app, on.access_token)).status).toBe(200);
    app.clock.now += 1;
    expect((await open(app, on.access_token)).status).toBe(404);
    expect((await link.get()).json).toEqual({ ...on, enabled: false });
    expect(await isShared(app, id)).toEqual([false, false]);
    // A later end does not bring it back.
    await link.expire('2027-01-01T00:00:00Z');
    expect((await open(app, on.access_token)).status).toBe(404);
    const again = (await link.patch({ enabled: true })).json;
    expect(again.access_token).not.toBe(on.access_token);
    expect((await open(app, again.access_token)).status).toBe(200);
  });

  test('that passes while the link is off does not prevent enabling it', async () => {
    const { app, link } = await openWithLink();
    await link.expire('2026-11-20T10:00:00Z');
    app.clock.now += 3_600_000;
    const on = await link.patch({ enabled: true });
    expect(on.json.enabled).toBe(true);
    expect((await open(app, on.json.access_token)).status).toBe(200);
  });

  test('can be removed, and must be in the future', async () => {
    const { app, link } = await openWithLink();
    const on = (await link.patch({ enabled: true })).json;
    await link.expire('2026-11-20T10:00:00Z');
    expect((await link.expire(null)).json).toEqual({ enabled: true, expires_at: null });
    app.clock.now += 86_400_000;
    expect((await open(app, on.access_token)).status).toBe(200);
    for (const moment of ['2026-11-21T09:30:00Z', 'tomorrow', 7, undefined])
      expect(await link.expire(moment)).toMatchObject({ status: 400, json: { attr: 'expires_at' } });
  });
});

describe('all sharing of this machine', () => {
  test('is listed for admins, and disabled permanently by one switch', async () => {
    const { app, id, link } = await openWithLink();
    const second = linkOf(app, await makeDashboard(app, { name: 'Second' }));
    await second.get();
    const on = (await link.patch({ enabled: true })).json;
    await link.expire('2027-01-01T00:00:00Z');
    const shown = {
      kind: 'dashboard',
      id,
      project_id: 1,
      project_name: expect.any(String),
      name: 'Weekly',
      created_at: on.created_at,
      expires_at: '2027-01-01T00:00:00.000000Z',
    };
    const all = await app.ask(MACHINE);
    expect(all.json).toEqual({ off: false, links: [shown] });
    expect(all.text).not.toContain(on.access_token);
    const off = await app.ask(MACHINE, { method: 'PUT', body: { off: true } });
    expect(off).toMatchObject({ status: 200, json: { off: true, links: [] } });
    expect((await open(app, on.access_token)).status).toBe(404);
    expect(await isShared(app, id)).toEqual([false, false]);
    expect(await link.patch({ enabled: true })).toMatchObject({
      status: 403,
      json: { code: 'permission_denied' },
    });
    // Allowing links again restores none; each is enabled again, with a new token.
    await app.ask(MACHINE, { method: 'PUT', body: { off: false } });
    expect((await open(app, on.access_token)).status).toBe(404);
    expect((await app.ask(MACHINE)).json).toEqual({ off: false, links: [] });
    const again = (await link.patch({ enabled: true })).json;
    expect(again.access_token).not.toBe(on.access_token);
    expect((await open(app, again.access_token)).status).toBe(200);
    expect(await isShared(app, id)).toEqual([true, true]);
    const log = await app.store.db.all(
      `SELECT activity FROM activity_log WHERE scope = 'SharingConfiguration' ORDER BY created_at, id`,
    );
    expect(log).toEqual([{ activity: 'all sharing ended' }, { activity: 'sharing allowed' }]);
  });

  test('a deleted dashboard is not listed', async () => {
    const { app, id, link } = await openWithLink();
    await link.patch({ enabled: true });
    await app.ask(`${P}dashboards/${id}/`, { method: 'PATCH', body: { deleted: true } });
    expect((await app.ask(MACHINE)).json.links).toEqual([]);
  });

  test('is visible to and switched by admins only', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const ada = await addMember(app, 'ada@local.test', 8);
    expect((await lin.ask(MACHINE)).json.code).toBe('permission_denied');
    expect((await lin.ask(MACHINE, { method: 'PUT', body: { off: true } })).status).toBe(403);
    expect((await ada.ask(MACHINE)).status).toBe(200);
    expect(await ada.ask(MACHINE, { method: 'PUT', body: {} })).toMatchObject({
      status: 400,
      json: { code: 'required', attr: 'off' },
    });
  });
});
