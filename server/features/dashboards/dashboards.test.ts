import { describe, expect, test } from 'vitest';
import {
  DASHBOARDS,
  dashboardAt,
  makeDashboard,
  patchDashboard,
  postDashboard,
} from '../../../test/support/dashboards.ts';
import { openTestApp } from '../../../test/support/test-app.ts';

describe('a new dashboard', () => {
  test('can be created with an empty body', async () => {
    const app = await openTestApp();
    const made = await postDashboard(app);
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ id: 1, name: '', description: '', pinned: false, tiles: [] });
    expect((await app.ask(dashboardAt(1))).json).toEqual(made.json);
  });

  test('has the sent fields, in the coerced forms that clients send, with exactly the keys of the contract', async () => {
    const app = await openTestApp();
    const body = {
      name: 7,
      description: 'Team KPIs',
      pinned: 'true',
      tags: ['Ops ', 'ops'],
      restriction_level: '37',
      filters: { date_from: '-7d' },
      is_shared: true,
      creation_mode: 'template',
      _create_in_folder: 'Teams',
    };
    expect((await postDashboard(app, body)).json).toEqual({
      id: 1,
      name: '7',
      description: 'Team KPIs',
      pinned: true,
      created_at: '2026-11-20T09:30:00.000000Z',
      created_by: expect.objectContaining({ id: 1, first_name: 'Owner' }),
      is_shared: false,
      deleted: false,
      creation_mode: 'default',
      use_template: '',
      use_dashboard: null,
      delete_insights: false,
      filters: { date_from: '-7d' },
      variables: {},
      tags: ['ops'],
      tiles: [],
      restriction_level: 37,
      effective_restriction_level: 37,
      effective_privilege_level: 37,
      user_access_level: 'manager',
    });
  });

  test('without a name has the empty name, also when null was sent', async () => {
    const app = await openTestApp();
    expect((await postDashboard(app, { name: null })).json.name).toBe('');
  });

  test('may be sent as a form', async () => {
    const app = await openTestApp();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const body = 'name=Weekly+one&pinned=on&restriction_level=21&tags=a&tags=b';
    const made = await app.ask(DASHBOARDS, { method: 'POST', body, headers });
    expect(made).toMatchObject({ status: 201, json: { name: 'Weekly one', pinned: true, tags: ['a', 'b'] } });
    const multipart = '--x\r\nContent-Disposition: form-data; name="tags"\r\n\r\nc\r\n--x--\r\n';
    const changed = await app.ask(dashboardAt(1), {
      method: 'PATCH',
      body: multipart,
      headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
    });
    expect(changed).toMatchObject({ status: 200, json: { pinned: true, tags: ['c'], name: 'Weekly one' } });
  });

  test('is refused with the name of the invalid field, and is not stored', async () => {
    const app = await openTestApp();
    const cases: [object, string, string | null][] = [
      [{ description: null }, 'null', 'description'],
      [{ pinned: null }, 'null', 'pinned'],
      [{ tags: null }, 'null', 'tags'],
      [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
      [{ name: true }, 'invalid_input', 'name'],
      [{ description: ['x'] }, 'invalid_input', 'description'],
      [{ pinned: 'perhaps' }, 'invalid_input', 'pinned'],
      [{ restriction_level: 99 }, 'invalid_choice', 'restriction_level'],
      [{ restriction_level: '' }, 'invalid_choice', 'restriction_level'],
      [{ tags: 'ops' }, 'not_a_list', 'tags'],
      [{ tags: ['x'.repeat(256)] }, 'max_length', 'tags__0'],
      [{ variables: [] }, 'not_a_dict', 'variables'],
      [{ filters: [] }, 'invalid_input', null],
      [{ filters: 'date_from' }, 'invalid_input', null],
      [{ use_dashboard: '' }, 'invalid_input', 'use_dashboard'],
      [{ use_dashboard: 'seven' }, 'invalid_input', 'use_dashboard'],
    ];
    for (const [body, code, attr] of cases)
      expect(await postDashboard(app, body)).toMatchObject({ status: 400, json: { code, attr } });
    expect((await app.ask(DASHBOARDS)).json.count).toBe(0);
  });
});

describe('a dashboard', () => {
  test('of another project, deleted, or with an invalid id, is not found', async () => {
    const app = await openTestApp();
    await makeDashboard(app);
    await app.store.db.run('UPDATE dashboards SET project_id = 2');
    for (const id of ['1', '2', 'x', '1.5', '-1', '99999999999'])
      expect(await app.ask(`${DASHBOARDS}${id}/`)).toMatchObject({
        status: 404,
        json: { type: 'invalid_request', code: 'not_found', detail: 'Not found.', attr: null },
      });
  });

  test('is shown with filter overrides, and keeps its stored filters', async () => {
    const app = await openTestApp();
    await postDashboard(app, { filters: { date_from: '-7d', properties: [] }, variables: {} });
    const override = encodeURIComponent('{"date_from": "-1d", "date_to": null}');
    const { json } = await app.ask(`${dashboardAt(1)}?filters_override=${override}`);
    expect(json.filters).toEqual({ date_from: '-1d', properties: [], date_to: null });
    expect((await app.ask(dashboardAt(1))).json.filters).toEqual({ date_from: '-7d', properties: [] });
  });

  test('is shown with variable overrides', async () => {
    const app = await openTestApp();
    await postDashboard(app, { variables: { a: { code_name: 'plan', variableId: 'a', value: 1 } } });
    const override = encodeURIComponent('{"b": {"code_name": "b", "variableId": "b", "value": 2}}');
    const { json } = await app.ask(`${dashboardAt(1)}?variables_override=${override}`);
    expect(json.variables).toEqual({ b: { code_name: 'b', variableId: 'b', value: 2 } });
  });

  test('keeps variables that were deleted and created again', async () => {
    const app = await openTestApp();
    await postDashboard(app, { variables: { old: { code_name: 'plan', variableId: 'old', value: 1 } } });
    const id = '0190f0c1-0000-7000-8000-00000000000a';
    await app.store.db.run(
      `INSERT INTO insight_variables (id, project_id, name, code_name, type, created_at, updated_at)
       VALUES ($id, 1, 'Plan', 'plan', 'String', now(), now())`,
      { id },
    );
    expect((await app.ask(dashboardAt(1))).json.variables).toEqual({
      [id]: { code_name: 'plan', variableId: id, value: 1 },
    });
  });

  test('is refused with invalid parameters, by their names', async () => {
    const app = await openTestApp();
    await makeDashboard(app);
    for (const [query, code] of [
      ['filters_override={', 'invalid_input'],
      ['filters_override=[]', 'invalid_input'],
      ['variables_override=7', 'invalid_input'],
      ['layoutSize=xl', 'invalid_choice'],
      ['refresh=now', 'invalid_choice'],
    ]) {
      const attr = query!.split('=')[0];
      const answer = await app.ask(`${dashboardAt(1)}?${encodeURI(query!)}`);
      expect(answer).toMatchObject({ status: 400, json: { code, attr } });
    }
    for (const refresh of ['', 'force_cache', 'blocking', 'true', 'lazy_async'])
      expect((await app.ask(`${dashboardAt(1)}?refresh=${refresh}`)).status).toBe(200);
  });

  test('is streamed tile by tile', async () => {
    const app = await openTestApp();
    await makeDashboard(app, [{ text: { body: 'One' } }, { text: { body: 'Two' } }]);
    const { headers, text } = await app.ask(dashboardAt(1, 'stream_tiles/'));
    expect(headers['content-type']).toContain('text/event-stream');
    const messages = text
      .trim()
      .split('\n\n')
      .map((event) => JSON.parse(event.replace('data: ', '')));
    expect(messages.map(({ type }) => type)).toEqual(['metadata', 'tile', 'tile', 'complete']);
    expect(messages[0].dashboard).toMatchObject({ id: 1, name: 'Weekly' });
    expect(messages[2]).toMatchObject({ order: 1, tile: { text: { body: 'Two' } } });
  });

  test('cannot be deleted permanently: DELETE is 405 and empty, for every caller and every id', async () => {
    const app = await openTestApp();
    await makeDashboard(app);
    for (const id of [1, 77])
      for (const key of [app.key, null])
        expect(await app.ask(dashboardAt(id), { method: 'DELETE', key })).toMatchObject({
          status: 405,
          text: '',
          headers: { allow: 'GET, PUT, PATCH, HEAD, OPTIONS' },
        });
    expect((await app.ask(dashboardAt(1))).status).toBe(200);
  });
});

describe('a change of a dashboard', () => {
  test('changes the sent fields and keeps the others', async () => {
    const app = await openTestApp();
    await postDashboard(app, { name: 'Weekly', tags: ['a'], filters: { date_from: '-7d' } });
    const { status, json } = await patchDashboard(app, 1, { description: 'All', filters: {} });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: 'Weekly', description: 'All', tags: ['a'], filters: {} });
    const put = await app.ask(dashboardAt(1), { method: 'PUT', body: { name: 'Daily', tags: [] } });
    expect(put.json).toMatchObject({ name: 'Daily', description: 'All', tags: [] });
    expect((await app.ask(dashboardAt(1))).json).toEqual(put.json);
  });

  test('ignores template or source, and refuses both together', async () => {
    const app = await openTestApp();
    await makeDashboard(app);
    const { json } = await patchDashboard(app, 1, { use_template: 'DEFAULT_APP' });
    expect(json).toMatchObject({
      use_template: '',
      use_dashboard: null,
      creation_mode: 'default',
      tiles: [],
    });
    const both = await patchDashboard(app, 1, { use_template: 'DEFAULT_APP', use_dashboard: 1 });
    expect(both).toMatchObject({ status: 400, json: { code: 'invalid_input', attr: null } });
  });

  test('of an unknown dashboard is not found, whatever the body is', async () => {
    const app = await openTestApp();
    expect(await patchDashboard(app, 9, { name: [] })).toMatchObject({ status: 404 });
    expect(await patchDashboard(app, 9, '{')).toMatchObject({ status: 404 });
  });

  test('is logged with the values before and after; an unchanged dashboard is not logged', async () => {
    const app = await openTestApp();
    await postDashboard(app, { name: 'Weekly' });
    await patchDashboard(app, 1, { name: 'Daily', pinned: false });
    await patchDashboard(app, 1, { name: 'Daily' });
    const rows = await app.store.db.all<{ activity: string; detail: string }>(
      `SELECT activity, detail FROM activity_log WHERE scope = 'Dashboard' AND item_id = '1' ORDER BY id`,
    );
    expect(rows.map(({ activity, detail }) => [activity, JSON.parse(detail)])).toEqual([
      ['created', { name: 'Weekly', short_id: null, changes: [] }],
      [
        'updated',
        {
          name: 'Daily',
          short_id: null,
          changes: [
            { type: 'Dashboard', action: 'changed', field: 'name', before: 'Weekly', after: 'Daily' },
          ],
        },
      ],
    ]);
  });
});
