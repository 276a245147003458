import { describe, expect, test } from 'vitest';
import { dashboardsOf, type Dashboards, templateOf } from '../support/dashboard-client.ts';
import { createProject } from '../support/owner-calls.ts';
import { refusal, refusalOf } from '../support/refusals.ts';
import { openTestApp } from '../support/test-app.ts';

const SM = { sm: { x: 0, y: 0, w: 6, h: 5 } };

/** A dashboard with a text above an insight. */
async function createWithTwo(dashboards: Dashboards): Promise<any> {
  const { id } = await dashboards.create({ name: 'Source', filters: { date_from: '-30d' } });
  const insight = await dashboards.createInsight({ tags: ['shop'] });
  return dashboards.patch(id, {
    tiles: [
      { text: { body: 'Read me' }, layouts: SM, color: 'green' },
      { insight: insight.id, layouts: { sm: { ...SM.sm, y: 5 } }, color: 'blue' },
    ],
  });
}

const ids = (dashboard: any): number[] => dashboard.tiles.map(({ id }: any) => id);
/** What a tile shows, but for its own id. */
const shown = (dashboard: any) =>
  dashboard.tiles.map(({ text, insight, layouts, color }: any) => ({
    text: text?.id,
    insight: insight?.id,
    layouts,
    color,
  }));

describe('a new dashboard', () => {
  test('M3.4/both-sources cannot be created from a template and a dashboard together', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const source = await dashboards.create();
    const body = { use_template: 'DEFAULT_APP', use_dashboard: source.id };
    const expected = refusal('E-TYPE', null);
    expect(refusalOf(await dashboards.ask('POST', '', body))).toEqual(expected);
    expect(refusalOf(await dashboards.ask('PATCH', `${source.id}/`, body))).toEqual(expected);
    expect(await dashboards.names()).toEqual(['']);
  });

  test('M3.4/empty-use_template an empty template counts as absent', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    expect(await dashboards.create({ name: 'Plain', use_template: '' })).toMatchObject({
      name: 'Plain',
      use_template: '',
      creation_mode: 'default',
      tiles: [],
    });
    const source = await dashboards.create();
    expect(await dashboards.create({ use_template: '', use_dashboard: source.id })).toMatchObject({
      creation_mode: 'duplicate',
    });
  });

  test('M3.4/unknown-use_template an unknown template is refused', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    for (const use_template of ['NO_SUCH', 'default_app', '__proto__', 'constructor']) {
      expect(refusalOf(await dashboards.ask('POST', '', { use_template })), use_template).toEqual(
        refusal('E-TYPE', 'use_template'),
      );
    }
    expect(await dashboards.names()).toEqual([]);
  });

  test('M3.4/empty-use_dashboard an empty text counts as absent', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const answer = await dashboards.ask('POST', '', { use_dashboard: '' });
    expect(refusalOf(answer)).toEqual(refusal('E-TYPE', 'use_dashboard'));
    expect(await dashboards.create({ use_dashboard: null })).toMatchObject({ use_dashboard: null });
  });

  test('M3.4/unknown-use_dashboard a dashboard that is unknown, deleted or of another project is refused', async () => {
    const app = await openTestApp();
    const dashboards = dashboardsOf(app);
    const elsewhere = dashboardsOf(app, { project: await createProject(app) });
    const deleted = await dashboards.create();
    await dashboards.patch(deleted.id, { deleted: true });
    for (const use_dashboard of [999, (await elsewhere.create()).id, deleted.id]) {
      expect(refusalOf(await dashboards.ask('POST', '', { use_dashboard })), String(use_dashboard)).toEqual(
        refusal('E-TYPE', 'use_dashboard'),
      );
    }
    expect(await dashboards.names()).toEqual([]);
  });

  test('M3.4/copy of another has its own tiles with the same contents', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id } = await createWithTwo(dashboards);
    const removed = await dashboards.patch(id, { tiles: [{ text: { body: 'Removed' } }] });
    await dashboards.patch(id, { tiles: [{ id: ids(removed).at(-1)!, deleted: true }] });
    const source = await dashboards.get(id);
    const copy = await dashboards.create({ use_dashboard: String(id) });
    expect(copy).toMatchObject({
      name: '',
      creation_mode: 'duplicate',
      use_dashboard: id,
      filters: { date_from: '-30d' },
    });
    expect(shown(copy)).toEqual(shown(source));
    for (const tile of ids(copy)) expect(ids(source)).not.toContain(tile);
    const sent = await dashboards.create({ use_dashboard: id, filters: { date_from: '-7d' } });
    expect(sent.filters).toEqual({ date_from: '-7d' });
    expect(ids(await dashboards.get(id))).toEqual(ids(source));
  });

  test('M3.4/duplicate_tiles of another, copied with contents, has its own insights and texts', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id } = await createWithTwo(dashboards);
    const nameless = await dashboards.createInsight({ name: null });
    await dashboards.patch(id, { tiles: [{ insight: nameless.id }] });
    await dashboards.get(id);
    // From the second request on, what the insights answer is known.
    const source = await dashboards.get(id);
    const copy = await dashboards.create({ use_dashboard: id, duplicate_tiles: true });
    const [text, insight, third] = copy.tiles;
    expect(text.text).toMatchObject({ body: 'Read me' });
    expect(text.text.id).not.toBe(source.tiles[0].text.id);
    expect(insight.insight).toMatchObject({
      name: 'Page views (Copy)',
      query: source.tiles[1].insight.query,
      tags: ['shop'],
      dashboards: [copy.id],
    });
    expect(insight.insight.id).not.toBe(source.tiles[1].insight.id);
    expect(insight.insight.short_id).not.toBe(source.tiles[1].insight.short_id);
    expect(third.insight.name).toBeNull();
    for (const [n, tile] of copy.tiles.entries()) {
      expect(tile).toMatchObject({ layouts: source.tiles[n].layouts, color: source.tiles[n].color });
    }
    await dashboards.patch(copy.id, { tiles: [{ id: text.id, text: { body: 'Changed' } }] });
    expect(await dashboards.get(id)).toEqual(source);
  });

  test('M3.4/DEFAULT_APP of a template of the product or of the project has its tiles', async () => {
    const app = await openTestApp();
    const dashboards = dashboardsOf(app);
    for (const use_template of ['DEFAULT_APP', 'WEBSITE_TRAFFIC']) {
      const made = await dashboards.create({ use_template });
      expect(made).toMatchObject({ creation_mode: 'template', use_template });
      expect(made.name).not.toBe('');
      expect(made.tiles.length).toBeGreaterThan(0);
      if (use_template === 'DEFAULT_APP')
        expect(made.tiles.filter(({ insight }: any) => insight !== null)).toHaveLength(6);
    }
    const templates = '/api/projects/1/dashboard_templates/';
    expect((await app.ask(templates, { method: 'POST', body: templateOf('Our own') })).status).toBe(201);
    const own = await dashboards.create({ name: 'Given', description: 'Given too', use_template: 'Our own' });
    expect(own).toMatchObject({
      name: 'Given',
      description: 'What happens here',
      filters: { date_from: '-7d' },
      tags: ['made'],
    });
    expect(own.tiles).toHaveLength(2);
  });
});

describe('deleting and restoring', () => {
  test('M3.5/deleted-true hides the dashboard and its tiles, and keeps the insights', async () => {
    const app = await openTestApp();
    const dashboards = dashboardsOf(app);
    const { id, tiles } = await createWithTwo(dashboards);
    await app.ask('/api/projects/1/', { method: 'PATCH', body: { primary_dashboard: id } });
    const answer = await dashboards.patch(id, { deleted: true });
    expect(answer).toMatchObject({ id, deleted: true });
    expect(await dashboards.names()).toEqual([]);
    expect(refusalOf(await dashboards.ask('GET', `${id}/`))).toEqual(refusal('E-404'));
    const insight = await dashboards.getInsight(tiles[1].insight.id);
    expect(insight).toMatchObject({ status: 200, json: { deleted: false, dashboards: [] } });
    expect((await app.ask('/api/projects/1/')).json.primary_dashboard).toBeNull();
  });

  test('M3.5/delete_insights deletes the insights that are on no other dashboard', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id, tiles } = await createWithTwo(dashboards);
    const alone = tiles[1].insight.id;
    const other = await dashboards.create({ name: 'Other' });
    const shared = await dashboards.createInsight({ dashboards: [id, other.id] });
    expect(await dashboards.patch(id, { deleted: true, delete_insights: true })).toMatchObject({
      deleted: true,
      delete_insights: false,
    });
    expect((await dashboards.getInsight(alone)).status).toBe(404);
    expect((await dashboards.getInsight(shared.id)).json.dashboards).toEqual([other.id]);
  });

  test('M3.5/while-deleted everything below the dashboard is a 404, and so is the shared page', async () => {
    const app = await openTestApp();
    const dashboards = dashboardsOf(app);
    const { id } = await createWithTwo(dashboards);
    const { json } = await dashboards.ask('PATCH', `${id}/sharing/`, { enabled: true });
    await dashboards.patch(id, { deleted: true });
    for (const [method, path, body] of [
      ['GET', `${id}/`],
      ['PATCH', `${id}/`, { name: 'x' }],
      ['PUT', `${id}/`, { name: 'x' }],
      ['GET', `${id}/access_controls/`],
      ['PATCH', `${id}/move_tile/`, {}],
      ['PATCH', `${id}/sharing/`, { enabled: false }],
      ['GET', `${id}/sharing/`],
      ['POST', `${id}/sharing/refresh/`],
      ['GET', `${id}/collaborators/`],
    ] as const) {
      expect(refusalOf(await dashboards.ask(method, path, body)), `${method} ${path}`).toEqual(
        refusal('E-404'),
      );
    }
    for (const path of ['sharing', 'collaborators']) {
      const { detail } = (await dashboards.ask('GET', `${id}/${path}/`)).json;
      expect(detail).toBe('Dashboard not found.');
    }
    const page = await app.ask(`/shared/${json.access_token}`, { key: null });
    expect(page.status).toBe(404);
  });

  test('M3.5/deleted-false restores every tile that it ever had, and its insights', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id, tiles } = await createWithTwo(dashboards);
    await dashboards.patch(id, { tiles: [{ id: tiles[0].id, deleted: true }] });
    await dashboards.patch(id, { deleted: true, delete_insights: true });
    const restored = await dashboards.patch(id, { deleted: false, name: 'Back' });
    expect(restored).toMatchObject({ name: 'Back', deleted: false });
    expect(ids(restored)).toEqual(tiles.map((tile: any) => tile.id));
    expect((await dashboards.getInsight(tiles[1].insight.id)).json).toMatchObject({
      deleted: false,
      dashboards: [id],
    });
    expect(await dashboards.names()).toEqual(['Back']);
  });

  test('M3.5/deleted-true-again a second delete is a 404', async () => {
    const dashboards = dashboardsOf(await openTestApp());
    const { id } = await dashboards.create();
    await dashboards.patch(id, { deleted: true });
    expect(refusalOf(await dashboards.ask('PATCH', `${id}/`, { deleted: true }))).toEqual(refusal('E-404'));
    await dashboards.patch(id, { deleted: false });
    expect(await dashboards.names()).toEqual(['']);
  });
});
