import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { dashboardTemplate, dashboardTemplatePage } from './dashboard-templates.contract.ts';

const PATH = '/api/projects/1/dashboard_templates/';
const TILES = [{ type: 'TEXT', body: 'Hello', layouts: {} }];
const STARTER = {
  template_name: 'Starter',
  dashboard_description: 'Basics',
  dashboard_filters: {},
  tiles: TILES,
};

function post(app: TestApp, body: object, path = PATH) {
  return app.ask(path, { method: 'POST', body });
}

async function create(app: TestApp, change: object = {}, path = PATH) {
  const answer = await post(app, { ...STARTER, ...change }, path);
  expect(answer.status).toBe(201);
  return dashboardTemplate.parse(answer.json);
}

function patch(app: TestApp, id: string, body: object) {
  return app.ask(`${PATH}${id}/`, { method: 'PATCH', body });
}

async function names(app: TestApp, search = '', path = PATH): Promise<string[]> {
  const answer = await app.ask(path + search);
  expect(answer.status).toBe(200);
  return dashboardTemplatePage.parse(answer.json).results.map((template) => template.template_name);
}

async function otherProject(app: TestApp): Promise<string> {
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Other' },
  });
  return `/api/projects/${made.json.id}/dashboard_templates/`;
}

describe('6 a template', () => {
  test('is stored with the sent fields, for its project, and found by its id in both families', async () => {
    const app = await openTestApp();
    const made = await create(app, { tags: ['Ops '], variables: null, image_url: 'http://localhost/a.png' });
    expect(made).toMatchObject({
      ...STARTER,
      tags: ['ops'],
      variables: null,
      deleted: false,
      created_by: 1,
      image_url: 'http://localhost/a.png',
      team_id: 1,
      scope: 'team',
    });
    for (const family of ['projects', 'environments']) {
      expect((await app.ask(`/api/${family}/1/dashboard_templates/${made.id}`)).json).toEqual(made);
    }
  });

  test.each([
    [{}, 'invalid_input', null],
    [{ template_name: 'Starter' }, 'invalid_input', null],
    [{ template_name: 'Starter', tiles: [] }, 'invalid_input', null],
    [{ tiles: TILES }, 'required', 'template_name'],
    [{ ...STARTER, template_name: '' }, 'blank', 'template_name'],
    [{ ...STARTER, template_name: 'x'.repeat(401) }, 'max_length', 'template_name'],
    [{ ...STARTER, tiles: 'a' }, 'not_a_list', 'tiles'],
    [{ ...STARTER, tiles: ['a'] }, 'not_a_dict', 'tiles__0'],
    [{ ...STARTER, dashboard_filters: [] }, 'not_a_dict', 'dashboard_filters'],
    [{ ...STARTER, scope: 'galaxy' }, 'invalid_choice', 'scope'],
    [{ ...STARTER, variables: [{ id: 'A' }] }, 'required', 'variables__0__name'],
    [{ ...STARTER, tags: 'a' }, 'not_a_list', 'tags'],
  ])('%j is refused', async (body, code, attr) => {
    const app = await openTestApp();
    expect(await post(app, body)).toMatchObject({
      status: 400,
      json: { type: 'validation_error', code, attr },
    });
    expect(await names(app)).toEqual(['Product analytics', 'Website traffic']);
  });

  test('is changed by the fields of a PATCH only', async () => {
    const app = await openTestApp();
    const made = await create(app, { tags: ['a'] });
    const answer = await patch(app, made.id, { dashboard_description: 'More', team_id: 9, created_by: 9 });
    expect(answer).toMatchObject({ status: 200, json: { ...made, dashboard_description: 'More' } });
    expect((await patch(app, made.id, {})).json).toEqual(answer.json);
    expect((await patch(app, made.id, { tiles: [] })).status).toBe(400);
    expect((await app.ask(`${PATH}${made.id}/`, { method: 'PUT', body: { tags: [] } })).json.tags).toEqual(
      [],
    );
  });

  test('is deleted by a PATCH, hidden while deleted, and can be restored', async () => {
    const app = await openTestApp();
    const { id } = await create(app);
    expect(await patch(app, id, { deleted: true })).toMatchObject({ status: 200, json: { deleted: true } });
    expect(await names(app)).not.toContain('Starter');
    expect((await app.ask(`${PATH}${id}/`)).status).toBe(404);
    expect((await patch(app, id, { template_name: 'Other' })).status).toBe(404);
    expect((await patch(app, id, { deleted: false })).status).toBe(200);
    expect(await names(app)).toContain('Starter');
  });

  test('is never deleted permanently', async () => {
    const app = await openTestApp();
    const answer = await app.ask(`${PATH}0199aa10-0000-7000-8000-000000000001/`, {
      method: 'DELETE',
      key: null,
    });
    expect(answer).toMatchObject({ status: 405, text: '' });
  });

  test('that is unknown is not found', async () => {
    const app = await openTestApp();
    expect((await app.ask(`${PATH}0199aa10-0000-7000-8000-000000000001/`)).status).toBe(404);
    expect((await app.ask(`${PATH}starter/`)).status).toBe(404);
  });

  test('writes changes with the user to the activity log', async () => {
    const app = await openTestApp();
    const { id } = await create(app);
    await patch(app, id, { template_name: 'Beginner' });
    await patch(app, id, { deleted: true });
    const rows = await app.store.db.all<{ activity: string; detail: string }>(
      `SELECT activity, detail FROM activity_log WHERE scope = 'DashboardTemplate' ORDER BY created_at, id`,
    );
    expect(rows.map(({ activity }) => activity)).toEqual(['created', 'updated', 'deleted']);
    expect(JSON.parse(rows[1]!.detail)).toMatchObject({
      name: 'Beginner',
      changes: [{ field: 'template_name', before: 'Starter', after: 'Beginner' }],
    });
  });

  test('needs a key that may read or write templates', async () => {
    const app = await openTestApp();
    const scopes = ['dashboard_template:read'];
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'reader', scopes },
    });
    const key = made.json.value;
    expect((await app.ask(PATH, { key })).status).toBe(200);
    expect((await app.ask(PATH, { key, method: 'POST', body: STARTER })).status).toBe(403);
  });
});

describe('6 the list', () => {
  test('shows global templates and those of the project, by name', async () => {
    const app = await openTestApp();
    const other = await otherProject(app);
    await create(app, { template_name: 'Zebra' });
    await create(app, { template_name: 'Ours', scope: 'team' }, other);
    await create(app, { template_name: 'Everybody', scope: 'global' }, other);
    await create(app, { template_name: 'Flag', scope: 'feature_flag' }, other);
    expect(await names(app)).toEqual(['Everybody', 'Product analytics', 'Website traffic', 'Zebra']);
    expect(await names(app, '?scope=global')).toEqual(['Everybody', 'Product analytics', 'Website traffic']);
    expect(await names(app, '?scope=feature_flag')).toEqual(['Flag']);
    expect(await names(app, '?scope=team')).toEqual(['Zebra']);
    expect((await app.ask(`${PATH}?scope=galaxy`)).json).toMatchObject({
      code: 'invalid_choice',
      attr: 'scope',
    });
  });

  test('is searched in names, descriptions and tags', async () => {
    const app = await openTestApp();
    await create(app, {
      template_name: 'Money',
      dashboard_description: 'Plans and prices',
      tags: ['revenue'],
    });
    for (const search of ['MONEY', 'prices', 'reven']) {
      expect(await names(app, `?search=${search}`)).toEqual(['Money']);
    }
    expect(await names(app, '?search=visit')).toEqual(['Website traffic']);
  });

  test('has pages', async () => {
    const app = await openTestApp();
    await create(app);
    const first = (await app.ask(`${PATH}?limit=2`)).json;
    expect(first).toMatchObject({ count: 3, previous: null, results: [{}, {}] });
    const { pathname, search } = new URL(first.next);
    expect(await names(app, search, pathname)).toEqual(['Website traffic']);
  });
});

describe('6 a built-in template', () => {
  const id = '0199aa10-7e00-7000-8000-00000000da01';

  test('is shown as global, without a creator', async () => {
    const app = await openTestApp();
    expect(dashboardTemplate.parse((await app.ask(`${PATH}${id}/`)).json)).toMatchObject({
      template_name: 'Product analytics',
      scope: 'global',
      team_id: null,
      created_by: null,
    });
  });

  test('cannot become private or be changed', async () => {
    const app = await openTestApp();
    expect(await patch(app, id, { scope: 'team' })).toMatchObject({
      status: 400,
      json: { code: 'invalid_input', attr: null },
    });
    expect((await patch(app, id, { template_name: 'Mine' })).status).toBe(403);
  });

  test('of another project is changed there only', async () => {
    const app = await openTestApp();
    const made = await create(app, { scope: 'global' }, await otherProject(app));
    expect((await app.ask(`${PATH}${made.id}/`)).json).toEqual(made);
    expect((await patch(app, made.id, { scope: 'team' })).status).toBe(403);
  });
});

test('6 the JSON schema of templates may be cached for two minutes', async () => {
  const app = await openTestApp();
  const answer = await app.ask(`${PATH}json_schema`);
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'max-age=120' } });
  expect(answer.json).toMatchObject({
    type: 'object',
    required: ['template_name', 'dashboard_description', 'dashboard_filters', 'tiles'],
    properties: { tiles: { type: 'array', minItems: 1 }, variables: {} },
  });
});
