import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { tagNames } from './tags.contract.ts';

const P = '/api/projects/1/';

const send = (app: TestApp, method: string, path: string, body: object) =>
  app.ask(P + path, { method, body });
const tagsFor = async (app: TestApp, key = app.key) =>
  tagNames.parse((await app.ask(`${P}tags/`, { key })).json);

test('the tags of all objects are listed once, in order', async () => {
  const app = await openTestApp();
  expect(await tagsFor(app)).toEqual([]);
  await send(app, 'POST', 'dashboards/', { tags: ['Team', 'alpha'] });
  await send(app, 'POST', 'actions/', { name: 'A', tags: ['team', 'growth'] });
  await send(app, 'POST', 'insights/', { tags: ['weekly'] });
  const body = {
    api_key: TEST_TOKEN,
    batch: [{ event: 'signup', distinct_id: 'u1', properties: { plan: 1 } }],
  };
  await app.ask('/batch/', { method: 'POST', key: null, body });
  for (const [path, tag] of [
    ['event_definitions', 'core'],
    ['property_definitions', 'money'],
  ] as const) {
    const { results } = (await app.ask(`${P}${path}/`)).json;
    await send(app, 'PATCH', `${path}/${results[0].id}/`, { tags: [tag] });
  }
  expect(await tagsFor(app)).toEqual(['alpha', 'core', 'growth', 'money', 'team', 'weekly']);
  expect((await app.ask('/api/environments/1/tags/')).json).toHaveLength(6);
});

test('tags of deleted objects are left out', async () => {
  const app = await openTestApp();
  const { id } = (await send(app, 'POST', 'actions/', { name: 'A', tags: ['gone'] })).json;
  await send(app, 'PATCH', `actions/${id}/`, { deleted: true });
  expect(await tagsFor(app)).toEqual([]);
});

test('a key lists the tags of objects that it can read', async () => {
  const app = await openTestApp();
  await send(app, 'POST', 'dashboards/', { tags: ['on dashboards'] });
  await send(app, 'POST', 'actions/', { name: 'A', tags: ['on actions'] });
  const key = { label: 'one', scopes: ['action:read'] };
  const { value } = (await app.ask('/api/personal_api_keys/', { method: 'POST', body: key })).json;
  expect(await tagsFor(app, value)).toEqual(['on actions']);
});
