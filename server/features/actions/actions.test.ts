import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { action, actionPage } from './actions.contract.ts';

const PATH = '/api/projects/1/actions/';
const NOON = '2026-11-20T09:30:00.000000Z';

const post = (app: TestApp, body: unknown, path = PATH) => app.ask(path, { method: 'POST', body });
const patch = (app: TestApp, id: number, body: unknown) =>
  app.ask(`${PATH}${id}/`, { method: 'PATCH', body });

async function create(app: TestApp, body: object): Promise<number> {
  const answer = await post(app, body);
  expect(answer.status).toBe(201);
  return action.parse(answer.json).id;
}

const namesIn = async (app: TestApp, query = '') =>
  actionPage.parse((await app.ask(PATH + query)).json).results.map(({ name }) => name);

function errorOf({ status, json }: { status: number; json: any }) {
  return { status, type: json.type, code: json.code, attr: json.attr };
}

describe('an action', () => {
  test('is created, shown and listed with every field', async () => {
    const app = await openTestApp();
    const { json: owner } = await app.ask('/api/users/@me/');
    const answer = await post(app, {
      name: ' Signed up ',
      description: 'By the form',
      tags: ['Growth ', 'growth'],
      steps: [{ event: 'signup', url: '/join', url_matching: 'contains', isNew: true }],
    });
    expect(answer.status).toBe(201);
    const signedUp = {
      id: 1,
      name: 'Signed up',
      description: 'By the form',
      tags: ['growth'],
      post_to_slack: false,
      slack_message_format: '',
      steps: [
        {
          event: 'signup',
          properties: [],
          selector: null,
          tag_name: null,
          text: null,
          text_matching: null,
          href: null,
          href_matching: null,
          url: '/join',
          url_matching: 'contains',
        },
      ],
      created_at: NOON,
      created_by: expect.objectContaining({ id: owner.id, email: owner.email }),
      deleted: false,
      is_calculating: false,
      last_calculated_at: NOON,
      team_id: 1,
      is_action: true,
      bytecode_error: null,
      pinned_at: null,
      creation_context: null,
      user_access_level: 'manager',
    };
    expect(action.parse(answer.json)).toEqual(signedUp);
    expect((await app.ask(`${PATH}1`)).json).toEqual(signedUp);
    const page = (await app.ask('/api/environments/1/actions/')).json;
    expect(actionPage.parse(page)).toEqual({ count: 1, next: null, previous: null, results: [signedUp] });
  });

  test('keeps fields that a PATCH omits, and replaces its steps when they are sent', async () => {
    const app = await openTestApp();
    const id = await create(app, { name: 'A', description: 'x', steps: [{ event: 'a' }, { event: 'b' }] });
    app.clock.now += 60_000;
    const renamed = (await patch(app, id, { name: 'B' })).json;
    expect(renamed).toMatchObject({ name: 'B', description: 'x', last_calculated_at: NOON });
    expect(renamed.steps.map(({ event }: { event: string }) => event)).toEqual(['a', 'b']);
    const changed = (await patch(app, id, { steps: [{ event: 'c' }] })).json;
    expect(changed.steps.map(({ event }: { event: string }) => event)).toEqual(['c']);
    expect(changed.last_calculated_at).toBe('2026-11-20T09:31:00.000000Z');
    expect((await patch(app, id, { steps: [] })).json.steps).toEqual([]);
  });

  test('is pinned at the current time, whatever time was sent, and unpinned by null', async () => {
    const app = await openTestApp();
    const id = await create(app, { name: 'A' });
    expect((await patch(app, id, { pinned_at: '2020-01-01T00:00:00Z' })).json.pinned_at).toBe(NOON);
    expect((await patch(app, id, { name: 'B' })).json.pinned_at).toBe(NOON);
    expect((await patch(app, id, { pinned_at: null })).json.pinned_at).toBeNull();
  });

  test('is replaced by PUT, with its name', async () => {
    const app = await openTestApp();
    const id = await create(app, { name: 'A', description: 'x' });
    const put = (body: object) => app.ask(`${PATH}${id}/`, { method: 'PUT', body });
    expect((await put({ name: 'B' })).json).toMatchObject({ name: 'B', description: 'x' });
    expect(errorOf(await put({ description: 'y' }))).toMatchObject({
      status: 400,
      code: 'required',
      attr: 'name',
    });
  });
});

describe('the name of an action', () => {
  test('is unique among the live actions of its project', async () => {
    const app = await openTestApp();
    const id = await create(app, { name: 'Signed up' });
    const unique = { status: 400, type: 'validation_error', code: 'unique', attr: 'name' };
    expect(errorOf(await post(app, { name: 'Signed up' }))).toEqual(unique);
    const other = await create(app, { name: 'Other' });
    expect(errorOf(await patch(app, other, { name: 'Signed up' }))).toEqual(unique);
    expect((await patch(app, id, { name: 'Signed up', description: 'itself' })).status).toBe(200);
    const { json: project } = await app.ask('/api/organizations/@current/projects/', {
      method: 'POST',
      body: { name: 'Second' },
    });
    expect((await post(app, { name: 'Signed up' }, `/api/projects/${project.id}/actions/`)).status).toBe(201);
  });

  test('is available again once its action is deleted, which then cannot be restored', async () => {
    const app = await openTestApp();
    const id = await create(app, { name: 'Signed up' });
    await patch(app, id, { deleted: true });
    const second = await create(app, { name: 'Signed up' });
    expect(errorOf(await patch(app, id, { deleted: false }))).toMatchObject({ code: 'unique', attr: 'name' });
    await patch(app, second, { deleted: true });
    expect((await patch(app, id, { deleted: false })).json).toMatchObject({ id, deleted: false });
  });
});

describe('deleting an action', () => {
  test('is done by PATCH: it is missing from the list and by its id, until it is restored', async () => {
    const app = await openTestApp();
    const id = await create(app, { name: 'A' });
    expect((await patch(app, id, { deleted: true })).json).toMatchObject({ id, deleted: true });
    expect(await namesIn(app)).toEqual([]);
    const gone = { status: 404, type: 'invalid_request', code: 'not_found', attr: null };
    expect(errorOf(await app.ask(`${PATH}${id}/`))).toEqual(gone);
    expect(errorOf(await patch(app, id, { name: 'B' }))).toEqual(gone);
    expect(errorOf(await patch(app, id, { deleted: true }))).toEqual(gone);
    expect((await patch(app, id, { deleted: 'false', name: 'B' })).json).toMatchObject({ name: 'B' });
    expect(await namesIn(app)).toEqual(['B']);
  });

  test.each([null, 'phx_unknown', undefined])(
    'by DELETE is refused with an empty 405 (key %s)',
    async (key) => {
      const app = await openTestApp();
      const answer = await app.ask(`${PATH}99/`, { method: 'DELETE', ...(key === undefined ? {} : { key }) });
      expect(answer).toMatchObject({ status: 405, text: '' });
      expect(answer.headers['allow']).toBe('GET, PUT, PATCH, HEAD, OPTIONS');
    },
  );
});

test('actions are listed by when their steps were last set, then by name, in pages', async () => {
  const app = await openTestApp();
  await create(app, { name: 'Old' });
  app.clock.now += 1000;
  await create(app, { name: 'b' });
  await create(app, { name: 'a' });
  expect(await namesIn(app)).toEqual(['a', 'b', 'Old']);
  const { json } = await app.ask(`${PATH}?limit=2`);
  expect(json).toMatchObject({ count: 3, previous: null, next: `${app.url}${PATH}?limit=2&offset=2` });
  expect(await namesIn(app, '?limit=2&offset=2')).toEqual(['Old']);
  expect(await namesIn(app, '?search=OL')).toEqual(['Old']);
  expect(await namesIn(app, '?offset=9')).toEqual([]);
});

describe('invalid actions', () => {
  test.each([
    [{}, 'required', 'name'],
    [{ name: null }, 'null', 'name'],
    [{ name: ' ' }, 'blank', 'name'],
    [{ name: true }, 'invalid_input', 'name'],
    [{ name: 'x'.repeat(401) }, 'max_length', 'name'],
    [{ name: 'A', description: null }, 'null', 'description'],
    [{ name: 'A', description: ['x'] }, 'invalid_input', 'description'],
    [{ name: 'A', tags: 'x' }, 'not_a_list', 'tags'],
    [{ name: 'A', tags: [1] }, 'invalid_input', 'tags__0'],
    [{ name: 'A', post_to_slack: 'perhaps' }, 'invalid_input', 'post_to_slack'],
    [{ name: 'A', slack_message_format: 'x'.repeat(1201) }, 'max_length', 'slack_message_format'],
    [{ name: 'A', steps: {} }, 'not_a_list', 'steps'],
    [{ name: 'A', steps: ['x'] }, 'not_a_dict', 'steps__0'],
    [{ name: 'A', steps: [{}, { event: ['x'] }] }, 'invalid_input', 'steps__1__event'],
    [{ name: 'A', steps: [{ url_matching: 'like' }] }, 'invalid_choice', 'steps__0__url_matching'],
    [{ name: 'A', steps: [{ properties: {} }] }, 'not_a_list', 'steps__0__properties'],
    [{ name: 'A', steps: [{ properties: [1] }] }, 'not_a_dict', 'steps__0__properties__0'],
    [{ name: 'A', deleted: 2 }, 'invalid_input', 'deleted'],
    [{ name: 'A', pinned_at: 'now' }, 'invalid_input', 'pinned_at'],
  ])('%j is refused', async (body, code, attr) => {
    const app = await openTestApp();
    expect(errorOf(await post(app, body))).toEqual({ status: 400, type: 'validation_error', code, attr });
    expect(await namesIn(app)).toEqual([]);
  });

  test('unknown and read-only keys are ignored', async () => {
    const app = await openTestApp();
    const answer = await post(app, { name: 'A', id: 7, is_calculating: true, created_by: 5, nonsense: 1 });
    expect(answer.json).toMatchObject({ id: 1, is_calculating: false });
  });
});

describe('permissions', () => {
  async function keyWith(app: TestApp, ...scopes: string[]): Promise<string> {
    const body = { label: 'one', scopes };
    return (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json.value;
  }

  test('a key reads with action:read and writes with action:write', async () => {
    const app = await openTestApp();
    const reader = await keyWith(app, 'action:read');
    const writer = await keyWith(app, 'action:write');
    const stranger = await keyWith(app, 'annotation:write');
    const body = { name: 'A' };
    expect((await app.ask(PATH, { key: reader })).status).toBe(200);
    const refused = await app.ask(PATH, { method: 'POST', key: reader, body });
    expect(errorOf(refused)).toMatchObject({ status: 403, code: 'permission_denied' });
    expect(refused.json.detail).toContain("missing required scope 'action:write'");
    expect((await app.ask(PATH, { method: 'POST', key: writer, body })).status).toBe(201);
    expect((await app.ask(PATH, { key: writer })).status).toBe(200);
    expect((await app.ask(PATH, { key: stranger })).status).toBe(403);
  });

  test('an action of another project, or an unknown one, is a 404', async () => {
    const app = await openTestApp();
    const id = await create(app, { name: 'A' });
    const { json: project } = await app.ask('/api/organizations/@current/projects/', {
      method: 'POST',
      body: { name: 'Second' },
    });
    for (const path of [
      `/api/projects/${project.id}/actions/${id}/`,
      `${PATH}99/`,
      `${PATH}x/`,
      `${PATH}0/`,
    ]) {
      expect(errorOf(await app.ask(path))).toMatchObject({ status: 404, code: 'not_found' });
    }
    expect(errorOf(await app.ask(`${PATH}99/`, { method: 'PATCH', body: '{' }))).toMatchObject({
      status: 404,
    });
  });
});

test('only one of concurrent requests with the same name creates an action', async () => {
  const app = await openTestApp();
  const answers = await Promise.all(Array.from({ length: 5 }, () => post(app, { name: 'Same' })));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 400, 400, 400, 400]);
});
