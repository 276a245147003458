import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { retention, retentionPreview, type RetentionJson } from './retention.contract.ts';

const PATH = '/api/projects/1/burrow/retention/';
const DAY_MS = 86_400_000;

interface Sent {
  event: string;
  distinct_id: string;
  timestamp: string;
  uuid?: string;
  properties: { text: string };
}

/** An event of so many days ago; the test's clock does not move. */
function sentDaysAgo(app: TestApp, days: number, n = 0): Sent {
  const timestamp = new Date(app.clock.now - days * DAY_MS + n).toISOString();
  return { event: 'seen', distinct_id: `user-${days}`, timestamp, properties: { text: 'x'.repeat(400) } };
}

async function capture(app: TestApp, batch: readonly Sent[], token = TEST_TOKEN): Promise<void> {
  const answer = await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: token, batch } });
  expect(answer.status).toBe(200);
}

function put(app: TestApp, body: object) {
  return app.ask(PATH, { method: 'PUT', body });
}

async function untilApplied(app: TestApp): Promise<RetentionJson> {
  let now: RetentionJson;
  do now = retention.parse((await app.ask(PATH)).json);
  while (now.is_applying);
  return now;
}

async function daysLeft(app: TestApp): Promise<number[]> {
  const rows = await app.store.db.all<{ days: number }>(
    `SELECT DISTINCT distinct_id[6:]::INTEGER AS days FROM all_events WHERE project_id = 1 ORDER BY days`,
  );
  return rows.map(({ days }) => days);
}

describe('limits of days', () => {
  test('older events are deleted, compacted or not, and no others', async () => {
    const app = await openTestApp();
    await capture(
      app,
      [0, 10, 29, 31, 400].map((days) => sentDaysAgo(app, days)),
    );
    const answer = await put(app, { max_days: 30 });
    expect(answer.status).toBe(200);
    expect(retention.parse(answer.json)).toMatchObject({ max_days: 30, max_gb: null, is_applying: true });
    expect(await untilApplied(app)).toMatchObject({ events: 3, deleted_events: 2 });
    expect(await daysLeft(app)).toEqual([0, 10, 29]);
    expect((await app.ask('/api/projects/1/burrow/ingestion/')).json.store.events).toBe(3);
  });

  test('a clock that jumps forward by 60 days deletes no events until a day has passed', async () => {
    const app = await openTestApp();
    await capture(
      app,
      [0, 10, 20].map((days) => sentDaysAgo(app, days)),
    );
    await put(app, { max_days: 30 });
    await untilApplied(app);
    app.clock.now += 60 * DAY_MS;
    await put(app, { max_days: 31 });
    await untilApplied(app);
    expect(await daysLeft(app)).toEqual([0, 10, 20]);
    app.clock.now += DAY_MS;
    await put(app, { max_days: 30 });
    await untilApplied(app);
    expect(await daysLeft(app)).toEqual([]);
  });

  test('the limit applies within a day', async () => {
    const app = await openTestApp();
    const cut = app.clock.now - 30 * DAY_MS;
    const at = (ms: number, days: number) => ({
      ...sentDaysAgo(app, days),
      timestamp: new Date(ms).toISOString(),
    });
    await capture(app, [at(cut - 1, 1), at(cut, 2), at(cut + 1, 3)]);
    await put(app, { max_days: 30 });
    await untilApplied(app);
    expect(await daysLeft(app)).toEqual([2, 3]);
  });

  test('events that are already too old when they arrive are deleted by the next run', async () => {
    const app = await openTestApp();
    await put(app, { max_days: 30 });
    await untilApplied(app);
    await capture(app, [sentDaysAgo(app, 50), sentDaysAgo(app, 5)]);
    app.clock.now += 301_000;
    await expect.poll(() => daysLeft(app), { timeout: 10_000 }).toEqual([5]);
  });

  test('an event that was deleted and is sent again is not stored again', async () => {
    const app = await openTestApp();
    const old = { ...sentDaysAgo(app, 50), uuid: '019a9f2c-7d61-7c3e-8f10-2b6a4c8d9e01' };
    await capture(app, [old]);
    await put(app, { max_days: 30 });
    await untilApplied(app);
    await capture(app, [old]);
    expect(await daysLeft(app)).toEqual([]);
  });

  test('does not change the events of another project', async () => {
    const app = await openTestApp();
    const other = (await app.ask('/api/organizations/@current/projects/', { method: 'POST', body: {} })).json;
    await capture(app, [sentDaysAgo(app, 50)]);
    await capture(app, [sentDaysAgo(app, 50)], other.api_token);
    await put(app, { max_days: 30 });
    await untilApplied(app);
    expect(await app.store.db.all('SELECT project_id AS id FROM all_events')).toEqual([{ id: other.id }]);
  });
});

describe('limits of size', () => {
  test('the oldest events are deleted until the rest fits', async () => {
    const app = await openTestApp();
    const batch = Array.from({ length: 4_000 }, (_, n) => sentDaysAgo(app, 1, n));
    await capture(app, batch);
    const all = retention.parse((await app.ask(PATH)).json);
    expect(all.events).toBe(4_000);
    const maxGb = all.estimated_bytes / 2e9;
    await put(app, { max_gb: maxGb });
    const left = await untilApplied(app);
    expect(left.estimated_bytes).toBeLessThanOrEqual(maxGb * 1e9);
    expect(left.events).toBe(2_000);
    expect(left.oldest).toBe(batch[2_000]!.timestamp);
    expect(left.newest).toBe(batch[3_999]!.timestamp);
  });
});

describe('a preview', () => {
  test('shows what is deleted and what is kept, and deletes no events', async () => {
    const app = await openTestApp();
    const days = [1, 40, 40, 41, 75];
    await capture(
      app,
      days.map((day, n) => ({
        ...sentDaysAgo(app, day, n),
        properties: { text: 'x', $set: { n } } as never,
      })),
    );
    const answer = await app.ask(`${PATH}preview/`, { method: 'POST', body: { max_days: 30 } });
    const preview = retentionPreview.parse(answer.json);
    expect(preview).toMatchObject({
      max_days: 30,
      max_gb: null,
      events: 4,
      oldest: sentDaysAgo(app, 75, 4).timestamp,
      newest: sentDaysAgo(app, 40, 2).timestamp,
      remaining: { events: 1, oldest: sentDaysAgo(app, 1).timestamp },
      months: [
        { month: '2026-09', events: 1 },
        { month: '2026-10', events: 3 },
      ],
      persons_without_events: 3,
    });
    expect(Math.abs(preview.months[0]!.estimated_bytes * 4 - preview.estimated_bytes)).toBeLessThan(4);
    expect(preview.note).toContain('Persons');
    expect(await daysLeft(app)).toEqual([1, 40, 41, 75]);
    await put(app, { max_days: 30 });
    expect((await untilApplied(app)).events).toBe(1);
    expect((await app.ask('/api/projects/1/persons/')).json.results).toHaveLength(4);
  });

  test('without a body it shows what the stored limits would delete: no events once they were applied', async () => {
    const app = await openTestApp();
    await capture(app, [sentDaysAgo(app, 50), sentDaysAgo(app, 1)]);
    const before = retentionPreview.parse((await app.ask(`${PATH}preview/`)).json);
    expect(before).toMatchObject({ max_days: null, events: 0, oldest: null, newest: null, months: [] });
    await put(app, { max_days: 30 });
    await untilApplied(app);
    expect((await app.ask(`${PATH}preview/`)).json).toMatchObject({
      max_days: 30,
      events: 0,
      remaining: { events: 1 },
    });
  });

  test('of an empty project is empty', async () => {
    const app = await openTestApp();
    const answer = await app.ask(`${PATH}preview/`, { method: 'POST', body: { max_days: 1, max_gb: 0.001 } });
    expect(answer.json).toMatchObject({
      events: 0,
      remaining: { events: 0, oldest: null },
      persons_without_events: 0,
    });
  });
});

describe('the settings', () => {
  test('are stored, and removed by null', async () => {
    const app = await openTestApp();
    expect((await app.ask(PATH)).json).toMatchObject({ max_days: null, max_gb: null, updated_at: null });
    await put(app, { max_days: 90, max_gb: 1.5 });
    expect((await app.ask(PATH)).json).toMatchObject({ max_days: 90, max_gb: 1.5 });
    expect((await put(app, {})).json).toMatchObject({ max_days: null, max_gb: null });
  });

  test.each([
    [{ max_days: 0 }, 'max_days'],
    [{ max_days: 1.5 }, 'max_days'],
    [{ max_days: 'soon' }, 'max_days'],
    [{ max_gb: 0 }, 'max_gb'],
    [{ max_gb: -1 }, 'max_gb'],
  ])('%j is refused', async (body, attr) => {
    const app = await openTestApp();
    expect(await put(app, body)).toMatchObject({ status: 400, json: { type: 'validation_error', attr } });
  });

  test('are logged when they change', async () => {
    const app = await openTestApp();
    const path = '/api/projects/1/burrow/retention/';
    for (const body of [{ max_days: 30 }, { max_days: 30 }, { max_gb: 2 }])
      expect((await app.ask(path, { method: 'PUT', body })).status).toBe(200);
    const log = await app.store.db.all<{ detail: string }>(
      'SELECT detail FROM activity_log ORDER BY created_at, id',
    );
    expect(log.map(({ detail }) => JSON.parse(detail).changes)).toMatchObject([
      [{ field: 'retention_max_days', before: null, after: 30 }],
      [
        { field: 'retention_max_days', before: 30, after: null },
        { field: 'retention_max_gb', before: null, after: 2 },
      ],
    ]);
  });

  test('need a key that may write', async () => {
    const app = await openTestApp();
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'reader', scopes: ['project:read'] },
    });
    const key = made.json.value;
    expect((await app.ask(PATH, { key })).status).toBe(200);
    expect((await app.ask(`${PATH}preview/`, { method: 'POST', key, body: { max_days: 1 } })).status).toBe(
      200,
    );
    expect((await app.ask(PATH, { method: 'PUT', key, body: { max_days: 1 } })).status).toBe(403);
  });
});
