import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import type { LiveEvent } from '../capture/index.ts';

const PATH = '/api/projects/1/burrow/capture_settings/';

function put(app: TestApp, inspectOnly: boolean) {
  return app.ask(PATH, { method: 'PUT', body: { inspect_only: inspectOnly } });
}

function capture(app: TestApp, batch: readonly object[]) {
  return app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
}

const SIGNED_UP = {
  event: 'signed up',
  distinct_id: 'u1',
  properties: { $lib: 'web', $set: { plan: 'free' } },
};

/** The events that the live view is given, as they come. */
function watch(app: TestApp): LiveEvent[] {
  const seen: LiveEvent[] = [];
  const { capture } = app.app.features.list.find(({ name }) => name === 'capture') as unknown as {
    capture: { watch(subscriber: object): () => void };
  };
  capture.watch({ projectId: 1, filters: [], onEvents: (events: LiveEvent[]) => seen.push(...events) });
  return seen;
}

async function rowsOf(app: TestApp, tables: readonly string[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const row = await app.store.db.first<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
    if (row!.n > 0) counts[table] = row!.n;
  }
  return counts;
}

const TABLES = ['all_events', 'persons', 'person_distinct_ids', 'event_definitions', 'property_definitions'];

test('events are acknowledged and shown live, counted as inspected, and not stored', async () => {
  const app = await openTestApp();
  expect((await put(app, true)).json).toEqual({ inspect_only: true });
  const seen = watch(app);
  const answer = await capture(app, [SIGNED_UP, SIGNED_UP, { event: '', distinct_id: 'u1' }]);
  expect(answer).toMatchObject({ status: 200, json: { status: 1 } });
  await expect.poll(() => seen.map(({ event }) => event)).toEqual(['signed up', 'signed up']);
  expect(await rowsOf(app, TABLES)).toEqual({});
  const report = (await app.ask('/api/projects/1/burrow/ingestion/')).json;
  expect(report).toMatchObject({ received: 3, inspected: 2, stored: 0, duplicates: 0, dropped: 1 });
  expect(report.libraries).toContainEqual(
    expect.objectContaining({ lib: 'web', received: 2, inspected: 2, stored: 0 }),
  );
  expect(report.per_minute.at(-1)).toMatchObject({ received: 3, inspected: 2, stored: 0, dropped: 1 });
});

test('an inspected request is listed as such', async () => {
  const app = await openTestApp();
  await put(app, true);
  await capture(app, [SIGNED_UP]);
  const { requests } = (await app.ask('/api/projects/1/burrow/ingestion/')).json;
  expect(requests[0]).toMatchObject({ outcome: 'inspected', status: 200, events: 1 });
});

test('the setting takes effect with its response, both ways, and is kept', async () => {
  const app = await openTestApp();
  expect((await app.ask(PATH)).json).toEqual({ inspect_only: false });
  await capture(app, [SIGNED_UP]);
  await put(app, true);
  await capture(app, [SIGNED_UP]);
  expect((await app.ask(PATH)).json).toEqual({ inspect_only: true });
  await put(app, false);
  await capture(app, [SIGNED_UP]);
  expect(await rowsOf(app, ['all_events'])).toEqual({ all_events: 2 });
});

test('other projects store their events', async () => {
  const app = await openTestApp();
  const other = (await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} })).json;
  await put(app, true);
  const body = { api_key: other.api_token, batch: [SIGNED_UP] };
  await app.ask('/batch/', { method: 'POST', key: null, body });
  expect(await app.store.db.all('SELECT project_id AS id FROM all_events')).toEqual([{ id: other.id }]);
});

test('an inspected event can be sent again once events are stored', async () => {
  const app = await openTestApp();
  const event = { ...SIGNED_UP, uuid: '019a9f2c-7d61-7c3e-8f10-2b6a4c8d9e01' };
  await put(app, true);
  await capture(app, [event]);
  await put(app, false);
  await capture(app, [event]);
  expect(await rowsOf(app, ['all_events'])).toEqual({ all_events: 1 });
});

test('an invalid value is refused, and keys with read access cannot set it', async () => {
  const app = await openTestApp();
  const refused = await app.ask(PATH, { method: 'PUT', body: { inspect_only: 'perhaps' } });
  expect(refused).toMatchObject({ status: 400, json: { attr: 'inspect_only' } });
  expect(await app.ask(PATH, { method: 'PUT', body: {} })).toMatchObject({
    status: 400,
    json: { code: 'required' },
  });
  const body = { label: 'reader', scopes: ['project:read'] };
  const key = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json.value;
  expect((await app.ask(PATH, { key })).status).toBe(200);
  expect((await app.ask(PATH, { method: 'PUT', key, body: { inspect_only: true } })).status).toBe(403);
});
