import { describe, expect, test } from 'vitest';
import {
  dashboardAt,
  makeDashboard,
  makeInsight,
  patchDashboard,
  tilesOf,
} from '../../../test/support/dashboards.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

describe('a tile', () => {
  test('is shown with exactly the keys of the contract, and those of Terraform once they were set', async () => {
    const app = await openTestApp();
    const insight = await makeInsight(app);
    const layouts = { sm: { x: 0, y: 0, w: 6, h: 5, minW: 3 }, xs: { x: 0, y: 0, w: 1, h: 5 } };
    const id = await makeDashboard(app, [{ insight, layouts, color: 'blue' }, { text: { body: '# Hi' } }]);
    const [shown, text] = await tilesOf(app, id);
    expect(shown).toEqual({
      id: 1,
      layouts,
      color: 'blue',
      insight: expect.objectContaining({ id: insight, name: 'Signups', result: null, dashboards: [id] }),
      text: null,
      order: 0,
      last_refresh: null,
      is_cached: false,
    });
    expect(text).toEqual({
      id: 2,
      layouts: {},
      color: null,
      insight: null,
      text: {
        id: 1,
        body: '# Hi',
        created_by: expect.objectContaining({ id: 1 }),
        last_modified_at: '2026-11-20T09:30:00.000000Z',
        last_modified_by: expect.objectContaining({ id: 1 }),
        team: 1,
      },
      order: 1,
      last_refresh: null,
      is_cached: false,
    });
    const set = {
      show_description: false,
      filters_overrides: { date_from: '-1d' },
      transparent_background: true,
    };
    await patchDashboard(app, id, { tiles: [{ id: 1, ...set }] });
    expect((await tilesOf(app, id))[0]).toMatchObject(set);
    await patchDashboard(app, id, { tiles: [{ id: 1, show_description: null }] });
    expect((await tilesOf(app, id))[0]).not.toHaveProperty('show_description');
  });

  test('is in the order of the layouts for the requested screen size', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [
      { text: { body: 'c' }, layouts: {} },
      { text: { body: 'b' }, layouts: { sm: { x: 0, y: 5 }, xs: { x: 0, y: 0 } } },
      { text: { body: 'a' }, layouts: { sm: { x: 0, y: 0 }, xs: { x: 0, y: 5 } } },
    ]);
    const bodies = async (query: string) =>
      (await app.ask(dashboardAt(id) + query)).json.tiles.map(
        ({ order, text }: { order: number; text: { body: string } }) => `${order}${text.body}`,
      );
    expect(await bodies('')).toEqual(['0a', '1b', '2c']);
    expect(await bodies('?layoutSize=xs')).toEqual(['0b', '1a', '2c']);
  });

  test('whose insight was deleted is not listed', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [{ insight: await makeInsight(app) }, { text: { body: 'Hi' } }]);
    await app.store.db.run('UPDATE insights SET deleted = true');
    expect(await tilesOf(app, id)).toMatchObject([{ insight: null, order: 0 }]);
  });
});

describe('the tiles of a change', () => {
  test('M3.6/update change those that they name by id, and keep the others', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [{ insight: await makeInsight(app) }, { text: { body: 'Hi' } }]);
    const [first, second] = await tilesOf(app, id);
    const layouts = { sm: { x: 0, y: 9 } };
    const sent = { ...first, color: 'green', layouts, order: 7, is_cached: true, insight: { id: 99 } };
    const { json } = await patchDashboard(app, id, { tiles: [sent] });
    expect(json.tiles).toMatchObject([
      { id: first!.id, color: 'green', layouts, order: 0, insight: { id: first!.insight!.id } },
      { ...second, order: 1 },
    ]);
  });

  test('M3.6/new-text create a text tile from one that has only a text', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app);
    const tile = { text: { body: 'Hello' }, layouts: { sm: { x: 1, y: 2 } }, color: 'white' };
    const { json } = await patchDashboard(app, id, { tiles: [tile] });
    expect(json.tiles).toMatchObject([{ ...tile, insight: null }]);
  });

  test('M3.6/change-text change the text of a tile, with or without the id of the text', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [{ text: { body: 'one' } }]);
    const [tile] = await tilesOf(app, id);
    app.clock.now += 60_000;
    await patchDashboard(app, id, { tiles: [{ id: tile!.id, text: { body: 'two' } }] });
    expect((await tilesOf(app, id))[0]!.text).toMatchObject({
      id: tile!.text!.id,
      body: 'two',
      last_modified_at: '2026-11-20T09:31:00.000000Z',
    });
    await patchDashboard(app, id, { tiles: [{ id: tile!.id, text: { id: tile!.text!.id, body: 'three' } }] });
    expect((await tilesOf(app, id))[0]!.text).toMatchObject({ id: tile!.text!.id, body: 'three' });
  });

  test('M3.6/remove remove a tile softly, and restore it', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [{ text: { body: 'Hi' }, color: 'blue' }]);
    const [tile] = await tilesOf(app, id);
    expect((await patchDashboard(app, id, { tiles: [{ id: tile!.id, deleted: true }] })).json.tiles).toEqual(
      [],
    );
    const back = await patchDashboard(app, id, { tiles: [{ id: tile!.id, deleted: false }] });
    expect(back.json.tiles).toEqual([tile]);
  });

  test('M3.6/add-insight add an insight by its id, its short id or as an object, once', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app);
    const ids = [
      await makeInsight(app, { shortId: 'aB3_xY-9' }),
      await makeInsight(app, { shortId: '12345678' }),
      await makeInsight(app),
      await makeInsight(app),
    ];
    const named = [ids[0], '12345678', { id: ids[2] }, `${ids[3]}`, 'aB3_xY-9', { short_id: 'aB3_xY-9' }];
    const { status, json } = await patchDashboard(app, id, { tiles: named.map((insight) => ({ insight })) });
    expect(status).toBe(200);
    expect(json.tiles.map(({ insight }: { insight: { id: number } }) => insight.id)).toEqual(ids);
  });

  test('move an insight that is already there, and restore the tile of one that was removed', async () => {
    const app = await openTestApp();
    const insight = await makeInsight(app);
    const id = await makeDashboard(app, [{ insight, color: 'blue' }]);
    const [tile] = await tilesOf(app, id);
    await patchDashboard(app, id, { tiles: [{ insight, layouts: { sm: { x: 3, y: 3 } } }] });
    await patchDashboard(app, id, { tiles: [{ id: tile!.id, deleted: true }] });
    await patchDashboard(app, id, { tiles: [{ insight, color: 'green' }] });
    expect(await tilesOf(app, id)).toMatchObject([
      { id: tile!.id, color: 'green', layouts: { sm: { x: 3, y: 3 } } },
    ]);
  });

  test('M3.6/foreign-id are refused with the error, and no part of the request is stored', async () => {
    const app = await openTestApp();
    const insight = await makeInsight(app);
    const id = await makeDashboard(app, [{ insight }, { text: { body: 'Hi' } }]);
    const [first] = await tilesOf(app, id);
    const other = await makeDashboard(app, [{ text: { body: 'elsewhere' } }]);
    const [foreign] = await tilesOf(app, other);
    const before = (await app.ask(dashboardAt(id))).json;
    const cases: [unknown, string, string][] = [
      [{}, 'not_a_list', 'tiles'],
      [[7], 'not_a_dict', 'tiles__0'],
      [[{ id: 'x' }], 'invalid_input', 'tiles__0__id'],
      [[{ id: foreign!.id, color: 'blue' }], 'invalid_input', 'tiles'],
      [[{ id: 999 }], 'invalid_input', 'tiles'],
      [[{ color: 'blue' }], 'invalid_input', 'tiles'],
      [[{ insight, text: { body: 'both' } }], 'invalid_input', 'tiles'],
      [[{ id: first!.id, text: { body: 'An insight has no text' } }], 'invalid_input', 'tiles'],
      [[{ id: 2, text: { id: 77, body: 'x' } }], 'invalid_input', 'tiles'],
      [[{ text: { body: 'x'.repeat(4001) } }], 'max_length', 'text'],
      [[{ id: 2, text: { body: 'x'.repeat(4001) } }], 'max_length', 'text'],
      [[{ text: {} }], 'required', 'text'],
      [[{ text: { body: 7 } }], 'invalid_input', 'tiles__0__text__body'],
      [[{ insight: 999 }], 'does_not_exist', 'tiles__0__insight'],
      [[{ insight }, { insight: 'noSuchId' }], 'does_not_exist', 'tiles__1__insight'],
      [[{ insight: true }], 'invalid_input', 'tiles__0__insight'],
      [[{ insight: [] }], 'invalid_input', 'tiles__0__insight'],
      [[{ id: first!.id, layouts: [] }], 'not_a_dict', 'tiles__0__layouts'],
      [[{ id: first!.id, color: 'x'.repeat(401) }], 'max_length', 'tiles__0__color'],
    ];
    for (const [tiles, code, attr] of cases) {
      const answer = await patchDashboard(app, id, { name: 'Changed', tiles });
      expect(answer, JSON.stringify(tiles).slice(0, 80)).toMatchObject({ status: 400, json: { code, attr } });
    }
    expect((await app.ask(dashboardAt(id))).json).toEqual(before);
  });

  test('are logged with their values before and after', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [{ text: { body: 'one' } }]);
    await patchDashboard(app, id, { tiles: [{ id: 1, text: { body: 'two' }, color: 'blue' }] });
    const row = await app.store.db.first<{ detail: string }>(
      'SELECT detail FROM activity_log ORDER BY id DESC LIMIT 1',
    );
    const [change] = JSON.parse(row!.detail).changes;
    expect(change).toMatchObject({
      type: 'Dashboard',
      action: 'changed',
      field: 'tiles',
      before: [{ id: 1, text: { body: 'one' }, color: null }],
      after: [{ id: 1, text: { body: 'two' }, color: 'blue' }],
    });
  });
});

test('duplicate_tiles copies tiles with their contents inside their dashboard, at new positions', async () => {
  const app = await openTestApp();
  const id = await makeDashboard(app, [
    { insight: await makeInsight(app), color: 'blue', layouts: { sm: { x: 0, y: 0 } } },
    { text: { body: 'Hi' }, layouts: { sm: { x: 0, y: 1 } } },
  ]);
  const layouts = { sm: { x: 0, y: 2 } };
  const { json } = await patchDashboard(app, id, { duplicate_tiles: [{ id: 1, layouts }, { id: 2 }] });
  expect(json.tiles).toMatchObject([
    { id: 1, insight: { name: 'Signups' } },
    { id: 2, text: { id: 1, body: 'Hi' } },
    { text: { id: 2, body: 'Hi' }, layouts: { sm: { x: 0, y: 1 } } },
    { insight: { name: 'Signups (Copy)' }, color: 'blue', layouts },
  ]);
  expect(await patchDashboard(app, id, { duplicate_tiles: [{ id: 99 }] })).toMatchObject({
    status: 400,
    json: { code: 'invalid_input', attr: 'duplicate_tiles' },
  });
});

test('a copy of duplicate_tiles has the requested style, and its original is unchanged', async () => {
  const app = await openTestApp();
  const id = await makeDashboard(app, [{ insight: await makeInsight(app), color: 'blue' }]);
  const copy = { id: 1, layouts: { sm: { x: 0, y: 2 } }, color: 'green', show_description: true };
  const { json } = await patchDashboard(app, id, { duplicate_tiles: [copy, { id: 1, color: null }] });
  expect(
    json.tiles.map((tile: { color: string; show_description?: boolean }) => [
      tile.color,
      tile.show_description,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ['blue', undefined],
      ['green', true],
      [null, undefined],
    ]),
  );
});

describe('POST tiles/', () => {
  test('adds an insight or a text to a dashboard and returns its tile', async () => {
    const app = await openTestApp();
    const id = await makeDashboard(app, [{ text: { body: 'above' }, layouts: { sm: { x: 0, y: 0 } } }]);
    const insight = await makeInsight(app);
    const add = (body: unknown) => app.ask(dashboardAt(id, 'tiles/'), { method: 'POST', body });
    const layouts = { sm: { x: 0, y: 3 } };
    const made = await add({ insight, layouts });
    expect(made).toMatchObject({
      status: 201,
      json: { id: 2, insight: { id: insight }, text: null, layouts, order: 1 },
    });
    expect(await add({ insight, color: 'blue' })).toMatchObject({
      status: 201,
      json: { id: 2, color: 'blue' },
    });
    expect(await add({ text: { body: 'x' } })).toMatchObject({ status: 201, json: { text: { body: 'x' } } });
    for (const [body, code, attr] of [
      [{}, 'required', 'insight'],
      [{ insight: 99 }, 'does_not_exist', 'insight'],
      [{ insight: false }, 'invalid_input', 'insight'],
      [{ insight, text: { body: 'x' } }, 'invalid_input', null],
      [{ text: { body: 'x'.repeat(4001) } }, 'max_length', 'text'],
    ] as const)
      expect(await add(body)).toMatchObject({ status: 400, json: { code, attr } });
    expect(await app.ask(dashboardAt(99, 'tiles/'), { method: 'POST', body: {} })).toMatchObject({
      status: 404,
    });
  });
});
