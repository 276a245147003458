import { describe, expect, test } from 'vitest';
import { DASHBOARDS, dashboardAt, makeDashboard, postDashboard } from '../../../test/support/dashboards.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const QUERY = {
  kind: 'InsightVizNode',
  source: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '$pageview' }] },
};
const TEMPLATE = {
  template_name: 'Starter',
  dashboard_description: 'Basics',
  dashboard_filters: { date_from: '-7d' },
  tags: ['Kpi '],
  tiles: [
    { type: 'TEXT', body: 'Hello', layouts: { sm: { x: 0, y: 5 } } },
    { type: 'INSIGHT', name: 'Views', description: 'All', color: 'blue', layouts: {}, query: QUERY },
    { type: 'BUTTON', layouts: {} },
    {
      type: 'INSIGHT',
      name: 'Old',
      layouts: {},
      filters: { insight: 'TRENDS', events: [{ id: '$pageview' }] },
    },
  ],
};

const send = (app: TestApp, body: unknown, headers = {}) =>
  app.ask(`${DASHBOARDS}create_from_template_json/`, { method: 'POST', body, headers });
const PREFER = { Prefer: 'return=representation' };

describe('use_template', () => {
  test('M3.4/DEFAULT_APP DEFAULT_APP creates a dashboard of six insights, which are samples without a creator', async () => {
    const app = await openTestApp();
    const { status, json } = await postDashboard(app, { use_template: 'DEFAULT_APP' });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      creation_mode: 'template',
      use_template: 'DEFAULT_APP',
      use_dashboard: null,
    });
    expect(json.name).not.toBe('');
    const insights = json.tiles.filter(({ insight }: { insight: unknown }) => insight !== null);
    expect(insights).toHaveLength(6);
    for (const { insight } of insights) expect(insight).toMatchObject({ is_sample: true, created_by: null });
    expect(json.created_by).toMatchObject({ id: 1 });
  });

  test('has the name of the request, description and filters of the template, and the tags of both', async () => {
    const app = await openTestApp();
    const path = '/api/projects/1/dashboard_templates/';
    expect((await app.ask(path, { method: 'POST', body: TEMPLATE })).status).toBe(201);
    const body = {
      use_template: 'Starter',
      name: 'Mine',
      description: 'x',
      filters: { a: 1 },
      tags: ['own'],
    };
    expect((await postDashboard(app, body)).json).toMatchObject({
      name: 'Mine',
      description: 'Basics',
      filters: { date_from: '-7d' },
      tags: ['own', 'kpi'],
      creation_mode: 'template',
      use_template: 'Starter',
    });
    expect((await postDashboard(app, { use_template: 'Starter' })).json.name).toBe('Starter');
    expect((await postDashboard(app, { use_template: 'WEBSITE_TRAFFIC' })).json.tiles.length).toBeGreaterThan(
      0,
    );
  });

  test('M3.4/empty-use_template that is empty counts as absent', async () => {
    const app = await openTestApp();
    const { json } = await postDashboard(app, { use_template: '', name: 'a' });
    expect(json).toMatchObject({ creation_mode: 'default', use_template: '', tiles: [] });
    const copy = await postDashboard(app, { use_template: '', use_dashboard: json.id });
    expect(copy.json).toMatchObject({ creation_mode: 'duplicate', use_dashboard: json.id });
  });

  test('M3.4/unknown-use_template an unknown template is refused, and no dashboard is stored', async () => {
    const app = await openTestApp();
    expect(await postDashboard(app, { use_template: 'NO_SUCH' })).toMatchObject({
      status: 400,
      json: { type: 'validation_error', code: 'invalid_input', attr: 'use_template' },
    });
    expect((await app.ask(DASHBOARDS)).json.count).toBe(0);
  });
});

describe('create_from_template_json', () => {
  test('M3.8/template_name, M3.8/dashboard_description, M3.8/dashboard_filters, M3.8/tiles, M3.8/tags creates the dashboard of a template: 200, an empty body, and its URL', async () => {
    const app = await openTestApp();
    const answer = await send(app, { template: TEMPLATE, creation_context: 'x', _create_in_folder: 'y' });
    expect(answer).toMatchObject({
      status: 200,
      text: '',
      headers: { location: '/api/projects/1/dashboards/1/' },
    });
    const { json } = await app.ask(answer.headers['location']!);
    expect(json).toMatchObject({
      name: 'Starter',
      description: 'Basics',
      filters: { date_from: '-7d' },
      tags: ['kpi'],
      creation_mode: 'default',
      use_template: '',
      created_by: { id: 1 },
    });
    expect(json.tiles).toMatchObject([
      { text: { body: 'Hello', created_by: null, last_modified_by: null } },
      {
        insight: { name: 'Views', description: 'All', is_sample: true, created_by: null },
        color: 'blue',
        text: null,
      },
      { insight: { name: 'Old', is_sample: true, created_by: null } },
    ]);
    expect(json.tiles[1].insight.query.source).toMatchObject({ kind: 'TrendsQuery' });
  });

  test('has the style, filters and section flag of each tile, and the values of variables', async () => {
    const app = await openTestApp();
    const variables = { 'v-1': { code_name: 'plan', variableId: 'v-1', value: 'pro' } };
    const layouts = { sm: { x: 0, y: 0, w: 12, h: 1 }, xs: { x: 0, y: 0, w: 1, h: 1 } };
    const tiles = [
      { type: 'TEXT', body: '## Section', layouts, color: 'blue', transparent_background: true },
      { type: 'TEXT', body: 'Plain', layouts: {}, transparent_background: false },
      {
        type: 'INSIGHT',
        name: 'Views',
        layouts: {},
        query: QUERY,
        show_description: true,
        filters_overrides: { date_from: '-90d' },
      },
    ];
    const template = { ...TEMPLATE, tiles, dashboard_variables: variables };
    const { json } = await send(app, { template }, PREFER);
    expect(json.variables).toEqual(variables);
    expect(json.tiles).toMatchObject([
      { text: { body: '## Section' }, layouts, color: 'blue', transparent_background: true },
      { text: { body: 'Plain' }, transparent_background: false },
      { insight: { name: 'Views' }, show_description: true, filters_overrides: { date_from: '-90d' } },
    ]);
    expect(json.tiles[0]).not.toHaveProperty('show_description');
    const wrong = { ...TEMPLATE, tiles: [{ ...tiles[0], transparent_background: 'yes' }] };
    expect(await send(app, { template: wrong })).toMatchObject({ status: 400 });
  });

  test('returns the dashboard when the client prefers a representation', async () => {
    const app = await openTestApp();
    const answer = await send(app, { template: TEMPLATE }, PREFER);
    expect(answer).toMatchObject({
      status: 200,
      headers: { location: dashboardAt(1), 'preference-applied': 'return=representation' },
      json: { id: 1, name: 'Starter' },
    });
    // What the tiles answer was computed for this, and is known afterwards.
    const shown = JSON.stringify((await app.ask(dashboardAt(1))).json);
    expect(answer.json).toEqual(JSON.parse(shown.replaceAll('"is_cached":true', '"is_cached":false')));
  });

  test('refuses an incomplete template, names the rule, and stores no dashboard', async () => {
    const app = await openTestApp();
    const { template_name: _, ...nameless } = TEMPLATE;
    const cases: [unknown, RegExp][] = [
      [nameless, /template_name/],
      [{ ...TEMPLATE, tiles: [] }, /tiles/],
      [{ ...TEMPLATE, dashboard_filters: [] }, /dashboard_filters/],
      [
        { ...TEMPLATE, tiles: [{ type: 'INSIGHT', name: 'x', layouts: {}, query: { kind: 'Odd' } }] },
        /tiles/,
      ],
      [null, /./],
      ['x', /./],
    ];
    for (const [template, rule] of cases) {
      const answer = await send(app, { template });
      expect(answer).toMatchObject({
        status: 400,
        json: { type: 'validation_error', code: 'invalid_input', attr: null },
      });
      expect(answer.json.detail).toMatch(rule);
    }
    for (const table of ['dashboards', 'insights', 'dashboard_tiles', 'activity_log'])
      expect(await app.store.db.all(`SELECT 1 FROM ${table}`)).toEqual([]);
  });

  test('without a template but with fields of a dashboard creates it like POST, and is answered 200 and empty', async () => {
    const app = await openTestApp();
    const body = {
      name: 'Plain',
      description: 'x',
      pinned: true,
      deleted: false,
      use_template: '',
      delete_insights: false,
      tags: ['a'],
      restriction_level: 37,
    };
    const answer = await send(app, body);
    expect(answer).toMatchObject({ status: 200, text: '', headers: { location: dashboardAt(1) } });
    expect((await app.ask(dashboardAt(1))).json).toMatchObject({ name: 'Plain', pinned: true, tags: ['a'] });
    const copy = await send(app, { use_dashboard: 1 }, PREFER);
    expect(copy.json).toMatchObject({ creation_mode: 'duplicate', use_dashboard: 1 });
    expect(await send(app, { restriction_level: 1 })).toMatchObject({
      status: 400,
      json: { code: 'invalid_choice', attr: 'restriction_level' },
    });
  });

  test('with an empty body is refused: template is required', async () => {
    const app = await openTestApp();
    for (const body of [{}, undefined, { creation_context: 'x', is_shared: true }])
      expect(await send(app, body)).toMatchObject({
        status: 400,
        json: { type: 'validation_error', code: 'required', attr: 'template' },
      });
  });

  test('is available in both families of paths, for POST only', async () => {
    const app = await openTestApp();
    const path = '/api/environments/1/dashboards/create_from_template_json';
    expect((await app.ask(path, { method: 'POST', body: { template: TEMPLATE } })).status).toBe(200);
    expect(await app.ask(path)).toMatchObject({ status: 405, json: { code: 'method_not_allowed' } });
    expect(await makeDashboard(app)).toBe(2);
  });
});
