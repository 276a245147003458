import { describe, expect, test } from 'vitest';
import {
  dashboardAt,
  makeDashboard,
  makeInsight,
  patchDashboard,
  tilesOf,
} from '../../../test/support/dashboards.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const move = (app: TestApp, id: number, body: unknown, headers = {}) =>
  app.ask(dashboardAt(id, 'move_tile/'), { method: 'PATCH', body, headers });

describe('move_tile', () => {
  test('moves a tile to another dashboard with layouts and color, and is answered 200 with an empty body', async () => {
    const app = await openTestApp();
    const insight = await makeInsight(app);
    const from = await makeDashboard(app, [{ insight, color: 'blue', layouts: { sm: { x: 1, y: 2 } } }]);
    const to = await makeDashboard(app);
    const [tile] = await tilesOf(app, from);
    const body = { tile: { ...tile, more: true }, toDashboard: `${to}` };
    const answer = await move(app, from, body);
    expect(answer).toMatchObject({ status: 200, text: '', headers: { 'content-length': '0' } });
    expect(await tilesOf(app, from)).toEqual([]);
    expect(await tilesOf(app, to)).toMatchObject([
      { id: tile!.id, color: 'blue', layouts: tile!.layouts, insight: { id: insight, dashboards: [to] } },
    ]);
  });

  test('returns the source when the client prefers a representation', async () => {
    const app = await openTestApp();
    const from = await makeDashboard(app, [{ text: { body: 'a' } }, { text: { body: 'b' } }]);
    const to = await makeDashboard(app);
    const answer = await move(
      app,
      from,
      { tile: { id: 1 }, toDashboard: to },
      { Prefer: 'wait=10, Return="representation"; x' },
    );
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'preference-applied': 'return=representation' },
      json: { id: from, tiles: [{ id: 2 }] },
    });
    const minimal = await move(app, from, {}, { Prefer: 'return=minimal, return=representation' });
    expect(minimal.text).toBe('');
  });

  test('M3.7/source-unknown from an unknown or deleted dashboard is not found', async () => {
    const app = await openTestApp();
    const [from, to] = [await makeDashboard(app, [{ text: { body: 'a' } }]), await makeDashboard(app)];
    await patchDashboard(app, from, { deleted: true });
    for (const id of [from, 99])
      expect(await move(app, id, { tile: { id: 1 }, toDashboard: to })).toMatchObject({ status: 404 });
  });

  test('M3.7/not-there of a tile on another dashboard, or to a dashboard that is unknown, deleted or of another project, is not found', async () => {
    const app = await openTestApp();
    const from = await makeDashboard(app, [{ text: { body: 'a' } }, { text: { body: 'gone' } }]);
    const to = await makeDashboard(app, [{ text: { body: 'b' } }]);
    const [deleted, foreign] = [await makeDashboard(app), await makeDashboard(app)];
    await patchDashboard(app, deleted, { deleted: true });
    await app.store.db.run('UPDATE dashboards SET project_id = 2 WHERE id = $foreign', { foreign });
    await patchDashboard(app, from, { tiles: [{ id: 2, deleted: true }] });
    const cases = [
      { tile: { id: 3 }, toDashboard: to },
      { tile: { id: 2 }, toDashboard: to },
      { tile: { id: 99 }, toDashboard: to },
      { tile: { id: 1 }, toDashboard: deleted },
      { tile: { id: 1 }, toDashboard: foreign },
      { tile: { id: 1 }, toDashboard: 99 },
    ];
    for (const body of cases)
      expect(await move(app, from, body)).toMatchObject({
        status: 404,
        json: { code: 'not_found', detail: 'Not found.' },
      });
    expect(await tilesOf(app, from)).toHaveLength(1);
  });

  test('M3.7/already-shown to a dashboard that shows the same content is refused; a removed tile there is replaced', async () => {
    const app = await openTestApp();
    const insight = await makeInsight(app);
    const from = await makeDashboard(app, [{ insight, color: 'blue' }]);
    const to = await makeDashboard(app, [{ insight }]);
    const [[tile], [same]] = [await tilesOf(app, from), await tilesOf(app, to)];
    const body = { tile: { id: tile!.id }, toDashboard: to };
    expect(await move(app, from, body)).toMatchObject({
      status: 400,
      json: { type: 'validation_error', code: 'invalid_input', attr: null },
    });
    await patchDashboard(app, to, { tiles: [{ id: same!.id, deleted: true }] });
    expect((await move(app, from, body)).status).toBe(200);
    expect(await tilesOf(app, to)).toMatchObject([{ id: tile!.id, color: 'blue' }]);
    expect(await app.store.db.all('SELECT id FROM dashboard_tiles')).toEqual([{ id: tile!.id }]);
  });

  test('M3.7/half-a-body with only one of tile and destination, or with wrong types, is refused with the name of the field', async () => {
    const app = await openTestApp();
    const [from, to] = [await makeDashboard(app, [{ text: { body: 'a' } }]), await makeDashboard(app)];
    const cases: [object, string, string][] = [
      [{ tile: { id: 1 } }, 'required', 'toDashboard'],
      [{ tile: { id: 1 }, toDashboard: null }, 'required', 'toDashboard'],
      [{ toDashboard: to }, 'required', 'tile__id'],
      [{ tile: {}, toDashboard: to }, 'required', 'tile__id'],
      [{ tile: { id: 'x' }, toDashboard: to }, 'invalid_input', 'tile__id'],
      [{ tile: 'x', toDashboard: to }, 'invalid_input', 'tile__id'],
      [{ tile: [1], toDashboard: to }, 'invalid_input', 'tile__id'],
      [{ tile: { id: 1 }, toDashboard: 'x' }, 'invalid_input', 'toDashboard'],
      [{ tile: { id: 1 }, toDashboard: {} }, 'invalid_input', 'toDashboard'],
    ];
    for (const [body, code, attr] of cases)
      expect(await move(app, from, body), JSON.stringify(body)).toMatchObject({
        status: 400,
        json: { code, attr },
      });
    expect(await tilesOf(app, from)).toHaveLength(1);
  });

  test('M3.7/neither-key with neither checks the fields of a dashboard, applies none, and is answered 200 with an empty body', async () => {
    const app = await openTestApp();
    const from = await makeDashboard(app, [{ text: { body: 'a' } }]);
    for (const body of [
      {},
      undefined,
      { name: 'New', description: '', pinned: true, deleted: true, tags: ['a'] },
    ])
      expect(await move(app, from, body)).toMatchObject({ status: 200, text: '' });
    expect((await app.ask(dashboardAt(from))).json).toMatchObject({
      name: 'Weekly',
      deleted: false,
      tags: [],
    });
    expect(await move(app, from, { restriction_level: 99 })).toMatchObject({
      status: 400,
      json: { code: 'invalid_choice', attr: 'restriction_level' },
    });
  });

  test('M3.7/same-dashboard to the tile’s own dashboard does not change it', async () => {
    const app = await openTestApp();
    const from = await makeDashboard(app, [{ text: { body: 'a' } }]);
    const before = await tilesOf(app, from);
    expect(await move(app, from, { tile: { id: 1 }, toDashboard: from })).toMatchObject({
      status: 200,
      text: '',
    });
    expect(await tilesOf(app, from)).toEqual(before);
  });

  test('is logged for both dashboards', async () => {
    const app = await openTestApp();
    const [from, to] = [await makeDashboard(app, [{ text: { body: 'a' } }]), await makeDashboard(app)];
    await move(app, from, { tile: { id: 1 }, toDashboard: to });
    const rows = await app.store.db.all<{ item_id: string; detail: string }>(
      'SELECT item_id, detail FROM activity_log ORDER BY id DESC LIMIT 2',
    );
    const told = rows.map(({ item_id, detail }) => [item_id, JSON.parse(detail).changes]).sort();
    expect(told).toMatchObject([
      [`${from}`, [{ field: 'tiles', before: [{ id: 1 }], after: [] }]],
      [`${to}`, [{ field: 'tiles', before: [], after: [{ id: 1 }] }]],
    ]);
  });
});

describe('copy_tile', () => {
  test('shows the same content on another dashboard too, once', async () => {
    const app = await openTestApp();
    const insight = await makeInsight(app);
    const from = await makeDashboard(app, [{ insight, color: 'blue', layouts: { sm: { x: 1, y: 1 } } }]);
    const to = await makeDashboard(app);
    const copy = (id: number, body: unknown) =>
      app.ask(dashboardAt(id, 'copy_tile/'), { method: 'POST', body });
    const body = { fromDashboardId: from, tileId: 1 };
    const { status, json } = await copy(to, body);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id: to,
      tiles: [{ id: 2, color: 'blue', layouts: { sm: { x: 1, y: 1 } }, insight: { id: insight } }],
    });
    expect(await tilesOf(app, from)).toHaveLength(1);
    expect(await copy(to, body)).toMatchObject({ status: 400, json: { code: 'invalid_input', attr: null } });
    expect(await copy(from, body)).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', attr: null },
    });
    expect(await copy(to, { ...body, tileId: 99 })).toMatchObject({ status: 404 });
    expect(await copy(to, { ...body, fromDashboardId: 99 })).toMatchObject({ status: 404 });
    expect(await copy(99, body)).toMatchObject({ status: 404 });
    expect(await copy(to, {})).toMatchObject({ status: 400, json: { code: 'required' } });
  });
});

describe('reorder_tiles', () => {
  test('arranges tiles in two columns, unlisted ones after the others', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [
      { text: { body: 'a' } },
      { text: { body: 'b' }, layouts: { sm: { x: 0, y: 0 }, lg: { x: 1 } } },
      { text: { body: 'c' } },
    ]);
    const reorder = (tile_order: unknown) =>
      app.ask(dashboardAt(id, 'reorder_tiles/'), { method: 'POST', body: { tile_order } });
    const { status, json } = await reorder([3, '1']);
    expect(status).toBe(200);
    expect(json.tiles).toMatchObject([
      { id: 3, layouts: { sm: { x: 0, y: 0, w: 6, h: 5 }, xs: { x: 0, y: 0, w: 1, h: 5 } } },
      { id: 1, layouts: { sm: { x: 6, y: 0, w: 6, h: 5 }, xs: { x: 0, y: 5, w: 1, h: 5 } } },
      { id: 2, layouts: { sm: { x: 0, y: 5, w: 6, h: 5 }, xs: { x: 0, y: 10, w: 1, h: 5 }, lg: { x: 1 } } },
    ]);
    expect(await reorder([1, 1])).toMatchObject({ status: 400, json: { code: 'invalid_input' } });
    expect(await reorder([])).toMatchObject({ status: 400, json: { code: 'invalid_input' } });
    expect(await reorder(1)).toMatchObject({ status: 400, json: { code: 'not_a_list' } });
    expect(await reorder([1, 99])).toMatchObject({ status: 404 });
    expect(await tilesOf(app, id)).toEqual(json.tiles);
  });
});
