import { describe, expect, test } from 'vitest';
import { DASHBOARD, DASHBOARD_ITEM, expectFields, expectOnlyFields, PAGE, USER } from './seed-fields.ts';
import { templateOf } from '../support/dashboard-client.ts';
import { FAMILIES, openScript, type Script } from '../support/seed-script.ts';

/** Every writable field of a dashboard (W). */
const W = {
  name: 'Revenue',
  description: 'What came in',
  pinned: true,
  deleted: false,
  use_template: '',
  delete_insights: false,
  tags: ['money', 'weekly'],
  restriction_level: 37,
};

async function listNames({ ask, P }: Script): Promise<string[]> {
  const { results } = (await ask('dashboard:read', 'GET', `${P}/dashboards/?limit=1000`)).json;
  return results.map(({ name }: { name: string }) => name);
}

describe.each(FAMILIES)('the specification of dashboards below /api/%s', (family) => {
  test('1 the list is a page of reduced dashboards, paged by next and back by previous', async () => {
    const script = await openScript(family);
    const { ask, P, createDashboard } = script;
    for (const name of ['a', 'b', 'c', 'd', 'e']) await createDashboard({ name });
    const walked: string[] = [];
    let page = await ask('dashboard:read', 'GET', `${P}/dashboards?limit=2&offset=0`);
    expect(page.json.previous).toBeNull();
    for (;;) {
      expect(page.status).toBe(200);
      expectOnlyFields(page.json, PAGE);
      expect(page.json.count).toBe(5);
      for (const dashboard of page.json.results) {
        expectOnlyFields(dashboard, DASHBOARD_ITEM);
        expectOnlyFields(dashboard.created_by, USER);
        walked.push(dashboard.name);
      }
      if (page.json.next === null) break;
      const next = new URL(page.json.next);
      expect(next.origin).toBe(script.app.url);
      expect(next.searchParams.get('limit')).toBe('2');
      page = await ask('dashboard:read', 'GET', next.pathname + next.search);
    }
    expect(walked).toEqual(['a', 'b', 'c', 'd', 'e']);
    const back = new URL(page.json.previous);
    const before = await ask('dashboard:read', 'GET', back.pathname + back.search);
    expect(before.json.results.map(({ name }: { name: string }) => name)).toEqual(['c', 'd']);
  });

  test('1 offset is the start of the results', async () => {
    const { ask, P, createDashboard } = await openScript(family);
    for (const name of ['a', 'b', 'c']) await createDashboard({ name });
    const { json } = await ask('dashboard:read', 'GET', `${P}/dashboards/?limit=10&offset=2`);
    expect(json.results.map(({ name }: { name: string }) => name)).toEqual(['c']);
  });

  test('2 a created dashboard has every field of the table, and the sent values', async () => {
    const { ask, P, keys, app } = await openScript(family);
    const made = await ask('dashboard:write', 'POST', `${P}/dashboards/`, W);
    expect(made.status).toBe(201);
    expectOnlyFields(made.json, DASHBOARD);
    expectOnlyFields(made.json.created_by, USER);
    expect(made.json).toMatchObject({
      ...W,
      creation_mode: 'default',
      is_shared: false,
      tiles: [],
    });
    expect(made.json.created_by.role_at_organization).toBe('engineering');
    const me = await app.ask('/api/users/@me/');
    expect(made.json.created_by.uuid).toBe(me.json.uuid);
    const read = await app.ask(`${P}/dashboards/${made.json.id}`, {
      key: keys['dashboard:read'],
    });
    expect(read.json).toEqual(made.json);
  });

  test('2 use_dashboard copies a dashboard, and use_template creates one from a template', async () => {
    const { createWithTiles, createDashboard } = await openScript(family);
    const source = await createWithTiles();
    const copy = await createDashboard({
      name: 'Copy',
      use_dashboard: source.id,
    });
    expectOnlyFields(copy, DASHBOARD);
    expect(copy).toMatchObject({
      creation_mode: 'duplicate',
      use_dashboard: source.id,
      use_template: '',
    });
    expect(copy.tiles).toHaveLength(source.tiles.length);
    const started = await createDashboard({
      name: 'Started',
      use_template: 'DEFAULT_APP',
    });
    expectOnlyFields(started, DASHBOARD);
    expect(started).toMatchObject({
      creation_mode: 'template',
      use_template: 'DEFAULT_APP',
    });
    expect(started.tiles.length).toBeGreaterThan(0);
  });

  test('3 a dashboard is retrieved with its tiles, which are objects', async () => {
    const { createWithTiles, getDashboard } = await openScript(family);
    const dashboard = await getDashboard((await createWithTiles()).id);
    expectOnlyFields(dashboard, DASHBOARD);
    expect(dashboard.tiles).toHaveLength(2);
    for (const tile of dashboard.tiles) expectFields(tile, { id: 'integer', layouts: 'object' });
  });

  test.each(Object.entries({ ...W, pinned: true, name: 'Renamed', description: '' }))(
    '4 %s is updated without other fields',
    async (field, value) => {
      const { ask, P, createDashboard, getDashboard } = await openScript(family);
      const before = await createDashboard();
      const { status, json } = await ask('dashboard:write', 'PATCH', `${P}/dashboards/${before.id}/`, {
        [field]: value,
      });
      expect(status).toBe(200);
      expectOnlyFields(json, DASHBOARD);
      // A restriction is effective immediately; the creator may still edit.
      const effective = field === 'restriction_level' ? { effective_restriction_level: value } : {};
      expect(json).toEqual({ ...before, [field]: value, ...effective });
      expect(await getDashboard(before.id)).toEqual(json);
    },
  );

  test('4 deleted hides the dashboard, and deleted: false restores it with its tiles', async () => {
    const script = await openScript(family);
    const { ask, P, createWithTiles, getDashboard } = script;
    const before = await createWithTiles('Starter');
    const path = `${P}/dashboards/${before.id}/`;
    const deleted = await ask('dashboard:write', 'PATCH', path, {
      deleted: true,
    });
    expect(deleted.status).toBe(200);
    expectOnlyFields(deleted.json, DASHBOARD);
    expect(deleted.json.deleted).toBe(true);
    expect((await ask('dashboard:read', 'GET', path)).status).toBe(404);
    expect(await listNames(script)).toEqual([]);
    const restored = await ask('dashboard:write', 'PATCH', path, {
      deleted: false,
    });
    expect(restored.status).toBe(200);
    expect(restored.json.deleted).toBe(false);
    const after = await getDashboard(before.id);
    expect(after.tiles.map(({ id }: { id: number }) => id)).toEqual(
      before.tiles.map(({ id }: { id: number }) => id),
    );
    expect(await listNames(script)).toEqual(['Starter']);
  });

  test('5 a hard delete is refused for every caller, with 405 and no body, and the dashboard is unchanged', async () => {
    const { app, P, keys, createDashboard, getDashboard } = await openScript(family);
    const before = await createDashboard();
    for (const key of [keys['dashboard:write'], keys['dashboard:read'], keys['query:read'], 'phx_no', null]) {
      for (const path of [`${P}/dashboards/${before.id}/`, `${P}/dashboards/${before.id}`]) {
        const answer = await app.ask(path, { method: 'DELETE', key });
        expect([answer.status, answer.text]).toEqual([405, '']);
      }
    }
    expect(
      (
        await app.ask(`${P}/dashboards/999999/`, {
          method: 'DELETE',
          key: null,
        })
      ).status,
    ).toBe(405);
    expect(await getDashboard(before.id)).toEqual(before);
  });

  test.each(['access_controls', 'global_access_controls'])(
    '10, 11 %s shows the dashboard with every field of the table',
    async (action) => {
      const { ask, P, createWithTiles } = await openScript(family);
      const dashboard = await createWithTiles();
      const { status, json } = await ask(
        'dashboard:read',
        'GET',
        `${P}/dashboards/${dashboard.id}/${action}`,
      );
      expect(status).toBe(200);
      expectFields(json, DASHBOARD);
      expectOnlyFields(json.created_by, USER);
      for (const field of ['id', 'name', 'restriction_level', 'user_access_level'])
        expect(json[field]).toEqual(dashboard[field]);
    },
  );

  test('12 a tile moves to another dashboard; the response has no body', async () => {
    const { ask, P, createWithTiles, createDashboard, getDashboard } = await openScript(family);
    const [source, target] = [await createWithTiles(), await createDashboard({ name: 'Target' })];
    const [text, insight] = source.tiles;
    const answer = await ask('dashboard:write', 'PATCH', `${P}/dashboards/${source.id}/move_tile/`, {
      tile: { id: insight.id },
      toDashboard: target.id,
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect((await getDashboard(source.id)).tiles.map(({ id }: any) => id)).toEqual([text.id]);
    const [moved, ...others] = (await getDashboard(target.id)).tiles;
    expect(others).toEqual([]);
    expect(moved).toMatchObject({
      id: insight.id,
      layouts: insight.layouts,
      color: insight.color,
    });
    expect(moved.insight.id).toBe(insight.insight.id);
  });

  test('12 a body with only writable fields is accepted, and no tile is moved or changed', async () => {
    const { ask, P, createWithTiles, getDashboard } = await openScript(family);
    const { id } = await createWithTiles();
    // From the second request on, what the tiles answer is known.
    const before = await getDashboard(id);
    const answer = await ask('dashboard:write', 'PATCH', `${P}/dashboards/${id}/move_tile`, W);
    expect([answer.status, answer.text]).toEqual([200, '']);
    expect(await getDashboard(before.id)).toEqual(before);
  });

  test('13 a template becomes a dashboard; the response has no body', async () => {
    const { ask, P, getDashboard } = await openScript(family);
    const path = `${P}/dashboards/create_from_template_json/`;
    const answer = await ask('dashboard:write', 'POST', path, {
      template: templateOf('Starter'),
    });
    expect([answer.status, answer.text]).toEqual([200, '']);
    const { results } = (await ask('dashboard:read', 'GET', `${P}/dashboards/`)).json;
    expect(results).toHaveLength(1);
    expect(answer.headers['location']).toMatch(new RegExp(`/dashboards/${results[0].id}/$`));
    const dashboard = await getDashboard(results[0].id);
    expectOnlyFields(dashboard, DASHBOARD);
    expect(dashboard).toMatchObject({
      name: 'Starter',
      description: 'What happens here',
      filters: { date_from: '-7d' },
      tags: ['made'],
    });
    expect(dashboard.tiles.map(({ text, insight }: any) => text?.body ?? insight.name)).toEqual([
      'Read me',
      'Page views',
    ]);
  });

  test('13 a body with only writable fields creates a dashboard', async () => {
    const { ask, P, getDashboard } = await openScript(family);
    const answer = await ask('dashboard:write', 'POST', `${P}/dashboards/create_from_template_json`, W);
    expect([answer.status, answer.text]).toEqual([200, '']);
    const { results } = (await ask('dashboard:read', 'GET', `${P}/dashboards/`)).json;
    expect(await getDashboard(results[0].id)).toMatchObject(W);
  });
});

test('both families show the same dashboards', async () => {
  const script = await openScript('projects');
  const { id } = await script.createDashboard();
  const other = script.P.replace('/projects/', '/environments/');
  const { json } = await script.ask('dashboard:read', 'GET', `${other}/dashboards/${id}/`);
  expect(json).toEqual(await script.getDashboard(id));
});
