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
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const liveInsights = async (app: TestApp) =>
  (await app.store.db.all<{ id: number }>('SELECT id FROM insights WHERE NOT deleted ORDER BY id')).map(
    ({ id }) => id,
  );

describe('a deleted dashboard', () => {
  test('M3.5/deleted-true is hidden with all its tiles, and its insights are kept', async () => {
    const app = await openTestApp();
    const insight = await makeInsight(app);
    const id = await makeDashboard(app, [{ insight }, { text: { body: 'Hello' } }]);
    const { status, json } = await patchDashboard(app, id, { deleted: true });
    expect(status).toBe(200);
    expect(json).toMatchObject({ id, deleted: true, tiles: [] });
    expect((await app.ask(DASHBOARDS)).json.count).toBe(0);
    expect((await app.ask(dashboardAt(id))).status).toBe(404);
    expect(await app.store.db.all('SELECT id FROM dashboard_tiles WHERE NOT deleted')).toEqual([]);
    expect(await liveInsights(app)).toEqual([insight]);
  });

  test('M3.5/delete_insights deletes the insights that are on no other dashboard, when requested', async () => {
    const app = await openTestApp();
    const [only, shared, elsewhereDeleted] = [
      await makeInsight(app),
      await makeInsight(app),
      await makeInsight(app),
    ];
    const id = await makeDashboard(app, [
      { insight: only },
      { insight: shared },
      { insight: elsewhereDeleted },
    ]);
    await makeDashboard(app, [{ insight: shared }]);
    const gone = await makeDashboard(app, [{ insight: elsewhereDeleted }]);
    await patchDashboard(app, gone, { deleted: true });
    await patchDashboard(app, id, { deleted: 'true', delete_insights: 'true' });
    expect(await liveInsights(app)).toEqual([shared]);
  });

  test('M3.5/while-deleted, M3.5/deleted-true-again is 404 for every change except restoring, whatever the body is', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [{ text: { body: 'Hello' } }]);
    const other = await makeDashboard(app);
    await patchDashboard(app, id, { deleted: true });
    const notFound = { status: 404, json: { code: 'not_found', detail: 'Not found.' } };
    expect(await patchDashboard(app, id, { name: 'x' })).toMatchObject(notFound);
    expect(await patchDashboard(app, id, { name: [] })).toMatchObject(notFound);
    expect(await patchDashboard(app, id, { deleted: true })).toMatchObject(notFound);
    expect(await app.ask(dashboardAt(id, 'stream_tiles/'))).toMatchObject(notFound);
    const bodies: [string, string, object][] = [
      ['PATCH', 'move_tile/', { tile: { id: 1 }, toDashboard: other }],
      ['POST', 'copy_tile/', { fromDashboardId: other, tileId: 1 }],
      ['POST', 'reorder_tiles/', { tile_order: [1] }],
      ['POST', 'tiles/', { text: { body: 'x' } }],
    ];
    for (const [method, action, body] of bodies)
      expect(await app.ask(dashboardAt(id, action), { method, body })).toMatchObject(notFound);
  });

  test('M3.5/deleted-false is restored with all its tiles, also removed ones, and with the insights on them', async () => {
    const app = await openTestApp();
    const [first, second] = [await makeInsight(app), await makeInsight(app)];
    const id = await makeDashboard(app, [
      { insight: first },
      { insight: second },
      { text: { body: 'Hello' } },
    ]);
    const text = (await tilesOf(app, id)).find((tile) => tile.text !== null)!;
    await patchDashboard(app, id, { tiles: [{ id: text.id, deleted: true }] });
    await patchDashboard(app, id, { deleted: true, delete_insights: true });
    expect(await liveInsights(app)).toEqual([]);
    const { status, json } = await patchDashboard(app, id, { deleted: false, name: 'Back' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ deleted: false, name: 'Back' });
    expect(json.tiles).toHaveLength(3);
    expect(await liveInsights(app)).toEqual([first, second]);
    expect((await app.ask(DASHBOARDS)).json.count).toBe(1);
  });

  test('may be restored by a form', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app);
    await patchDashboard(app, id, { deleted: true });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const back = await app.ask(dashboardAt(id), { method: 'PATCH', body: 'deleted=false', headers });
    expect(back).toMatchObject({ status: 200, json: { deleted: false } });
  });
});

test('a live dashboard with deleted: false keeps its removed tiles removed', async () => {
  const app = await openTestApp();
  const id = await makeDashboard(app, [{ text: { body: 'Hello' } }]);
  const [tile] = await tilesOf(app, id);
  await patchDashboard(app, id, { tiles: [{ id: tile!.id, deleted: true }] });
  expect((await patchDashboard(app, id, { deleted: false })).json.tiles).toEqual([]);
});

test('a dashboard may be created as deleted, and its creation is logged', async () => {
  const app = await openTestApp();
  const { json } = await postDashboard(app, { deleted: true });
  expect(json.deleted).toBe(true);
  expect((await app.ask(dashboardAt(json.id))).status).toBe(404);
});

test('deletion and restoration are logged as such', async () => {
  const app = await openTestApp();
  const id = await makeDashboard(app);
  await patchDashboard(app, id, { deleted: true });
  await patchDashboard(app, id, { deleted: false });
  const rows = await app.store.db.all<{ activity: string }>(
    `SELECT activity FROM activity_log WHERE scope = 'Dashboard' ORDER BY id`,
  );
  expect(rows.map(({ activity }) => activity)).toEqual(['created', 'deleted', 'restored']);
});
