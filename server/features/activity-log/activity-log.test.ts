import { describe, expect, test } from 'vitest';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';
import { activityPage, historyPage } from './activity-log.contract.ts';

const P = '/api/projects/1/';
const LOG = `${P}activity_log/`;
const NOON = '2026-11-20T09:30:00.000000Z';

const send = (app: TestApp, method: string, path: string, body: object = {}) =>
  app.ask(path, { method, body });

async function createAction(app: TestApp, name: string): Promise<number> {
  return (await send(app, 'POST', `${P}actions/`, { name })).json.id;
}

async function createAnnotation(app: TestApp, content: string): Promise<number> {
  return (await send(app, 'POST', `${P}annotations/`, { content })).json.id;
}

const list = async (app: TestApp, query = '') =>
  activityPage.parse((await app.ask(LOG + query)).json).results;

/** `activity scope name`, newest first. */
async function told(app: TestApp, query = ''): Promise<string[]> {
  return (await list(app, query)).map(({ activity, scope, detail }) => `${activity} ${scope} ${detail.name}`);
}

function errorOf({ status, json }: { status: number; json: any }) {
  return { status, code: json.code, attr: json.attr };
}

describe('each change', () => {
  test('is logged with user, time, and the values before and after', async () => {
    const app = await openTestApp();
    const { json: owner } = await app.ask('/api/users/@me/');
    const id = await createAction(app, 'Signed up');
    await send(app, 'PATCH', `${P}actions/${id}/`, { name: 'Joined', description: 'new', tags: [] });
    const [updated, created] = await list(app);
    expect(updated).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      user: expect.objectContaining({ id: owner.id, email: owner.email }),
      activity: 'updated',
      scope: 'Action',
      item_id: String(id),
      detail: {
        name: 'Joined',
        short_id: null,
        changes: [
          { type: 'Action', action: 'changed', field: 'name', before: 'Signed up', after: 'Joined' },
          { type: 'Action', action: 'changed', field: 'description', before: '', after: 'new' },
        ],
      },
      created_at: NOON,
      is_system: false,
      unread: false,
      project_id: 1,
    });
    expect(created).toMatchObject({ activity: 'created', detail: { name: 'Signed up', changes: [] } });
  });

  test('has its own activity name for deleting and restoring', async () => {
    const app = await openTestApp();
    const id = await createAnnotation(app, 'Release');
    await send(app, 'PATCH', `${P}annotations/${id}/`, { deleted: true });
    await send(app, 'PATCH', `${P}annotations/${id}/`, { deleted: false });
    const variable = (await send(app, 'POST', `${P}insight_variables/`, { name: 'Plan', type: 'String' }))
      .json;
    await app.ask(`${P}insight_variables/${variable.id}/`, { method: 'DELETE' });
    expect(await told(app)).toEqual([
      'deleted InsightVariable Plan',
      'created InsightVariable Plan',
      'restored Annotation Release',
      'deleted Annotation Release',
      'created Annotation Release',
    ]);
  });

  test('that changed no value, or was refused, is not logged', async () => {
    const app = await openTestApp();
    const id = await createAction(app, 'A');
    await send(app, 'PATCH', `${P}actions/${id}/`, { name: 'A' });
    await send(app, 'PATCH', `${P}actions/${id}/`, { name: '' });
    await send(app, 'POST', `${P}actions/`, { name: 'A' });
    expect(await told(app)).toEqual(['created Action A']);
  });
});

describe('the log of a project', () => {
  test('has pages with URLs of the next and the previous', async () => {
    const app = await openTestApp();
    for (const name of ['a', 'b', 'c']) await createAction(app, name);
    const { json: first } = await app.ask(`${LOG}?limit=2&scope=Action`);
    expect(first).toMatchObject({
      count: 3,
      previous: null,
      next: `${app.url}${LOG}?limit=2&scope=Action&offset=2`,
    });
    const { json: second } = await app.ask(first.next.slice(app.url.length));
    expect(second.results.map((entry: any) => entry.detail.name)).toEqual(['a']);
    expect(second).toMatchObject({ next: null, previous: `${app.url}${LOG}?limit=2&scope=Action` });
  });

  test('is found by object, activity, name and person', async () => {
    const app = await openTestApp();
    const { json: owner } = await app.ask('/api/users/@me/');
    const action = await createAction(app, 'Signed up');
    await createAnnotation(app, 'Release');
    await send(app, 'PATCH', `${P}actions/${action}/`, { name: 'Joined' });
    const [updated, annotated, created] = await told(app);
    expect(await told(app, '?scope=Annotation')).toEqual([annotated]);
    expect(await told(app, '?scopes=Action,Annotation')).toEqual([updated, annotated, created]);
    expect(await told(app, `?scope=Action&item_id=${action}`)).toEqual([updated, created]);
    expect(await told(app, '?activity=updated')).toEqual([updated]);
    expect(await told(app, '?activities=updated,deleted')).toEqual([updated]);
    expect(await told(app, '?search=JOIN')).toEqual([updated]);
    expect(await told(app, `?user=${owner.id}`)).toHaveLength(3);
    expect(await told(app, `?user=${owner.uuid}`)).toHaveLength(3);
    expect(await told(app, '?user=99')).toEqual([]);
    expect(await told(app, '?scope=Notebook')).toEqual([]);
    expect(errorOf(await app.ask(`${LOG}?user=ada`))).toEqual({
      status: 400,
      code: 'invalid_input',
      attr: 'user',
    });
  });

  test('is filtered by time; days are whole days of the project', async () => {
    const app = await openTestApp();
    await createAction(app, 'first');
    app.clock.now = Date.UTC(2026, 10, 21, 23, 30);
    await createAction(app, 'second');
    const [second, first] = await told(app);
    expect(await told(app, '?date_from=2026-11-21')).toEqual([second]);
    expect(await told(app, '?date_to=2026-11-20')).toEqual([first]);
    expect(await told(app, '?date_from=2026-11-20&date_to=2026-11-21')).toEqual([second, first]);
    expect(await told(app, '?start_date=2026-11-21T23:30:00Z')).toEqual([second]);
    expect(await told(app, '?end_date=2026-11-20T09:30:00Z')).toEqual([first]);
    expect(await told(app, '?date_from=-1d')).toEqual([second]);
    const wrong = { status: 400, code: 'invalid_input' };
    for (const day of ['yesterday', '2026-02-31T00:00:00Z', '2026-02-31']) {
      expect(errorOf(await app.ask(`${LOG}?date_to=${day}`))).toMatchObject({ ...wrong, attr: 'date_to' });
    }
  });

  test('has no entries of other projects', async () => {
    const app = await openTestApp();
    const { json: project } = await send(app, 'POST', '/api/organizations/@current/projects/', {
      name: 'Second',
    });
    await createAction(app, 'here');
    const { json } = await app.ask(`/api/projects/${project.id}/activity_log/?scope=Action`);
    expect(json.results).toEqual([]);
  });
});

describe('the history', () => {
  test('of one object has numbered pages of ten', async () => {
    const app = await openTestApp();
    const id = await createAction(app, 'a0');
    await createAction(app, 'other');
    for (let n = 1; n <= 11; n++) await send(app, 'PATCH', `${P}actions/${id}/`, { name: `a${n}` });
    const path = `${P}actions/${id}/activity/`;
    const first = historyPage.parse((await app.ask(path)).json);
    expect(first.results.map(({ detail }) => detail.name)).toEqual(
      Array.from({ length: 10 }, (_, n) => `a${11 - n}`),
    );
    expect(first).toMatchObject({
      count: 12,
      total_count: 12,
      previous: null,
      next: `${app.url}${path}?limit=10&page=2`,
    });
    const second = historyPage.parse((await app.ask(`${path}?page=2`)).json);
    expect(second.results.map(({ detail }) => detail.name)).toEqual(['a1', 'a0']);
    expect(second).toMatchObject({ next: null, previous: `${app.url}${path}?page=1&limit=10` });
    expect((await app.ask(`${path}?page=x&limit=0`)).json.results).toHaveLength(10);
    expect((await app.ask(`${path}?page=9`)).json).toMatchObject({ count: 12, results: [] });
  });

  test('of all objects of a kind has only entries of that kind', async () => {
    const app = await openTestApp();
    await createAction(app, 'a');
    await createAnnotation(app, 'b');
    const { json } = await app.ask('/api/environments/1/annotations/activity/');
    expect(historyPage.parse(json).results.map(({ detail }) => detail.name)).toEqual(['b']);
  });

  test.each(['dashboards', 'insights', 'feature_flags', 'cohorts', 'actions', 'annotations'])(
    'of an unknown object of %s is a 404',
    async (segment) => {
      const app = await openTestApp();
      expect(errorOf(await app.ask(`${P}${segment}/99/activity/`))).toMatchObject({ status: 404 });
      expect(errorOf(await app.ask(`${P}${segment}/x/activity/`))).toMatchObject({ status: 404 });
      expect(historyPage.parse((await app.ask(`${P}${segment}/activity/`)).json).count).toBe(0);
    },
  );

  test('of a deleted object is a 404, as the object is', async () => {
    const app = await openTestApp();
    const id = await createAction(app, 'a');
    await send(app, 'PATCH', `${P}actions/${id}/`, { deleted: true });
    expect((await app.ask(`${P}actions/${id}/activity/`)).status).toBe(404);
  });
});

test('the log needs the scope activity_log:read', async () => {
  const app = await openTestApp();
  const keyWith = async (...scopes: string[]) =>
    (await send(app, 'POST', '/api/personal_api_keys/', { label: 'one', scopes })).json.value;
  const reader = await keyWith('activity_log:read');
  const other = await keyWith('action:write');
  for (const path of [LOG, `${P}actions/activity/`, `${P}activity/`]) {
    expect((await app.ask(path, { key: reader })).status).toBe(200);
    const refused = await app.ask(path, { key: other });
    expect(refused.json.detail).toContain("missing required scope 'activity_log:read'");
  }
});
