import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listEvents } from '../support/list-events.ts';
import { findPerson, getPerson } from '../support/list-persons.ts';
import { nodeClients } from '../support/node-client.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

let server: RunningServer;
const clients = nodeClients(() => server);

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());
beforeEach(() => {
  vi.stubEnv('POSTHOG_CAPTURE_MODE', 'v1');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('11.1/v1 posthog-node 5.70.0 in v1 mode', () => {
  test.each([true, false])(
    'each event arrives by /i/v1/analytics/events (compressed: %j)',
    async (isPacked) => {
      const client = clients.connect({ disableCompression: !isPacked });
      const person = `ada-${isPacked}`;
      client.capture({
        distinctId: person,
        event: 'played',
        properties: { a: 1 },
        groups: { company: 'acme' },
      });
      client.identify({ distinctId: person, properties: { email: 'ada@shop.example' } });
      client.alias({ distinctId: person, alias: `${person}-elsewhere` });
      client.setPersonProperties({ distinctId: person, properties: { plan: 'pro' } });
      client.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { seats: 5 } });
      await client.captureImmediate({ distinctId: person, event: 'at once' });
      await client.shutdown();
      expect(new Set(clients.requests.map(({ path }) => path))).toEqual(new Set(['/i/v1/analytics/events']));
      expect(new Set(clients.requests.map(({ status }) => status))).toEqual(new Set([200]));

      const events = await listEvents(server, { distinct_id: person });
      expect(events.map(({ event }) => event).toSorted()).toEqual([
        '$create_alias',
        '$identify',
        '$set',
        'at once',
        'played',
      ]);
      expect(events.find(({ event }) => event === 'played')!.properties).toMatchObject({
        a: 1,
        $groups: { company: 'acme' },
        $lib: 'posthog-node',
        $lib_version: '5.70.0',
      });
      const found = await getPerson(server, `${person}-elsewhere`);
      expect(found.distinct_ids).toContain(person);
      expect(found.properties).toMatchObject({ email: 'ada@shop.example', plan: 'pro' });
    },
  );

  test('an event without a distinct id creates no person: the option becomes the property', async () => {
    const client = clients.connect();
    client.capture({ event: 'nobody' });
    await client.shutdown();
    const [event] = await listEvents(server, { event: 'nobody' });
    expect(event!.properties).toMatchObject({ $process_person_profile: false });
    expect(await findPerson(server, event!.distinct_id)).toBeNull();
  });

  test('a dropped event is reported as an error, and is not sent again', async () => {
    const client = clients.connect({ fetchRetryDelay: 10 });
    client.capture({ distinctId: 'null', event: 'lost' });
    client.capture({ distinctId: 'ada', event: 'kept' });
    await client.shutdown();
    expect(clients.requests).toEqual([{ path: '/i/v1/analytics/events', status: 200 }]);
    expect(clients.errors).toEqual([
      expect.objectContaining({ drops: [{ uuid: expect.any(String), details: 'illegal_distinct_id' }] }),
    ]);
    clients.errors = [];
    expect(await listEvents(server, { event: 'lost' })).toEqual([]);
    expect(await listEvents(server, { event: 'kept' })).toHaveLength(1);
  });

  test('an invalid key is reported once', async () => {
    const client = clients.connect({ fetchRetryDelay: 10 }, 'phc_wrong');
    client.capture({ distinctId: 'ada', event: 'refused' });
    await client.shutdown();
    expect(clients.requests).toEqual([{ path: '/i/v1/analytics/events', status: 401 }]);
    expect(clients.errors).toHaveLength(1);
    clients.errors = [];
  });

  test('AI events are sent to the same path as before', async () => {
    const client = clients.connect();
    client.captureAi({ distinctId: 'ada', event: '$ai_span', properties: { $ai_model: 'm' } });
    await client.shutdown();
    expect(clients.requests).toEqual([{ path: '/i/v0/ai/batch/', status: 200 }]);
    expect(await listEvents(server, { event: '$ai_span' })).toHaveLength(1);
  });
});
