import { describe, expect, test } from 'vitest';
import {
  DASHBOARDS,
  dashboardAt,
  makeDashboard,
  makeInsight,
  patchDashboard,
  postDashboard,
  tilesOf,
} from '../../../test/support/dashboards.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

async function openRestricted() {
  const app = await openTestApp();
  const member = await addMember(app, 'lin@local.test');
  const id = await makeDashboard(app, [{ insight: await makeInsight(app) }]);
  await patchDashboard(app, id, { restriction_level: 37 });
  return { app, member, id };
}

const NOT_EDITABLE = {
  status: 403,
  json: { type: 'authentication_error', code: 'permission_denied', attr: null },
};

describe('a restricted dashboard', () => {
  test('is shown to a member without edit access, with its levels', async () => {
    const { app, member, id } = await openRestricted();
    const levels = {
      restriction_level: 37,
      effective_restriction_level: 37,
      effective_privilege_level: 21,
      user_access_level: 'editor',
    };
    const { json } = await app.ask(dashboardAt(id), { key: member.key });
    expect(json).toMatchObject(levels);
    expect(json.tiles[0].insight).toMatchObject({
      effective_restriction_level: 37,
      effective_privilege_level: 21,
    });
    const list = await app.ask(DASHBOARDS, { key: member.key });
    expect(list.json.results).toMatchObject([levels]);
    const own = await app.ask(dashboardAt(id));
    expect(own.json).toMatchObject({ effective_privilege_level: 37, user_access_level: 'manager' });
  });

  test('cannot be changed by a member without edit access, whatever the body is', async () => {
    const { app, member, id } = await openRestricted();
    const mine = (await app.ask(DASHBOARDS, { method: 'POST', key: member.key, body: {} })).json.id;
    const requests: [string, string, unknown][] = [
      ['PATCH', dashboardAt(id), { name: 'x' }],
      ['PATCH', dashboardAt(id), { name: [] }],
      ['PUT', dashboardAt(id), '{'],
      ['PATCH', dashboardAt(id), { deleted: true }],
      ['POST', dashboardAt(id, 'tiles/'), { text: { body: 'x' } }],
      ['PATCH', dashboardAt(id, 'move_tile/'), { tile: { id: 1 }, toDashboard: mine }],
      ['POST', dashboardAt(id, 'copy_tile/'), { fromDashboardId: mine, tileId: 1 }],
      ['POST', dashboardAt(id, 'reorder_tiles/'), { tile_order: [1] }],
    ];
    for (const [method, path, body] of requests)
      expect(await app.ask(path, { method, body, key: member.key })).toMatchObject(NOT_EDITABLE);
    expect((await app.ask(dashboardAt(id))).json).toMatchObject({ name: 'Weekly', tiles: [{ id: 1 }] });
  });

  test('M3.7/may-not-edit accepts no tile from a member without edit access', async () => {
    const { app, member, id } = await openRestricted();
    const mine = await makeDashboard(app, [{ text: { body: 'a' } }]);
    const body = { tile: { id: 2 }, toDashboard: id };
    const request = { method: 'PATCH', body, key: member.key };
    expect(await app.ask(dashboardAt(mine, 'move_tile/'), request)).toMatchObject(NOT_EDITABLE);
    expect(await tilesOf(app, mine)).toHaveLength(1);
  });

  test('is changed by its collaborators, who cannot lift the restriction', async () => {
    const { app, member, id } = await openRestricted();
    const body = { level: 37, user_uuid: member.userUuid };
    const path = dashboardAt(id, 'collaborators/');
    expect((await app.ask(path, { method: 'POST', body })).status).toBe(201);
    const shown = await app.ask(dashboardAt(id), { key: member.key });
    expect(shown.json).toMatchObject({ effective_restriction_level: 37, effective_privilege_level: 37 });
    const patch = (sent: unknown) =>
      app.ask(dashboardAt(id), { method: 'PATCH', body: sent, key: member.key });
    expect(await patch({ name: 'Changed' })).toMatchObject({ status: 200, json: { name: 'Changed' } });
    for (const restriction_level of [21, 37, 99])
      expect(await patch({ restriction_level })).toMatchObject(NOT_EDITABLE);
  });

  test('of a member is managed by that member and by admins', async () => {
    const { app, member } = await openRestricted();
    const body = { restriction_level: 37 };
    const { json } = await app.ask(DASHBOARDS, { method: 'POST', key: member.key, body });
    expect(json).toMatchObject({ effective_privilege_level: 37, user_access_level: 'manager' });
    expect((await patchDashboard(app, json.id, { restriction_level: 21 })).status).toBe(200);
    const again = await app.ask(dashboardAt(json.id), { method: 'PATCH', key: member.key, body });
    expect(again).toMatchObject({ status: 200, json: { restriction_level: 37 } });
  });
});

test('of an open dashboard a member can change all but its restriction', async () => {
  const app = await openTestApp();
  const { key } = await addMember(app, 'lin@local.test');
  const id = await makeDashboard(app);
  const patch = (body: unknown) => app.ask(dashboardAt(id), { method: 'PATCH', body, key });
  expect(await patch({ name: 'Changed' })).toMatchObject({
    status: 200,
    json: { effective_privilege_level: 37 },
  });
  for (const restriction_level of [21, '37'])
    expect(await patch({ restriction_level })).toMatchObject(NOT_EDITABLE);
});

describe('rules about a dashboard', () => {
  const rule = (app: TestApp, id: number, body: object) =>
    app.ask(dashboardAt(id, 'access_controls/'), { method: 'PUT', body });

  test('hide it from members whose level is none, in every response', async () => {
    const app = await openTestApp();
    const { key } = await addMember(app, 'lin@local.test');
    const [hidden, open] = [await makeDashboard(app, [{ text: { body: 'a' } }]), await makeDashboard(app)];
    await rule(app, hidden, { access_level: 'none' });
    const list = (await app.ask(DASHBOARDS, { key })).json;
    expect(list).toMatchObject({ count: 1, results: [{ id: open }] });
    expect((await app.ask(DASHBOARDS)).json.count).toBe(2);
    const refused = { status: 403, json: { type: 'authentication_error', code: 'permission_denied' } };
    expect(await app.ask(dashboardAt(hidden), { key })).toMatchObject(refused);
    expect(await app.ask(dashboardAt(hidden, 'stream_tiles/'), { key })).toMatchObject(refused);
    const copy = { method: 'POST', body: { use_dashboard: hidden }, key };
    expect(await app.ask(DASHBOARDS, copy)).toMatchObject({ status: 400, json: { attr: 'use_dashboard' } });
    const tile = { method: 'POST', body: { fromDashboardId: hidden, tileId: 1 }, key };
    expect(await app.ask(dashboardAt(open, 'copy_tile/'), tile)).toMatchObject(refused);
  });

  test('give access to one member when all others have none', async () => {
    const app = await openTestApp();
    const { key, membershipId } = await addMember(app, 'lin@local.test');
    const id = await makeDashboard(app);
    await rule(app, id, { access_level: 'none' });
    await rule(app, id, { access_level: 'viewer', organization_member: membershipId });
    expect((await app.ask(DASHBOARDS, { key })).json).toMatchObject({
      count: 1,
      results: [{ id, user_access_level: 'viewer' }],
    });
    expect((await app.ask(dashboardAt(id), { key })).status).toBe(200);
    const change = { method: 'PATCH', body: { name: [] }, key };
    expect(await app.ask(dashboardAt(id), change)).toMatchObject({
      status: 403,
      json: { code: 'permission_denied' },
    });
  });

  test('do not hide it from its creator', async () => {
    const app = await openTestApp();
    const { key } = await addMember(app, 'lin@local.test');
    const { id } = (await app.ask(DASHBOARDS, { method: 'POST', body: {}, key })).json;
    await rule(app, id, { access_level: 'none' });
    expect((await app.ask(DASHBOARDS, { key })).json).toMatchObject({
      count: 1,
      results: [{ id, user_access_level: 'manager' }],
    });
  });
});

test('an insight that is hidden from a member is hidden on dashboards too, and in copies of them', async () => {
  const app = await openTestApp();
  const { key } = await addMember(app, 'lin@local.test');
  const insight = await makeInsight(app);
  const id = await makeDashboard(app, [{ insight }, { text: { body: 'a' } }]);
  const rules = `/api/projects/1/insights/${insight}/access_controls/`;
  await app.ask(rules, { method: 'PUT', body: { access_level: 'none' } });
  const texts = [{ insight: null, text: { body: 'a' } }];
  expect((await app.ask(dashboardAt(id), { key })).json.tiles).toMatchObject(texts);
  for (const duplicate_tiles of [false, true]) {
    const body = { use_dashboard: id, duplicate_tiles };
    const copy = await app.ask(DASHBOARDS, { method: 'POST', body, key });
    expect(copy).toMatchObject({ status: 201, json: { tiles: texts } });
  }
  expect(await tilesOf(app, id)).toHaveLength(2);
  const added = { method: 'PATCH', body: { tiles: [{ insight }] }, key };
  expect(await app.ask(dashboardAt(id), added)).toMatchObject({
    status: 403,
    json: { code: 'permission_denied' },
  });
});

test('insights that a member cannot edit are kept when their only dashboard is deleted', async () => {
  const app = await openTestApp();
  const { key } = await addMember(app, 'lin@local.test');
  const insight = await makeInsight(app);
  const id = await makeDashboard(app, [{ insight }]);
  const rules = `/api/projects/1/insights/${insight}/access_controls/`;
  const made = await app.ask(rules, { method: 'PUT', body: { access_level: 'viewer' } });
  expect(made.status).toBe(200);
  const body = { deleted: true, delete_insights: true };
  expect((await app.ask(dashboardAt(id), { method: 'PATCH', body, key })).status).toBe(200);
  expect(await app.store.db.all('SELECT id FROM insights WHERE NOT deleted')).toEqual([{ id: insight }]);
});

test('a dashboard is shared while its link is enabled and has not expired, and links are enabled for this machine', async () => {
  const app = await openTestApp();
  const { id } = (await postDashboard(app)).json;
  const isShared = async () => {
    const [shown] = (await app.ask(DASHBOARDS)).json.results;
    const { json } = await app.ask(dashboardAt(id));
    expect(shown.is_shared).toBe(json.is_shared);
    return json.is_shared as boolean;
  };
  const turnOn = () => app.ask(dashboardAt(id, 'sharing/'), { method: 'PATCH', body: { enabled: true } });
  expect(await isShared()).toBe(false);
  await turnOn();
  expect(await isShared()).toBe(true);
  await app.ask('/api/burrow/sharing/', { method: 'PUT', body: { off: true } });
  expect(await isShared()).toBe(false);
  await app.ask('/api/burrow/sharing/', { method: 'PUT', body: { off: false } });
  await turnOn();
  const end = new Date(app.clock.now + 1000).toISOString();
  const expiry = `/api/projects/1/burrow/dashboards/${id}/sharing_expiry/`;
  await app.ask(expiry, { method: 'PUT', body: { expires_at: end } });
  expect(await isShared()).toBe(true);
  app.clock.now += 1000;
  expect(await isShared()).toBe(false);
});
