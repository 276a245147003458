import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEvents, type ListedEvent } from '../support/list-events.ts';
import { findGroup, findPerson, getPerson } from '../support/list-persons.ts';
import { nodeClients } from '../support/node-client.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

const UUID = /^[0-9a-f-]{36}$/;

let server: RunningServer;
const clients = nodeClients(() => server);

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server?.stop());

async function only(event: string): Promise<ListedEvent> {
  const events = await listEvents(server, { event });
  expect(events, event).toHaveLength(1);
  return events[0]!;
}

function expectAllTaken(): void {
  expect(clients.requests.filter(({ status }) => status !== 200)).toEqual([]);
}

describe('posthog-node 5.70.0, each of its calls', () => {
  test('11.1/capture capture and captureImmediate: the event, its time, its group, its person', async () => {
    const client = clients.connect();
    const properties = { a: 1, nested: { list: [1, 'two', null] }, emoji: '🦫' };
    client.capture({ distinctId: 'ada', event: 'played', properties, groups: { company: 'acme' } });
    client.capture({
      distinctId: 'ada',
      event: 'dated',
      timestamp: new Date('2026-01-02T03:04:05.678Z'),
      properties: { $ignore_sent_at: true },
    });
    await client.captureImmediate({ distinctId: 'ada', event: 'at once' });
    await client.shutdown();
    expectAllTaken();
    expect(await only('played')).toMatchObject({
      distinct_id: 'ada',
      properties: {
        ...properties,
        $groups: { company: 'acme' },
        $group_0: 'acme',
        $lib: 'posthog-node',
        $lib_version: '5.70.0',
      },
    });
    expect(new Date((await only('dated')).timestamp).toISOString()).toBe('2026-01-02T03:04:05.678Z');
    expect(await only('at once')).toMatchObject({ distinct_id: 'ada' });
    expect(await getPerson(server, 'ada')).toMatchObject({ distinct_ids: ['ada'], is_identified: false });
    // Naming a group makes none.
    expect(await findGroup(server, 'company', 'acme')).toBeNull();
  });

  test('11.1/capture-personless without a distinct id an event is stored without a person', async () => {
    const client = clients.connect();
    client.capture({ event: 'nobody', properties: { $set: { email: 'no@shop.example' } } });
    await client.shutdown();
    const event = await only('nobody');
    expect(event.distinct_id).toMatch(UUID);
    expect(event.properties).toMatchObject({ $process_person_profile: false });
    expect(event.properties).not.toHaveProperty('$set');
    expect(await findPerson(server, event.distinct_id)).toBeNull();
  });

  test('11.1/capture-with-flags flags are requested first', async () => {
    const client = clients.connect();
    await client.captureImmediate({ distinctId: 'ada', event: 'with flags', sendFeatureFlags: true });
    await client.shutdown();
    expect(clients.requests).toEqual([
      { path: '/flags/', status: 200 },
      { path: '/batch/', status: 200 },
    ]);
    expect((await only('with flags')).distinct_id).toBe('ada');
  });

  test('11.1/identify, 11.1/person-properties properties are set, set once and unset', async () => {
    const client = clients.connect();
    const properties = { email: 'bea@shop.example', plan: 'free', $set_once: { first: 'x' } };
    client.identify({ distinctId: 'bea', properties });
    client.setPersonProperties({
      distinctId: 'bea',
      properties: { plan: 'pro' },
      propertiesOnce: { first: 'y', city: 'Gent' },
    });
    client.unsetPersonProperties({ distinctId: 'bea', properties: ['email'] });
    await client.shutdown();
    expectAllTaken();
    const person = await getPerson(server, 'bea');
    // An identify by a server SDK merges no persons, and sets no person identified (6.4).
    expect(person).toMatchObject({ distinct_ids: ['bea'], is_identified: false });
    expect(person.properties).toEqual({ plan: 'pro', first: 'x', city: 'Gent' });
  });

  test('11.1/alias, 6.5 two ids are one person, with the alias first', async () => {
    const client = clients.connect();
    client.capture({ distinctId: 'cleo', event: 'before' });
    client.alias({ distinctId: 'cleo', alias: 'cleo-elsewhere' });
    await client.shutdown();
    expectAllTaken();
    const person = await getPerson(server, 'cleo');
    expect(person.distinct_ids).toEqual(['cleo-elsewhere', 'cleo']);
    expect(person.is_identified).toBe(true);
    expect(await getPerson(server, 'cleo-elsewhere')).toEqual(person);
    const events = await listEvents(server, { event: 'before', person_id: String(person.id) });
    expect(events.map(({ distinct_id }) => distinct_id)).toEqual(['cleo']);
  });

  test('11.1/group-identify the group has its properties, key by key', async () => {
    const client = clients.connect();
    client.groupIdentify({ groupType: 'team', groupKey: 'red', properties: { seats: 5, plan: 'free' } });
    client.groupIdentify({ groupType: 'team', groupKey: 'red', properties: { plan: 'pro' } });
    await client.shutdown();
    expectAllTaken();
    const group = await findGroup(server, 'team', 'red');
    expect(group!.group_properties).toEqual({ seats: 5, plan: 'pro' });
    expect((await listEvents(server, { event: '$groupidentify' }))[0]).toMatchObject({
      distinct_id: '$team_red',
      properties: { $group_type: 'team', $group_key: 'red', $group_set: { plan: 'pro' } },
    });
  });

  test('11.1/flags, 11.1/all-flags every call returns no flags, without an error', async () => {
    const client = clients.connect();
    expect(await client.isFeatureEnabled('new-checkout', 'ada')).toBeUndefined();
    expect(await client.getFeatureFlag('new-checkout', 'ada')).toBeUndefined();
    expect(await client.getFeatureFlagPayload('new-checkout', 'ada')).toBeUndefined();
    expect(await client.getFeatureFlagResult('new-checkout', 'ada')).toBeUndefined();
    expect(await client.getAllFlags('ada', { groups: { company: 'acme' } })).toEqual({});
    expect((await client.evaluateFlags('ada')).getFlag('new-checkout')).toBeUndefined();
    expect(await client.getAllFlagsAndPayloads('ada')).toEqual({ featureFlags: {}, featureFlagPayloads: {} });
    await client.shutdown();
    expectAllTaken();
    expect((await only('$feature_flag_called')).properties).toMatchObject({
      $feature_flag: 'new-checkout',
      $feature_flag_error: 'flag_missing',
      $feature_flag_request_id: expect.stringMatching(UUID) as string,
      $feature_flag_evaluated_at: expect.any(Number) as number,
    });
  });

  test('11.1/local-evaluation the definitions are read, and read again as unchanged', async () => {
    const options = { personalApiKey: server.personalApiKey, featureFlagsPollingInterval: 60_000 };
    const client = clients.connect(options);
    await expect.poll(() => clients.requests.length).toBe(1);
    await client.reloadFeatureFlags();
    expect(await client.getAllFlags('ada')).toEqual({});
    await client.shutdown();
    const polls = clients.requests.filter(({ path }) => path === '/flags/definitions');
    expect(polls.map(({ status }) => status)).toEqual([200, 304]);
  });

  test('11.1/remote-config-payload of a missing flag: an empty 404, for which the SDK throws', async () => {
    const client = clients.connect({ personalApiKey: server.personalApiKey });
    await expect(client.getRemoteConfigPayload('new-checkout')).rejects.toThrow('JSON');
    await client.shutdown();
    const asked = clients.requests.filter(({ path }) => path.endsWith('/remote_config'));
    expect(asked).toEqual([
      { path: '/api/projects/@current/feature_flags/new-checkout/remote_config', status: 404 },
    ]);
  });

  test('11.1/exception an exception is an event with its list', async () => {
    const client = clients.connect();
    client.captureException(new Error('broken'), 'ada', { where: 'cart' });
    await client.shutdown();
    expect(await only('$exception')).toMatchObject({ distinct_id: 'ada', properties: { where: 'cart' } });
    expect((await only('$exception')).properties).toHaveProperty('$exception_list');
  });

  test('11.1/ai AI events have their own path, and are stored like others', async () => {
    const client = clients.connect();
    const properties = { $ai_model: 'm', $ai_input: [{ role: 'user', content: 'hi' }] };
    client.captureAi({ distinctId: 'ada', event: '$ai_generation', properties });
    await client.captureAiImmediate({ distinctId: 'ada', event: '$ai_trace', properties });
    await client.shutdown();
    const taken = { path: '/i/v0/ai/batch/', status: 200 };
    expect(clients.requests).toEqual([taken, taken]);
    expect(await only('$ai_generation')).toMatchObject({ distinct_id: 'ada', properties });
    expect(await only('$ai_trace')).toMatchObject({ distinct_id: 'ada', properties });
  });
});
