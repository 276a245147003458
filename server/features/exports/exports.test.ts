import { expect, test } from 'vitest';
import { addMember } from '../../../test/support/members.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const EXPORTS = '/api/projects/1/burrow/exports/';

async function ended(app: TestApp, id: string, path = EXPORTS) {
  const state = async () => (await app.ask(`${path}${id}/`)).json.state as string;
  await expect.poll(state, { timeout: 20_000 }).not.toBe('running');
  return (await app.ask(`${path}${id}/`)).json;
}

async function start(app: TestApp, body: object = {}, path = EXPORTS): Promise<string> {
  const { status, json } = await app.ask(path, { method: 'POST', body });
  expect(status).toBe(201);
  return json.id as string;
}

async function capture(app: TestApp, count: number): Promise<void> {
  const batch = Array.from({ length: count }, (_, at) => ({ event: 'opened', distinct_id: `u${at % 7}` }));
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
}

test('M9.12/export an archive is downloaded, replaced by the next one, and deleted', async () => {
  const app = await openTestApp();
  await capture(app, 20);
  const first = await start(app);
  expect(await ended(app, first)).toMatchObject({
    state: 'done',
    name: 'Default-2026-11-20.zip',
    progress: 1,
    exported_events: 20,
    exported_persons: 7,
    problem: null,
  });
  const file = await app.ask(`${EXPORTS}${first}/file/`);
  expect([file.status, file.headers['content-type'], file.text.startsWith('PK')]).toEqual([
    200,
    'application/zip',
    true,
  ]);
  const second = await start(app, { format: 'parquet', events: ['other'] });
  expect(await ended(app, second)).toMatchObject({ state: 'done', exported_events: 0 });
  expect((await app.ask(EXPORTS)).json.results.map(({ id }: { id: string }) => id)).toEqual([second]);
  expect((await app.ask(`${EXPORTS}${first}/file/`)).status).toBe(404);
  expect((await app.ask(`${EXPORTS}${second}/`, { method: 'DELETE' })).status).toBe(204);
  expect((await app.ask(EXPORTS)).json).toEqual({ results: [] });
});

test('one export runs at a time; a canceled one has no archive', async () => {
  const app = await openTestApp();
  await capture(app, 2_000);
  const id = await start(app);
  expect((await app.ask(EXPORTS, { method: 'POST', body: {} })).json.detail).toContain('Another export');
  const canceled = await app.ask(`${EXPORTS}${id}/cancel/`, { method: 'POST' });
  expect(canceled.json).toMatchObject({ state: 'canceled', bytes: null, problem: null });
  expect((await app.ask(`${EXPORTS}${id}/file/`)).status).toBe(404);
  expect(await ended(app, await start(app))).toMatchObject({ state: 'done', exported_events: 2_000 });
});

test('a time that is none, or an unknown format, is refused', async () => {
  const app = await openTestApp();
  for (const [body, attr] of [
    [{ from: 'soon' }, 'from'],
    [{ to: '2026-02-30' }, 'to'],
    [{ format: 'xml' }, 'format'],
    [{ events: [] }, 'events'],
  ] as const) {
    const { status, json } = await app.ask(EXPORTS, { method: 'POST', body });
    expect([status, json.attr]).toEqual([400, attr]);
  }
  expect((await app.ask(EXPORTS)).json).toEqual({ results: [] });
});

test('members and keys with narrow scopes may neither start, list nor download an export', async () => {
  const app = await openTestApp();
  const id = await start(app);
  await ended(app, id);
  const member = await addMember(app, 'lin@local.test');
  const made = await app.ask('/api/personal_api_keys/', {
    method: 'POST',
    body: { label: 'narrow', scopes: ['project:write', 'query:read'] },
  });
  for (const key of [member.key, made.json.value as string])
    for (const [path, method] of [
      [EXPORTS, 'GET'],
      [EXPORTS, 'POST'],
      [`${EXPORTS}${id}/`, 'GET'],
      [`${EXPORTS}${id}/file/`, 'GET'],
      [`${EXPORTS}${id}/`, 'DELETE'],
    ] as const)
      expect((await app.ask(path, { method, key })).status, `${method} ${path}`).toBe(403);
});

test('an export is of its project only, and goes with it', async () => {
  const app = await openTestApp();
  await capture(app, 5);
  const made = await app.ask('/api/organizations/@current/projects/', {
    method: 'POST',
    body: { name: 'Other' },
  });
  const other = `/api/projects/${made.json.id}/burrow/exports/`;
  const id = await start(app, {}, other);
  expect(await ended(app, id, other)).toMatchObject({ state: 'done', exported_events: 0 });
  expect((await app.ask(`${EXPORTS}${id}/file/`)).status).toBe(404);
  const path = `/api/projects/${made.json.id}/`;
  expect((await app.ask(path, { method: 'DELETE' })).status).toBe(204);
  expect((await app.ask(`${other}${id}/`)).status).toBe(404);
});
