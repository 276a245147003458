import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { annotation, annotationPage } from './annotations.contract.ts';

const PATH = '/api/projects/1/annotations/';
const NOON = '2026-11-20T09:30:00.000000Z';

const post = (app: TestApp, body: unknown, path = PATH) => app.ask(path, { method: 'POST', body });
const patch = (app: TestApp, id: number, body: unknown) =>
  app.ask(`${PATH}${id}/`, { method: 'PATCH', body });

async function create(app: TestApp, body: object): Promise<number> {
  const answer = await post(app, body);
  expect(answer.status).toBe(201);
  return annotation.parse(answer.json).id;
}

const contentsIn = async (app: TestApp, query = '', path = PATH) =>
  annotationPage.parse((await app.ask(path + query)).json).results.map(({ content }) => content);

function errorOf({ status, json }: { status: number; json: any }) {
  return { status, type: json.type, code: json.code, attr: json.attr };
}

async function secondProject(app: TestApp): Promise<number> {
  const body = { name: 'Second' };
  return (await app.ask('/api/organizations/@current/projects/', { method: 'POST', body })).json.id;
}

describe('an annotation', () => {
  test('is created, shown and listed with every field', async () => {
    const app = await openTestApp();
    const { json: owner } = await app.ask('/api/users/@me/');
    const answer = await post(app, {
      content: 'Release 1.2',
      date_marker: '2025-03-04T10:00:00+01:00',
      scope: 'project',
    });
    expect(answer.status).toBe(201);
    const release = {
      id: 1,
      content: 'Release 1.2',
      date_marker: '2025-03-04T09:00:00.000000Z',
      creation_type: 'USR',
      dashboard_item: null,
      dashboard_id: null,
      dashboard_name: null,
      insight_short_id: null,
      insight_name: null,
      insight_derived_name: null,
      created_by: expect.objectContaining({ id: owner.id, email: owner.email }),
      created_at: NOON,
      updated_at: NOON,
      deleted: false,
      scope: 'project',
    };
    expect(annotation.parse(answer.json)).toEqual(release);
    expect((await app.ask(`${PATH}1`)).json).toEqual(release);
    const page = (await app.ask('/api/environments/1/annotations/')).json;
    expect(annotationPage.parse(page)).toEqual({ count: 1, next: null, previous: null, results: [release] });
  });

  test('may be empty', async () => {
    const app = await openTestApp();
    const { json } = await post(app, {});
    expect(json).toMatchObject({ content: null, date_marker: null, scope: 'dashboard_item' });
  });

  test('shows the insight and the dashboard to which it is linked', async () => {
    const app = await openTestApp();
    const insight = await post(app, { name: 'Signups' }, '/api/projects/1/insights/');
    const dashboard = await post(app, { name: 'Weekly' }, '/api/projects/1/dashboards/');
    const id = await create(app, { dashboard_item: insight.json.id, dashboard_id: dashboard.json.id });
    expect((await app.ask(`${PATH}${id}/`)).json).toMatchObject({
      dashboard_item: insight.json.id,
      insight_short_id: insight.json.short_id,
      insight_name: 'Signups',
      insight_derived_name: null,
      dashboard_id: dashboard.json.id,
      dashboard_name: 'Weekly',
    });
    expect(await contentsIn(app, `?dashboardItemId=${insight.json.id}`)).toHaveLength(1);
    expect(await contentsIn(app, '?dashboardItemId=99')).toEqual([]);
  });

  test('keeps fields that a PATCH omits', async () => {
    const app = await openTestApp();
    const id = await create(app, { content: 'A', date_marker: '2025-03-04', scope: 'project' });
    app.clock.now += 1000;
    expect((await patch(app, id, { content: null })).json).toMatchObject({
      content: null,
      date_marker: '2025-03-04T00:00:00.000000Z',
      scope: 'project',
      created_at: NOON,
      updated_at: '2026-11-20T09:30:01.000000Z',
    });
  });

  test('is deleted and restored by PATCH', async () => {
    const app = await openTestApp();
    const id = await create(app, { content: 'A' });
    expect((await patch(app, id, { deleted: true })).json).toMatchObject({ id, deleted: true });
    expect(await contentsIn(app)).toEqual([]);
    const gone = { status: 404, type: 'invalid_request', code: 'not_found', attr: null };
    expect(errorOf(await app.ask(`${PATH}${id}/`))).toEqual(gone);
    expect(errorOf(await patch(app, id, { content: 'B' }))).toEqual(gone);
    expect((await patch(app, id, { deleted: false })).json).toMatchObject({ content: 'A', deleted: false });
    expect(await contentsIn(app)).toEqual(['A']);
  });

  test('refuses DELETE with an empty 405, without authentication too', async () => {
    const app = await openTestApp();
    const answer = await app.ask(`${PATH}99/`, { method: 'DELETE', key: null });
    expect(answer).toMatchObject({ status: 405, text: '' });
  });
});

describe('the list of annotations', () => {
  test('has the latest date first, and those without a date last', async () => {
    const app = await openTestApp();
    await create(app, { content: 'none' });
    await create(app, { content: 'old', date_marker: '2025-01-01' });
    await create(app, { content: 'new', date_marker: '2025-02-01' });
    expect(await contentsIn(app)).toEqual(['new', 'old', 'none']);
    expect(await contentsIn(app, '?search=NE')).toEqual(['new', 'none']);
  });

  test('shows those of the whole organization in every project, and others only in theirs', async () => {
    const app = await openTestApp();
    const second = `/api/projects/${await secondProject(app)}/annotations/`;
    const everywhere = await create(app, { content: 'everywhere', scope: 'organization' });
    const here = await create(app, { content: 'here', scope: 'project' });
    expect(await contentsIn(app, '', second)).toEqual(['everywhere']);
    expect((await app.ask(`${second}${everywhere}/`)).status).toBe(200);
    expect((await app.ask(`${second}${here}/`)).status).toBe(404);
    expect(await contentsIn(app, '?scope=organization')).toEqual(['everywhere']);
  });

  test('has pages of a thousand by default', async () => {
    const app = await openTestApp();
    for (const content of ['a', 'b', 'c']) await create(app, { content });
    const { json } = await app.ask(`${PATH}?limit=2`);
    expect(json).toMatchObject({ count: 3, previous: null, next: `${app.url}${PATH}?limit=2&offset=2` });
    expect((await app.ask(`${PATH}?offset=1`)).json.previous).toBe(`${app.url}${PATH}?limit=1000`);
  });

  test('can be filtered by creation time', async () => {
    const app = await openTestApp();
    await create(app, { content: 'first' });
    app.clock.now += 60_000;
    await create(app, { content: 'second' });
    expect(await contentsIn(app, `?after=${NOON}`)).toEqual(['second']);
    expect(await contentsIn(app, '?before=2026-11-20T09:31:00Z')).toEqual(['first']);
    expect(errorOf(await app.ask(`${PATH}?after=soon`))).toMatchObject({ status: 400, attr: 'after' });
  });
});

test.each([
  [{ content: ['x'] }, 'invalid_input', 'content'],
  [{ content: 'x'.repeat(8193) }, 'max_length', 'content'],
  [{ date_marker: '30 February' }, 'invalid_input', 'date_marker'],
  [{ date_marker: 12 }, 'invalid_input', 'date_marker'],
  [{ creation_type: 'BOT' }, 'invalid_choice', 'creation_type'],
  [{ scope: 'planet' }, 'invalid_choice', 'scope'],
  [{ scope: null }, 'null', 'scope'],
  [{ deleted: 'perhaps' }, 'invalid_input', 'deleted'],
  [{ dashboard_item: 'x' }, 'invalid_input', 'dashboard_item'],
  [{ dashboard_item: 99 }, 'does_not_exist', 'dashboard_item'],
  [{ dashboard_id: 99 }, 'does_not_exist', 'dashboard_id'],
])('%j is refused', async (body, code, attr) => {
  const app = await openTestApp();
  expect(errorOf(await post(app, body))).toEqual({ status: 400, type: 'validation_error', code, attr });
  expect(await contentsIn(app)).toEqual([]);
});

test('a key reads with annotation:read and writes with annotation:write', async () => {
  const app = await openTestApp();
  const body = { label: 'reader', scopes: ['annotation:read'] };
  const { value: key } = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json;
  expect((await app.ask(PATH, { key })).status).toBe(200);
  const refused = await app.ask(PATH, { method: 'POST', key, body: {} });
  expect(refused.status).toBe(403);
  expect(refused.json.detail).toContain("missing required scope 'annotation:write'");
});
