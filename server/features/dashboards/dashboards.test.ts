import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp, type TestRequest } from '../../../test/support/test-app.ts';

const LIST = '/api/projects/1/dashboards/';
const at = (id: number | string) => `${LIST}${id}/`;
const post = (app: TestApp, body: unknown = {}) => app.ask(LIST, { method: 'POST', body });
const patch = (app: TestApp, id: number, body: unknown, request: TestRequest = {}) =>
  app.ask(at(id), { method: 'PATCH', body, ...request });

describe('a new dashboard', () => {
  test('needs nothing said of it', async () => {
    const app = await openTestApp();
    const made = await post(app);
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ id: 1, name: '', description: '', pinned: false, tiles: [] });
    expect((await app.ask(at(1))).json).toEqual(made.json);
  });

  test('is what was said of it, in the coerced forms that clients send', async () => {
    const app = await openTestApp();
    const body = {
      name: 7,
      description: 'Team KPIs',
      pinned: 'true',
      tags: ['Ops ', 'ops'],
      restriction_level: '37',
      filters: { date_from: '-7d' },
      is_shared: true,
    };
    expect((await post(app, body)).json).toEqual({
      id: 1,
      name: '7',
      description: 'Team KPIs',
      pinned: true,
      created_at: '2026-11-20T09:30:00.000000Z',
      created_by: expect.objectContaining({ id: 1 }),
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

  test.each([
    [{ description: null }, 'null', 'description'],
    [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
    [{ name: true }, 'invalid_input', 'name'],
    [{ pinned: 'perhaps' }, 'invalid_input', 'pinned'],
    [{ restriction_level: 99 }, 'invalid_choice', 'restriction_level'],
    [{ restriction_level: '' }, 'invalid_choice', 'restriction_level'],
    [{ tags: 'ops' }, 'not_a_list', 'tags'],
    [{ tags: ['x'.repeat(256)] }, 'max_length', 'tags__0'],
    [{ variables: [] }, 'not_a_dict', 'variables'],
    [{ filters: [] }, 'invalid_input', null],
    [{ use_dashboard: '' }, 'invalid_input', 'use_dashboard'],
    [{ use_template: 'DEFAULT_APP', use_dashboard: 1 }, 'invalid_input', null],
  ])('%j is refused: %s at %s', async (body, code, attr) => {
    const app = await openTestApp();
    expect(await post(app, body)).toMatchObject({ status: 400, json: { code, attr } });
    expect((await app.ask(LIST)).json.count).toBe(0);
  });
});

describe('the list', () => {
  test('shows pinned ones first, then by name, and pages', async () => {
    const app = await openTestApp();
    for (const body of [{ name: 'b' }, { name: 'a' }, { name: 'c', pinned: true }]) await post(app, body);
    const { json } = await app.ask(`${LIST}?limit=2`);
    expect(json).toMatchObject({ count: 3, previous: null });
    expect(json.results.map(({ name }: { name: string }) => name)).toEqual(['c', 'a']);
    expect(json.next).toBe(`${app.url}${LIST}?limit=2&offset=2`);
  });
});

describe('a change', () => {
  test('names the fields that it means', async () => {
    const app = await openTestApp();
    await post(app, { name: 'Weekly', tags: ['a'], filters: { date_from: '-7d' } });
    const { status, json } = await patch(app, 1, { description: 'All', filters: {} });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: 'Weekly', description: 'All', tags: ['a'], filters: {} });
  });
});
