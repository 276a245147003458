import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';
import { openStore } from '../../db/client.ts';
import { serveDatabase } from '../../db/owner.ts';
import { silentLog } from '../../lib/log.ts';
import { openIngestionWarnings } from './ingestion-warnings-thread.ts';

const PATH = '/api/projects/1/burrow/ingestion_warnings/';
const SDK = { $lib: 'posthog-node', $lib_version: '5.70.0' };
const LONG = 'x'.repeat(201);

async function send(app: TestApp, ...batch: object[]): Promise<void> {
  const events = batch.map((event) => ({
    event: 'seen',
    distinct_id: 'ada',
    ...event,
    properties: { ...SDK, ...(event as { properties?: object }).properties },
  }));
  const answer = await app.ask('/batch/', {
    method: 'POST',
    key: null,
    body: { api_key: TEST_TOKEN, batch: events },
  });
  expect(answer.json).toEqual({ status: 1 });
}

async function list(app: TestApp, query = ''): Promise<Record<string, unknown>[]> {
  return (await app.ask(PATH + query)).json.results;
}

const BY_NODE = { source: '/batch', lib: 'posthog-node', lib_version: '5.70.0' };

describe('each type is listed, with SDK, version and a sample', () => {
  test.each([
    ['missing_event_name', { event: '' }, { event: '' }],
    ['missing_distinct_id', { distinct_id: undefined }, { event: 'seen' }],
    ['empty_distinct_id', { distinct_id: ' ' }, { event: 'seen' }],
    ['performance_event', { event: '$performance_event' }, { event: '$performance_event' }],
    [
      'skipping_event_invalid_process_person_profile',
      { event: '$identify', properties: { $process_person_profile: false } },
      { event: '$identify' },
    ],
    ['event_name_truncated', { event: LONG }, { event: LONG.slice(1), distinct_id: 'ada', sent: LONG }],
    [
      'distinct_id_truncated',
      { distinct_id: LONG },
      { event: 'seen', distinct_id: LONG.slice(1), sent: LONG },
    ],
    [
      'distinct_id_truncated',
      { event: '$create_alias', properties: { alias: LONG } },
      { event: '$create_alias', distinct_id: 'ada', sent: LONG },
    ],
    [
      'distinct_id_truncated',
      { event: '$identify', properties: { $anon_distinct_id: LONG } },
      { event: '$identify', distinct_id: 'ada', sent: LONG },
    ],
    [
      'event_timestamp_in_future',
      { timestamp: '2027-01-01T00:00:00Z' },
      { event: 'seen', distinct_id: 'ada', timestamp: '2027-01-01T00:00:00Z', offset: null },
    ],
    [
      'event_timestamp_in_future',
      { offset: -90_000_000 },
      { event: 'seen', distinct_id: 'ada', timestamp: null, offset: -90_000_000 },
    ],
    [
      'ignored_invalid_timestamp',
      { timestamp: 'soon' },
      { event: 'seen', distinct_id: 'ada', timestamp: 'soon', offset: null },
    ],
    [
      'ignored_invalid_timestamp',
      { timestamp: '-000001-01-01T00:00:00Z' },
      { event: 'seen', distinct_id: 'ada', timestamp: '-000001-01-01T00:00:00Z', offset: null },
    ],
    [
      'client_ingestion_warning',
      {
        event: '$$client_ingestion_warning',
        properties: { $$client_ingestion_warning_message: 'too much' },
      },
      { event: '$$client_ingestion_warning', distinct_id: 'ada', message: 'too much' },
    ],
    [
      'cannot_merge_with_illegal_distinct_id',
      { event: '$identify', properties: { $anon_distinct_id: 'undefined' } },
      { event: '$identify', distinct_id: 'ada', other_distinct_id: 'undefined' },
    ],
    [
      'group_key_too_long',
      { properties: { $groups: { company: 'k'.repeat(401) } } },
      { event: 'seen', distinct_id: 'ada', group_type: 'company' },
    ],
    [
      'person_properties_size_violation',
      { properties: { $set: { text: 'x'.repeat(1_100_000) } } },
      { event: 'seen', distinct_id: 'ada', other_distinct_id: null },
    ],
    [
      'group_properties_size_violation',
      {
        event: '$groupidentify',
        properties: {
          $group_type: 'company',
          $group_key: 'acme',
          $group_set: { text: 'x'.repeat(1_100_000) },
        },
      },
      { event: '$groupidentify', distinct_id: 'ada', group_type: 'company' },
    ],
  ])('%s of %j', async (type, event, sample) => {
    const app = await openTestApp();
    await send(app, event);
    const now = new Date(app.clock.now).toISOString().replace('Z', '000Z');
    expect(await list(app)).toEqual([
      { type, ...BY_NODE, count: 1, first_seen: now, last_seen: now, sample },
    ]);
  });

  test('a sixth group type', async () => {
    const app = await openTestApp();
    await send(app, { properties: { $groups: { a: '1', b: '1', c: '1', d: '1', e: '1', f: '1' } } });
    expect(await list(app)).toMatchObject([
      { type: 'group_type_limit_reached', sample: { group_type: 'f' } },
    ]);
  });
  test('a merge of an identified person', async () => {
    const app = await openTestApp();
    const identify = (id: string, anonymous: string) => ({
      event: '$identify',
      distinct_id: id,
      properties: { $anon_distinct_id: anonymous },
    });
    await send(app, identify('ada', 'a1'), identify('bob', 'b1'), identify('bob', 'ada'));
    expect(await list(app)).toMatchObject([
      {
        type: 'cannot_merge_already_identified',
        ...BY_NODE,
        count: 1,
        sample: { event: '$identify', distinct_id: 'bob', other_distinct_id: 'ada' },
      },
    ]);
  });
  test('an event sent to capture v1', async () => {
    const app = await openTestApp();
    const answer = await app.ask('/i/v1/analytics/events', {
      method: 'POST',
      key: TEST_TOKEN,
      headers: {
        'PostHog-Sdk-Info': 'posthog-go/1.2.3',
        'PostHog-Attempt': '1',
        'PostHog-Request-Id': '0190a000-0000-7000-8000-00000000ffff',
        'PostHog-Request-Timestamp': new Date(app.clock.now).toISOString(),
        'User-Agent': 'posthog-go/1.2.3',
      },
      body: {
        created_at: new Date(app.clock.now).toISOString(),
        batch: [
          {
            event: 'seen',
            uuid: '0190a000-0000-7000-8000-000000000001',
            distinct_id: 'guest',
            timestamp: new Date(app.clock.now).toISOString(),
            options: {},
            properties: {},
          },
        ],
      },
    });
    expect(answer.status).toBe(200);
    expect(await list(app)).toMatchObject([
      {
        type: 'illegal_distinct_id',
        source: '/i/v1/analytics/events',
        lib: 'posthog-go',
        lib_version: '1.2.3',
        count: 1,
      },
    ]);
  });
});

test('events that are stored as they were sent have no warnings', async () => {
  const app = await openTestApp();
  await send(
    app,
    {},
    { event: LONG.slice(1), distinct_id: LONG.slice(1) },
    { timestamp: '2026-11-20T09:30:00Z' },
    { timestamp: '1970-01-01T00:00:00Z' },
    { timestamp: '2026-11-21T08:00:00Z' },
    { offset: 0 },
    { event: '🦔'.repeat(200) },
    { event: 'a\0b' },
    { event: '$identify', properties: { $anon_distinct_id: 'a1' } },
  );
  expect(await list(app)).toEqual([]);
});

test('cases are counted by type, path and sender; the newest is the sample, and the newest row is first', async () => {
  const app = await openTestApp();
  await send(app, { event: '' }, { event: LONG, distinct_id: 'first' });
  app.clock.now += 60_000;
  await send(
    app,
    { event: LONG, distinct_id: 'last' },
    { event: LONG, properties: { $lib_version: '5.71.0' } },
  );
  app.clock.now += 1_000;
  await app.ask('/e/', {
    method: 'POST',
    key: null,
    body: { api_key: TEST_TOKEN, event: LONG, distinct_id: 'a', properties: SDK },
  });
  expect(await list(app)).toMatchObject([
    { type: 'event_name_truncated', source: '/e', lib_version: '5.70.0', count: 1 },
    {
      type: 'event_name_truncated',
      source: '/batch',
      lib_version: '5.70.0',
      count: 2,
      first_seen: '2026-11-20T09:30:00.000000Z',
      last_seen: '2026-11-20T09:31:00.000000Z',
      sample: { distinct_id: 'last' },
    },
    { type: 'event_name_truncated', lib_version: '5.71.0', count: 1 },
    { type: 'missing_event_name', count: 1 },
  ]);
});

test('a repeated event is counted once', async () => {
  const app = await openTestApp();
  const event = { event: LONG, uuid: '0190a000-0000-7000-8000-000000000001' };
  await send(app, event);
  await send(app, event, event);
  expect(await list(app)).toMatchObject([{ count: 1 }]);
});

test('of events in inspect-only mode, the case is counted and no id is stored', async () => {
  const app = await openTestApp();
  await app.ask('/api/projects/1/burrow/capture_settings/', { method: 'PUT', body: { inspect_only: true } });
  await send(app, { distinct_id: LONG, timestamp: 'soon' });
  expect(await list(app)).toMatchObject([
    { type: 'distinct_id_truncated', ...BY_NODE, count: 1 },
    { type: 'ignored_invalid_timestamp', ...BY_NODE, count: 1 },
  ]);
  expect((await list(app)).map(({ sample }) => sample)).toEqual([{ event: 'seen' }, { event: 'seen' }]);
});

test('a sample is truncated and sanitized', async () => {
  const app = await openTestApp();
  await send(app, { event: `${'y'.repeat(2_000)}\ud800` }, { event: '', properties: { $lib: 'a\0\ud800' } });
  const [cut, lib] = await list(app);
  expect((cut as { sample: { sent: string } }).sample.sent).toBe(`${'y'.repeat(500)}…`);
  expect(lib).toMatchObject({ lib: 'a\ufffd\ufffd' });
});

describe('the list', () => {
  test('is filtered by type and by a text, and has pages', async () => {
    const app = await openTestApp();
    await send(
      app,
      { event: LONG, distinct_id: 'Grace' },
      { event: '' },
      { timestamp: 'soon', properties: { $lib: 'web' } },
    );
    const types = async (query: string) => (await list(app, query)).map(({ type }) => type);
    expect(await types('?type=missing_event_name')).toEqual(['missing_event_name']);
    expect(await types('?search=gRACE')).toEqual(['event_name_truncated']);
    expect(await types('?search=web')).toEqual(['ignored_invalid_timestamp']);
    expect(await types('?type=&search=')).toHaveLength(3);
    expect(await types('?type=none')).toEqual([]);
    const first = (await app.ask(`${PATH}?limit=2`)).json;
    expect(first).toMatchObject({ count: 3, previous: null, results: [{}, {}] });
    const second = (await app.ask(first.next.replace(app.url, ''))).json;
    expect(second).toMatchObject({ count: 3, next: null, results: [{}] });
  });
  test("has the project's own warnings, for keys that may run queries", async () => {
    const app = await openTestApp();
    await send(app, { event: '' });
    const organizations = '/api/organizations/@current/projects/';
    const project = (await app.ask(organizations, { method: 'POST', body: { name: 'Other' } })).json;
    expect((await app.ask(`/api/projects/${project.id}/burrow/ingestion_warnings/`)).json.results).toEqual(
      [],
    );
    const body = { label: 'other', scopes: ['project:read'] };
    const key = (await app.ask('/api/personal_api_keys/', { method: 'POST', body })).json.value as string;
    expect((await app.ask(PATH, { key })).status).toBe(403);
  });
});

test('cases are saved without a request', async () => {
  const app = await openTestApp();
  await send(app, { event: '' });
  await expect.poll(() => app.store.db.all('SELECT count FROM ingestion_warnings')).toEqual([{ count: 1 }]);
});

test('samples with a text are cleared, of one project, saved or not', async () => {
  const noted: Awaited<ReturnType<typeof openIngestionWarnings>>[] = [];
  const store = await openStore({
    path: null,
    memoryLimitBytes: 512 * 1_048_576,
    log: silentLog,
    workerUrl: null,
    serve: (port) =>
      serveDatabase(port, {
        clock: () => 0,
        services: {
          warnings: async (context) => {
            noted.push(await openIngestionWarnings(context));
            return noted[0]!;
          },
        },
      }),
  });
  onTestFinished(() => store.close());
  const warnings = noted[0]!;
  const warn = (lib: string, sample: object, projectId = 1): void =>
    warnings.warn(projectId, {
      type: 'client_ingestion_warning',
      source: '/e',
      lib,
      libVersion: '',
      sample: sample as Record<string, unknown>,
    });
  warn('whole', { distinct_id: 'ada' });
  await warnings.calls['ingestion_warnings.save']();
  warn('within', { message: 'says "ada@local.test" twice' });
  warn('another', { message: 'ada is short', distinct_id: 'bob' });
  warn('elsewhere', { distinct_id: 'ada' }, 2);
  await warnings.forget(1, ['ada', '"ada@local.test"', 'x']);
  expect(await store.db.all('SELECT lib, sample FROM ingestion_warnings ORDER BY lib')).toEqual([
    { lib: 'another', sample: '{"message":"ada is short","distinct_id":"bob"}' },
    { lib: 'elsewhere', sample: '{"distinct_id":"ada"}' },
    { lib: 'whole', sample: '{}' },
    { lib: 'within', sample: '{}' },
  ]);
});

test('counts continue after a restart', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'burrow-warnings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'burrow.duckdb');
  for (let run = 0; run < 2; run++) {
    const store = await openTestStore({ path });
    await send(await openTestApp({ store }), { event: '' });
    await store.close();
  }
  const store = await openTestStore({ path });
  const app = await openTestApp({ store });
  await send(app, { event: '' });
  expect(await list(app)).toMatchObject([{ type: 'missing_event_name', count: 3 }]);
  await store.close();
});

test('the 10,000 rows of a project with the newest cases are kept', async () => {
  const app = await openTestApp();
  const batch = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({
      event: '',
      properties: { $lib_version: `v${from + n}` },
    }));
  await send(app, ...batch(0, 8_000));
  await list(app);
  app.clock.now += 1_000;
  await send(app, ...batch(8_000, 14_000), ...batch(0, 1));
  const { count } = (await app.ask(`${PATH}?limit=1`)).json;
  expect(count).toBe(10_000);
  expect(await list(app, '?search=v0')).toMatchObject([{ lib_version: 'v0', count: 2 }]);
  expect(await list(app, '?search=v13999')).toHaveLength(1);
});
