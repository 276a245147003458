import { describe, expect, test } from 'vitest';
import {
  dashboardAt,
  makeDashboard,
  makeInsight,
  patchDashboard,
  postDashboard,
  tilesOf,
} from '../../../test/support/dashboards.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

/** A dashboard with two insights, one of them removed, and a text. */
async function makeSource(app: TestApp): Promise<number> {
  const [named, nameless] = [await makeInsight(app), await makeInsight(app, { name: null })];
  const id = await makeDashboard(app, [
    { insight: named, color: 'blue', layouts: { sm: { x: 0, y: 0 } }, show_description: true },
    { insight: nameless, layouts: { sm: { x: 0, y: 5 } } },
    { text: { body: 'Hello' }, layouts: { sm: { x: 0, y: 9 } } },
    { insight: await makeInsight(app, { name: 'Removed' }) },
  ]);
  const removed = (await tilesOf(app, id)).find(({ insight }) => insight?.name === 'Removed')!;
  await patchDashboard(app, id, {
    tiles: [{ id: removed.id, deleted: true }],
    filters: { date_from: '-7d' },
    variables: { a: { code_name: 'a', variableId: 'a', value: 1 } },
  });
  return id;
}

describe('a copy of a dashboard', () => {
  test('M3.4/copy shows the same insights and texts in its own tiles, with filters and variables', async () => {
    const app = await openTestApp();
    const source = await makeSource(app);
    const { status, json } = await postDashboard(app, { name: 'Copy', use_dashboard: source });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      name: 'Copy',
      creation_mode: 'duplicate',
      use_dashboard: source,
      filters: { date_from: '-7d' },
      variables: { a: { value: 1 } },
    });
    const originals = await tilesOf(app, source);
    const copies = await tilesOf(app, json.id);
    const seen = (tiles: typeof copies) =>
      tiles.map(({ insight, text, layouts, color }) => [insight?.id, text?.id, layouts, color]);
    expect(seen(copies)).toEqual(seen(originals));
    expect(copies).toHaveLength(3);
    expect(copies.some(({ id }) => originals.some((tile) => tile.id === id))).toBe(false);
  });

  test('has other filters when they are sent', async () => {
    const app = await openTestApp();
    const source = await makeSource(app);
    const { json } = await postDashboard(app, { use_dashboard: `${source}`, filters: { date_to: null } });
    expect(json.filters).toEqual({ date_to: null });
  });

  test('M3.4/duplicate_tiles with duplicate_tiles shows copies of insights and texts, with places, colors and tags', async () => {
    const app = await openTestApp();
    const source = await makeSource(app);
    const { json } = await postDashboard(app, { use_dashboard: source, duplicate_tiles: true });
    const originals = await tilesOf(app, source);
    const copies = await tilesOf(app, json.id);
    expect(copies.map(({ insight, text }) => insight?.name ?? text?.body ?? null)).toEqual([
      'Signups (Copy)',
      null,
      'Hello',
    ]);
    expect(copies.map(({ layouts, color }) => [layouts, color])).toEqual(
      originals.map(({ layouts, color }) => [layouts, color]),
    );
    expect(copies[0]!.insight!.tags).toEqual(['kpi']);
    expect(json.tiles[0]).toMatchObject({ show_description: true });
    const shown = (tiles: typeof copies) =>
      tiles.map(({ insight, text }) => (insight === null ? `text ${text!.id}` : `insight ${insight.id}`));
    expect(shown(copies).filter((content) => shown(originals).includes(content))).toEqual([]);
    await patchDashboard(app, json.id, { tiles: [{ id: copies[2]!.id, text: { body: 'Changed' } }] });
    expect((await tilesOf(app, source))[2]!.text!.body).toBe('Hello');
  });

  test('M3.4/unknown-use_dashboard is refused for a dashboard that is unknown, deleted or of another project', async () => {
    const app = await openTestApp();
    const [deleted, foreign] = [await makeDashboard(app), await makeDashboard(app)];
    await patchDashboard(app, deleted, { deleted: true });
    await app.store.db.run('UPDATE dashboards SET project_id = 2 WHERE id = $foreign', { foreign });
    for (const use_dashboard of [deleted, foreign, 99, -1])
      expect(await postDashboard(app, { use_dashboard })).toMatchObject({
        status: 400,
        json: { type: 'validation_error', code: 'invalid_input', attr: 'use_dashboard' },
      });
    const rows = await app.store.db.all('SELECT id FROM dashboards');
    expect(rows).toHaveLength(2);
  });

  test('M3.4/both-sources cannot be created from a template at the same time', async () => {
    const app = await openTestApp();
    const body = { use_template: 'DEFAULT_APP', use_dashboard: await makeDashboard(app) };
    expect(await postDashboard(app, body)).toMatchObject({
      status: 400,
      json: { type: 'validation_error', code: 'invalid_input', attr: null },
    });
    expect((await app.ask(dashboardAt(2))).status).toBe(404);
  });
});
