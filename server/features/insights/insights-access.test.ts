import { describe, expect, test } from 'vitest';
import { dashboardAt, makeDashboard, patchDashboard, tilesOf } from '../../../test/support/dashboards.ts';
import {
  INSIGHTS,
  insightAt,
  patchInsight,
  postInsight,
  SIGNUPS,
  storeInsight,
} from '../../../test/support/insights.ts';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

/** Sets a rule of project 1 for all members. */
async function setRule(app: TestApp, body: object): Promise<void> {
  const path = '/api/projects/1/resource_access_controls/';
  const answer = await app.ask(path, { method: 'PUT', body });
  expect(answer.status, answer.text).toBe(200);
}

async function hide(app: TestApp, id: number, level: string): Promise<void> {
  await app.store.db.run(
    `INSERT INTO access_controls
     VALUES (uuid(), 1, 'insight', $id, NULL, NULL, $level, now()::TIMESTAMP, now()::TIMESTAMP)`,
    { id: String(id), level },
  );
  await app.app.features.access.load();
}

describe('M9.6 dashboards of an insight', () => {
  test('are exactly the sent ones: it is added to some, and removed from others', async () => {
    const app = await openTestApp();
    const [one, two, three] = [await makeDashboard(app), await makeDashboard(app), await makeDashboard(app)];
    const made = (await postInsight(app, { name: 'Signups', dashboards: [one, String(two), two] })).json;
    expect(made.dashboards).toEqual([one, two]);
    expect(made.dashboard_tiles).toEqual([
      { id: expect.any(Number), dashboard_id: one, deleted: null },
      { id: expect.any(Number), dashboard_id: two, deleted: null },
    ]);
    const moved = (await patchInsight(app, made.id, { dashboards: [two, three] })).json;
    expect(moved.dashboards).toEqual([two, three]);
    expect(await tilesOf(app, one)).toEqual([]);
    expect((await tilesOf(app, three)).map((tile) => tile.insight?.id)).toEqual([made.id]);
    expect((await patchInsight(app, made.id, { name: 'Other' })).json.dashboards).toEqual([two, three]);
    expect((await patchInsight(app, made.id, { dashboards: [] })).json.dashboards).toEqual([]);
  });

  test('must be of the project, or the change is refused as a whole', async () => {
    const app = await openTestApp();
    const id = await storeInsight(app, { name: 'Signups' });
    const answer = await patchInsight(app, id, { name: 'Other', dashboards: [99] });
    expect(answer).toMatchObject({ status: 400, json: { code: 'invalid_input', attr: 'dashboards' } });
    expect((await app.ask(insightAt(id))).json).toMatchObject({ name: 'Signups', dashboards: [] });
    expect((await postInsight(app, { dashboards: [99] })).status).toBe(400);
    expect((await app.ask(INSIGHTS)).json.count).toBe(1);
  });

  test('must be editable by the caller', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const board = await makeDashboard(app);
    await patchDashboard(app, board, { restriction_level: 37 });
    const answer = await lin.ask(INSIGHTS, { method: 'POST', body: { name: 'a', dashboards: [board] } });
    expect(answer).toMatchObject({ status: 403, json: { code: 'permission_denied' } });
    expect((await app.ask(INSIGHTS)).json.count).toBe(0);
  });

  test('apply their filters to its query when it is read from one, and include its tile', async () => {
    const app = await openTestApp();
    const board = await makeDashboard(app);
    const id = await storeInsight(app, { query: SIGNUPS, dashboards: [board] });
    const [tile] = await tilesOf(app, board);
    const layouts = { sm: { x: 0, y: 0, w: 6, h: 5 } };
    await patchDashboard(app, board, {
      filters: { date_from: '-90d' },
      tiles: [{ id: tile!.id, color: 'blue', layouts }],
    });
    const { json } = await app.ask(`${insightAt(id)}?from_dashboard=${board}`);
    expect(json).toMatchObject({
      color: 'blue',
      layouts,
      query: { source: { dateRange: { date_from: '-90d' } } },
    });
    expect((await app.ask(insightAt(id))).json).toMatchObject({ query: SIGNUPS });
    const elsewhere = (await app.ask(`${insightAt(id)}?from_dashboard=99`)).json;
    expect(elsewhere.query).toEqual(SIGNUPS);
    expect(elsewhere).not.toHaveProperty('color');
    expect((await app.ask(`${insightAt(id)}?from_dashboard=here`)).json).toMatchObject({
      attr: 'from_dashboard',
    });
  });
});

describe('levels of an insight', () => {
  test('come from its dashboards: restricted by one, editable by one', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const [open, closed] = [await makeDashboard(app), await makeDashboard(app)];
    await patchDashboard(app, closed, { restriction_level: 37 });
    const id = await storeInsight(app, { name: 'Signups' });
    const levels = async (dashboards: number[]) => {
      await patchInsight(app, id, { dashboards });
      const { json } = await lin.ask(insightAt(id));
      return [json.effective_restriction_level, json.effective_privilege_level];
    };
    expect(await levels([])).toEqual([21, 37]);
    expect(await levels([open])).toEqual([21, 37]);
    expect(await levels([open, closed])).toEqual([37, 37]);
    expect(await levels([closed])).toEqual([37, 21]);
    const owner = (await app.ask(insightAt(id))).json;
    expect([owner.effective_restriction_level, owner.effective_privilege_level]).toEqual([37, 37]);
  });

  test('decide who may change it', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const board = await makeDashboard(app);
    await patchDashboard(app, board, { restriction_level: 37 });
    const id = await storeInsight(app, { name: 'Signups', dashboards: [board] });
    const change = { method: 'PATCH', body: { name: 'Mine' } };
    expect(await lin.ask(insightAt(id), change)).toMatchObject({
      status: 403,
      json: { code: 'permission_denied' },
    });
    const body = { level: 37, user_uuid: lin.userUuid };
    expect((await app.ask(dashboardAt(board, 'collaborators/'), { method: 'POST', body })).status).toBe(201);
    expect((await lin.ask(insightAt(id), change)).json).toMatchObject({
      name: 'Mine',
      effective_privilege_level: 37,
    });
  });
});

describe('access levels', () => {
  test('none hides an insight, viewer makes it read-only; its creator has full access', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    const [hidden, shown] = [
      await storeInsight(app, { name: 'hidden' }),
      await storeInsight(app, { name: 'shown' }),
    ];
    const own = (await lin.ask(INSIGHTS, { method: 'POST', body: { name: 'own' } })).json.id;
    await hide(app, hidden, 'none');
    await hide(app, shown, 'viewer');
    await hide(app, own, 'none');
    const page = (await lin.ask(INSIGHTS)).json;
    expect(page).toMatchObject({ count: 2, results: [{ name: 'shown' }, { name: 'own' }] });
    expect(page.results.map((one: { user_access_level: string }) => one.user_access_level)).toEqual([
      'viewer',
      'manager',
    ]);
    const refused = { status: 403, json: { type: 'authentication_error', code: 'permission_denied' } };
    expect(await lin.ask(insightAt(hidden))).toMatchObject(refused);
    expect(await lin.ask(insightAt(shown), { method: 'PATCH', body: {} })).toMatchObject(refused);
    expect((await lin.ask(insightAt(shown))).status).toBe(200);
    expect((await lin.ask(insightAt(own), { method: 'PATCH', body: {} })).status).toBe(200);
    for (const id of [hidden, shown]) await app.ask(insightAt(id, 'viewed/'), { method: 'POST' });
    expect((await lin.ask(insightAt(hidden, 'viewed/'), { method: 'POST' })).status).toBe(403);
    expect((await app.ask(INSIGHTS)).json.count).toBe(3);
  });

  test('of the whole resource apply to a list and a creation', async () => {
    const app = await openTestApp();
    const lin = await addMember(app, 'lin@local.test');
    await setRule(app, { resource: 'insight', access_level: 'viewer' });
    expect((await lin.ask(INSIGHTS)).status).toBe(200);
    expect((await lin.ask(INSIGHTS, { method: 'POST', body: {} })).status).toBe(403);
  });
});

test('M9.6 a key needs the scope of insights', async () => {
  const app = await openTestApp();
  const id = await storeInsight(app);
  const made = await app.ask('/api/personal_api_keys/', {
    method: 'POST',
    body: { label: 'r', scopes: ['insight:read'] },
  });
  const key = made.json.value;
  expect((await app.ask(INSIGHTS, { key })).status).toBe(200);
  expect((await app.ask(insightAt(id, 'viewed/'), { key, method: 'POST' })).status).toBe(201);
  expect((await app.ask(INSIGHTS, { key, method: 'POST', body: {} })).status).toBe(403);
  expect((await app.ask(insightAt(id), { key, method: 'PATCH', body: {} })).status).toBe(403);
});
