import { PostHog } from 'posthog-node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listEvents } from '../support/list-events.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

type Options = NonNullable<ConstructorParameters<typeof PostHog>[1]>;

interface Request {
  path: string;
  status: number;
}

let server: RunningServer;
let requests: Request[];
let errors: unknown[];

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());
beforeEach(() => {
  requests = [];
  errors = [];
  // The SDK says on the console what these tests look at through its error event, and that older calls are deprecated.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.restoreAllMocks();
  expect(errors).toEqual([]);
});

/** A client whose requests and errors are noted. */
function connect(options: Options = {}, key = server.projectApiKey): PostHog {
  const client = new PostHog(key, {
    host: server.url,
    disableGeoip: true,
    fetch: async (url, { headers, body, method }) => {
      const answer = await fetch(url, { method, headers, ...(body == null ? {} : { body: body as string }) });
      requests.push({ path: new URL(url).pathname, status: answer.status });
      return answer;
    },
    ...options,
  });
  client.on('error', (error) => errors.push(error));
  return client;
}

describe('posthog-node', () => {
  test('1,000 events in two batches: walking the list by `next` finds each exactly once', async () => {
    const client = connect({ flushAt: 500, maxBatchSize: 500, maxQueueSize: 2_000, flushInterval: 60_000 });
    for (let i = 0; i < 1_000; i++) {
      client.capture({ distinctId: `user-${i % 10}`, event: 'order placed', properties: { number: i } });
    }
    await client.shutdown();
    expect(requests).toEqual([
      { path: '/batch/', status: 200 },
      { path: '/batch/', status: 200 },
    ]);

    const events = await listEvents(server, { event: 'order placed', limit: '137' });
    expect(events.map(({ properties }) => properties['number']).sort(ascending)).toEqual(
      Array.from({ length: 1_000 }, (_, i) => i),
    );
    expect(new Set(events.map(({ id }) => id)).size).toBe(1_000);
  });

  test('every way to capture arrives as it was sent', async () => {
    const client = connect({ flushAt: 3 });
    const person = 'ada';
    const properties = { a: 1, nested: { list: [1, 'two', null] }, emoji: '🦫' };
    client.capture({ distinctId: person, event: 'played', properties, groups: { company: 'acme' } });
    client.capture({
      distinctId: person,
      event: 'dated',
      timestamp: new Date('2026-01-02T03:04:05.678Z'),
      properties: { $ignore_sent_at: true },
    });
    client.capture({ event: 'nobody' });
    await client.captureImmediate({ distinctId: person, event: 'at once' });
    client.identify({
      distinctId: person,
      properties: { email: 'ada@shop.example', $set_once: { first: 'x' } },
    });
    client.alias({ distinctId: person, alias: 'ada-old' });
    client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { seats: 5 } });
    client.setPersonProperties({ distinctId: person, properties: { plan: 'pro' } });
    client.captureException(new Error('broken'), person);
    await client.shutdown();
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);

    const byName = new Map((await listEvents(server, { limit: '50' })).map((event) => [event.event, event]));
    expect(byName.get('played')).toMatchObject({
      distinct_id: person,
      properties: {
        ...properties,
        $groups: { company: 'acme' },
        $lib: 'posthog-node',
        $lib_version: '5.70.0',
      },
    });
    expect(new Date(byName.get('dated')!.timestamp).toISOString()).toBe('2026-01-02T03:04:05.678Z');
    expect(byName.get('nobody')!.properties).toMatchObject({ $process_person_profile: false });
    expect(byName.get('at once')).toMatchObject({ distinct_id: person });
    expect(byName.get('$identify')!.properties).toMatchObject({
      $set: { email: 'ada@shop.example' },
      $set_once: { first: 'x' },
    });
    expect(byName.get('$create_alias')).toMatchObject({
      distinct_id: person,
      properties: { alias: 'ada-old' },
    });
    expect(byName.get('$groupidentify')).toMatchObject({
      distinct_id: '$company_acme',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 5 } },
    });
    expect(byName.get('$set')!.properties).toMatchObject({ $set: { plan: 'pro' } });
    expect(byName.get('$exception')!.properties).toHaveProperty('$exception_list');
  });

  test('flags: every call says that there are none, without an error', async () => {
    const client = connect();
    expect(await client.isFeatureEnabled('new-checkout', 'ada')).toBeUndefined();
    expect(await client.getFeatureFlag('new-checkout', 'ada')).toBeUndefined();
    expect(await client.getFeatureFlagPayload('new-checkout', 'ada')).toBeUndefined();
    expect(await client.getAllFlags('ada', { groups: { company: 'acme' } })).toEqual({});
    expect((await client.evaluateFlags('ada')).getFlag('new-checkout')).toBeUndefined();
    expect(await client.getAllFlagsAndPayloads('ada')).toEqual({ featureFlags: {}, featureFlagPayloads: {} });
    await client.captureImmediate({ distinctId: 'ada', event: 'with flags', sendFeatureFlags: true });
    await client.shutdown();
    expect(requests.filter(({ status }) => status !== 200)).toEqual([]);

    const called = await listEvents(server, { event: '$feature_flag_called' });
    expect(called).toHaveLength(1);
    expect(called[0]!.properties).toMatchObject({
      $feature_flag: 'new-checkout',
      $feature_flag_error: 'flag_missing',
      $feature_flag_request_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      $feature_flag_evaluated_at: expect.any(Number) as number,
    });
    expect(await listEvents(server, { event: 'with flags' })).toHaveLength(1);
  });

  test('local evaluation: the definitions are read, and read again as unchanged', async () => {
    const client = connect({ personalApiKey: server.personalApiKey, featureFlagsPollingInterval: 60_000 });
    await expect.poll(() => requests.length, { timeout: 10_000 }).toBe(1);
    await client.reloadFeatureFlags();
    expect(await client.getAllFlags('ada')).toEqual({});
    await client.shutdown();
    const statuses = requests.filter(({ path }) => path === '/flags/definitions').map(({ status }) => status);
    expect(statuses).toEqual([200, 304]);
  });

  test('a wrong project key: the developer is told, nothing is retried', async () => {
    const client = connect({ fetchRetryDelay: 10 }, 'phc_wrong');
    client.capture({ distinctId: 'ada', event: 'lost' });
    await client.shutdown();
    expect(requests).toEqual([{ path: '/batch/', status: 401 }]);
    expect(errors).toHaveLength(1);
    errors = [];
    expect(await listEvents(server, { event: 'lost' })).toEqual([]);
  });

  test('a wrong personal key: flags fall back to the server', async () => {
    const client = connect({ personalApiKey: 'phx_wrong', featureFlagsPollingInterval: 60_000 });
    expect(await client.getAllFlags('ada')).toEqual({});
    await client.shutdown();
    expect(requests).toEqual(
      expect.arrayContaining([
        { path: '/flags/definitions', status: 401 },
        { path: '/flags/', status: 200 },
      ]),
    );
    errors = [];
  });

  test('a batch that is too large is halved until it fits', async () => {
    const small = await startServer({ args: ['--max-body', '20000'] });
    const client = connect(
      { host: small.url, disableCompression: true, flushAt: 40, maxBatchSize: 40, flushInterval: 60_000 },
      small.projectApiKey,
    );
    const filler = 'x'.repeat(1_000);
    for (let i = 0; i < 40; i++)
      client.capture({ distinctId: 'ada', event: 'big', properties: { i, filler } });
    await client.shutdown();
    const events = await listEvents(small, { event: 'big' });
    await small.stop();
    expect(requests.map(({ status }) => status)).toContain(413);
    expect(events.map(({ properties }) => properties['i']).sort(ascending)).toEqual(
      Array.from({ length: 40 }, (_, i) => i),
    );
    errors = [];
  });
});

function ascending(a: unknown, b: unknown): number {
  return Number(a) - Number(b);
}
