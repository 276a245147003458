import { describe, expect, test } from 'vitest';
import { dashboardsOf, type Dashboards } from '../support/dashboard-client.ts';
import { addMember } from '../support/members.ts';
import { createProject } from '../support/owner-calls.ts';
import { refusal, refusalOf, type Refusal } from '../support/refusals.ts';
import { openTestApp, type TestResponse } from '../support/test-app.ts';

const LAYOUTS = { sm: { x: 0, y: 0, w: 6, h: 5 }, xs: { x: 0, y: 0, w: 1, h: 5 } };

async function addText(dashboards: Dashboards, id: number, body = 'Read me'): Promise<any> {
  const { tiles } = await dashboards.patch(id, { tiles: [{ text: { body }, layouts: LAYOUTS }] });
  return tiles.find(({ text }: any) => text?.body === body);
}

async function addInsight(dashboards: Dashboards, id: number): Promise<any> {
  const insight = await dashboards.createInsight();
  const { tiles } = await dashboards.patch(id, { tiles: [{ insight: insight.id, layouts: LAYOUTS }] });
  return tiles.find((tile: any) => tile.insight?.id === insight.id);
}

describe('an element of tiles', () => {
  test('M3.6/update changes only the sent fields of the named tile, and no other tile', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id } = await dashboards.create();
    const [text, insight] = [await addText(dashboards, id), await addInsight(dashboards, id)];
    const change = { color: 'purple', show_description: true, transparent_background: true };
    const filters_overrides = { date_from: '-1d' };
    const ignored = { is_cached: true, order: 9, insight: { id: 999 } };
    const element = { id: insight.id, ...change, filters_overrides, ...ignored };
    const { tiles } = await dashboards.patch(id, { tiles: [element] });
    expect(tiles.find((tile: any) => tile.id === text.id)).toEqual(text);
    const changed = tiles.find((tile: any) => tile.id === insight.id);
    expect(changed).toMatchObject({ ...change, filters_overrides, layouts: LAYOUTS });
    expect(changed.insight.id).toBe(insight.insight.id);
    expect(changed.is_cached).toBe(false);

    const layouts = { sm: { x: 6, y: 3, w: 6, h: 4 } };
    await dashboards.patch(id, { tiles: [{ id: insight.id, layouts }] });
    const again = (await dashboards.get(id)).tiles.find((tile: any) => tile.id === insight.id);
    expect(again).toMatchObject({ ...change, layouts });
    const cleared = await dashboards.patch(id, { tiles: [{ id: insight.id, show_description: null }] });
    expect(cleared.tiles.find((tile: any) => tile.id === insight.id).show_description ?? null).toBeNull();
  });

  test('M3.6/update tiles are ordered by position, and numbered from there', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id } = await dashboards.create();
    const at = (x: number, y: number) => ({ layouts: { sm: { x, y, w: 3, h: 3 } } });
    const { tiles } = await dashboards.patch(id, {
      tiles: [
        { text: { body: 'nowhere' } },
        { text: { body: 'below' }, ...at(0, 3) },
        { text: { body: 'right' }, ...at(3, 0) },
        { text: { body: 'first' }, ...at(0, 0) },
      ],
    });
    expect(tiles.map(({ text, order }: any) => [text.body, order])).toEqual([
      ['first', 0],
      ['right', 1],
      ['below', 2],
      ['nowhere', 3],
    ]);
  });

  test('M3.6/new-text with a text and no id adds a text', async () => {
    const app = await openTestApp();
    const dashboards = dashboardsOf(app);
    const { id } = await dashboards.create();
    const element = { text: { body: 'Hello' }, layouts: LAYOUTS, color: 'black' };
    const { tiles } = await dashboards.patch(id, { tiles: [element, { text: { body: 'x'.repeat(4000) } }] });
    expect(tiles[0]).toMatchObject({ layouts: LAYOUTS, color: 'black', insight: null, order: 0 });
    expect(tiles[0].text).toMatchObject({ body: 'Hello', team: 1, created_by: { id: 1 } });
    expect(tiles[0].id).toEqual(expect.any(Number));
    const tooLong = await dashboards.ask('PATCH', `${id}/`, {
      name: 'Not changed',
      tiles: [{ text: { body: 'Fine' } }, { text: { body: 'x'.repeat(4001) } }],
    });
    expect(tooLong.status).toBe(400);
    expect(tooLong.json).toMatchObject({ type: 'validation_error' });
    // All of a request or nothing.
    expect(await dashboards.get(id)).toMatchObject({ name: '', tiles: { length: 2 } });
  });

  test('M3.6/change-text with an id and a text changes that text', async () => {
    const app = await openTestApp();
    const { key } = await addMember(app, 'lin@local.test');
    const dashboards = dashboardsOf(app);
    const { id } = await dashboards.create();
    const { text, ...tile } = await addText(dashboards, id);
    for (const element of [
      { id: tile.id, text: { body: 'Once' } },
      { id: tile.id, text: { id: text.id, body: 'Twice' } },
    ]) {
      const { tiles } = await dashboardsOf(app, { key }).patch(id, { tiles: [element] });
      expect(tiles).toHaveLength(1);
      expect(tiles[0]).toMatchObject({ id: tile.id, layouts: LAYOUTS });
      expect(tiles[0].text).toMatchObject({ id: text.id, body: element.text.body, created_by: { id: 1 } });
      expect(tiles[0].text.last_modified_by.id).not.toBe(1);
    }
  });

  test('M3.6/remove removes the tile, and keeps its content', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id } = await dashboards.create();
    const [text, insight] = [await addText(dashboards, id), await addInsight(dashboards, id)];
    const { tiles } = await dashboards.patch(id, { tiles: [{ id: insight.id, deleted: true }] });
    expect(tiles.map((tile: any) => tile.id)).toEqual([text.id]);
    const { json } = await dashboards.getInsight(insight.insight.id);
    expect(json).toMatchObject({ deleted: false, dashboards: [] });
    const back = await dashboards.patch(id, { tiles: [{ id: insight.id, deleted: false }] });
    expect(back.tiles).toHaveLength(2);
  });

  test('M3.6/add-insight with an insight and no id adds it, by id or by short_id', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id } = await dashboards.create();
    const [one, two] = [await dashboards.createInsight(), await dashboards.createInsight()];
    const { tiles } = await dashboards.patch(id, {
      tiles: [{ insight: one.id, layouts: LAYOUTS, color: 'blue' }, { insight: two.short_id }],
    });
    expect(tiles.map(({ insight }: any) => insight.id)).toEqual([one.id, two.id]);
    expect(tiles[0]).toMatchObject({ color: 'blue', layouts: LAYOUTS, text: null });
    expect((await dashboards.getInsight(one.id)).json.dashboards).toEqual([id]);
    // Again: it is there already.
    const again = await dashboards.patch(id, { tiles: [{ insight: one.id, color: 'green' }] });
    expect(again.tiles.filter(({ insight }: any) => insight.id === one.id)).toHaveLength(1);
    for (const insight of [999, 'AAAAAAAA']) {
      const answer = await dashboards.ask('PATCH', `${id}/`, { tiles: [{ insight }] });
      expect(answer).toMatchObject({ status: 400, json: { type: 'validation_error' } });
    }
  });

  test('M3.6/foreign-id a tile of another dashboard is refused', async () => {
    const app = await openTestApp();
    const dashboards = dashboardsOf(app);
    const elsewhere = dashboardsOf(app, { project: await createProject(app) });
    const { id } = await dashboards.create();
    const other = await dashboards.create();
    const foreign = await elsewhere.create();
    const tiles = [
      await addText(dashboards, other.id),
      await addText(elsewhere, foreign.id),
      { id: 999, text: { body: '' } },
    ];
    for (const tile of tiles) {
      const element = { id: tile.id, color: 'red', text: { body: 'Taken over' } };
      const answer = await dashboards.ask('PATCH', `${id}/`, { tiles: [element] });
      expect(refusalOf(answer)).toEqual(refusal('E-TYPE', 'tiles'));
    }
    expect((await dashboards.get(other.id)).tiles).toEqual([tiles[0]]);
    expect((await elsewhere.get(foreign.id)).tiles).toEqual([tiles[1]]);
  });
});

/** A dashboard whose answers are known: from then on it reads the same until something changes. */
async function getAnswered({ get }: Dashboards, id: number) {
  await get(id);
  return get(id);
}

describe('move_tile', () => {
  /** A source with a text and an insight, and a target. */
  async function openTwo() {
    const app = await openTestApp();
    const dashboards = dashboardsOf(app);
    const source = await dashboards.create({ name: 'Source' });
    const target = await dashboards.create({ name: 'Target' });
    const text = await addText(dashboards, source.id);
    const insight = await addInsight(dashboards, source.id);
    const move = (body: unknown, from = source.id): Promise<TestResponse> =>
      dashboards.ask('PATCH', `${from}/move_tile/`, body);
    const tileIds = async (id: number): Promise<number[]> =>
      (await dashboards.get(id)).tiles.map((tile: any) => tile.id);
    return { app, dashboards, source, target, text, insight, move, tileIds };
  }

  test('M3.7/source-unknown a move from an unknown dashboard is a 404', async () => {
    const { dashboards, source, target, text, move } = await openTwo();
    const body = { tile: { id: text.id }, toDashboard: target.id };
    expect(refusalOf(await move(body, 999))).toEqual(refusal('E-404'));
    await dashboards.patch(source.id, { deleted: true });
    expect(refusalOf(await move(body))).toEqual(refusal('E-404'));
  });

  test('M3.7/not-there a tile of another dashboard, or a destination of another project, is unknown', async () => {
    const { app, dashboards, source, target, text, move } = await openTwo();
    const elsewhere = await dashboardsOf(app, { project: await createProject(app) }).create();
    const other = await addText(dashboards, target.id, 'On the target');
    const deleted = await dashboards.create();
    await dashboards.patch(deleted.id, { deleted: true });
    for (const [tile, toDashboard] of [
      [999, target.id],
      [other.id, target.id],
      [text.id, 999],
      [text.id, elsewhere.id],
      [text.id, deleted.id],
    ])
      expect(refusalOf(await move({ tile: { id: tile }, toDashboard }))).toEqual(refusal('E-404'));
    expect((await dashboards.get(source.id)).tiles).toHaveLength(2);
  });

  test('M3.7/may-not-edit a user without edit access to both dashboards cannot move tiles between them', async () => {
    const { app, dashboards, source, target, text, tileIds } = await openTwo();
    const { key } = await addMember(app, 'lin@local.test');
    const body = { tile: { id: text.id }, toDashboard: target.id };
    const move = (): Promise<TestResponse> =>
      dashboardsOf(app, { key }).ask('PATCH', `${source.id}/move_tile/`, body);
    for (const { id } of [source, target]) {
      await dashboards.patch(id, { restriction_level: 37 });
      expect(refusalOf(await move())).toEqual(refusal('E-EDIT'));
      await dashboards.patch(id, { restriction_level: 21 });
    }
    expect((await move()).status).toBe(200);
    expect(await tileIds(target.id)).toEqual([text.id]);
  });

  test('M3.7/already-shown an insight is on a dashboard once; a removed one is replaced', async () => {
    const { dashboards, source, target, insight, move, tileIds } = await openTwo();
    const body = { tile: { id: insight.id }, toDashboard: target.id };
    const { tiles } = await dashboards.patch(target.id, { tiles: [{ insight: insight.insight.id }] });
    expect(refusalOf(await move(body))).toEqual(refusal('E-TYPE', null));
    expect(await tileIds(source.id)).toContain(insight.id);
    await dashboards.patch(target.id, { tiles: [{ id: tiles[0].id, deleted: true }] });
    expect((await move(body)).status).toBe(200);
    expect(await tileIds(target.id)).toEqual([insight.id]);
    expect((await dashboards.getInsight(insight.insight.id)).json.dashboards).toEqual([target.id]);
    // A restored dashboard shows all its tiles, but not the one that was replaced.
    await dashboards.patch(target.id, { deleted: true });
    expect((await dashboards.patch(target.id, { deleted: false })).tiles).toHaveLength(1);
  });

  const HALVES: readonly [object, Refusal][] = [
    [{ tile: { id: 1 } }, refusal('E-REQ', 'toDashboard')],
    [{ toDashboard: 1 }, refusal('E-REQ', 'tile__id')],
    [{ tile: {}, toDashboard: 1 }, refusal('E-REQ', 'tile__id')],
    [{ tile: { id: 'x' }, toDashboard: 1 }, refusal('E-TYPE', 'tile__id')],
    [{ tile: 1, toDashboard: 1 }, refusal('E-TYPE', 'tile__id')],
    [{ tile: { id: 1 }, toDashboard: 'x' }, refusal('E-TYPE', 'toDashboard')],
    [{ tile: { id: 1 }, toDashboard: [] }, refusal('E-TYPE', 'toDashboard')],
  ];
  test('M3.7/half-a-body one key without the other is refused by its name', async () => {
    const { move, source, tileIds } = await openTwo();
    for (const [body, expected] of HALVES)
      expect(refusalOf(await move(body)), JSON.stringify(body)).toEqual(expected);
    expect(await tileIds(source.id)).toHaveLength(2);
  });

  test('M3.7/neither-key a body without both moves no tile, and its fields are only checked', async () => {
    const { dashboards, source, move } = await openTwo();
    const before = await getAnswered(dashboards, source.id);
    for (const body of [{}, { name: 'Not applied', pinned: true, deleted: true, tags: ['x'] }]) {
      const answer = await move(body);
      expect([answer.status, answer.text]).toEqual([200, '']);
    }
    expect(refusalOf(await move({ name: [] }))).toEqual(refusal('E-TYPE', 'name'));
    expect(await dashboards.get(source.id)).toEqual(before);
  });

  test('M3.7/same-dashboard a move to the same dashboard changes no tile', async () => {
    const { dashboards, source, insight, move } = await openTwo();
    const before = await getAnswered(dashboards, source.id);
    const answer = await move({ tile: { id: insight.id, extra: true }, toDashboard: source.id });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await dashboards.get(source.id)).toEqual(before);
  });

  test('with Prefer: return=representation the source is returned, as by PostHog', async () => {
    const { app, source, target, text, insight } = await openTwo();
    const answer = await app.ask(`/api/environments/1/dashboards/${source.id}/move_tile/`, {
      method: 'PATCH',
      headers: { Prefer: 'return=representation' },
      body: { tile: { id: text.id }, toDashboard: String(target.id) },
    });
    expect(answer.status).toBe(200);
    expect(answer.headers['preference-applied']).toBe('return=representation');
    expect(answer.json.id).toBe(source.id);
    expect(answer.json.tiles.map((tile: any) => tile.id)).toEqual([insight.id]);
  });
});
