import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openTestApp, TEST_KEY, TEST_TOKEN, type TestApp, type TestResponse } from '../support/test-app.ts';

/**
 * SDKs that cannot run here: older versions, and those of other languages. Each sends what the tables of the ingestion
 * contract (11.2, 11.4, 11.5) say that it sends, and gets what it needs.
 */

const FORM = 'application/x-www-form-urlencoded';
const UUID = '0190a000-0000-7000-8000-000000000001';
const AT = '2026-11-20T09:29:00.000Z';

async function openSdk() {
  const app = await openTestApp();
  const post = (path: string, body: string | Buffer, headers: Record<string, string> = {}) =>
    app.ask(path, { method: 'POST', key: null, headers, body });
  const list = async (event: string) =>
    (await app.ask(`/api/projects/1/events/?${new URLSearchParams({ event })}`)).json.results;
  return {
    app,
    json: (path: string, body: object, headers = {}) =>
      post(path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers }),
    gzip: (path: string, body: object, headers = {}) =>
      post(path, gzipSync(JSON.stringify(body)), { 'Content-Type': 'text/plain', ...headers }),
    /** `data=<base64>` as browsers of old sent it. */
    form: (path: string, body: object) =>
      post(
        path,
        new URLSearchParams({ data: Buffer.from(JSON.stringify(body)).toString('base64') }).toString(),
        {
          'Content-Type': FORM,
        },
      ),
    list,
    only: async (event: string) => {
      const found = await list(event);
      expect(found, event).toHaveLength(1);
      return { ...found[0], properties: JSON.parse(found[0].properties) };
    },
    person: async (distinctId: string) => {
      const query = new URLSearchParams({ distinct_id: distinctId });
      return (await app.ask(`/api/projects/1/persons/?${query}`)).json.results[0];
    },
  };
}

/** posthog-php takes nothing but 200, Ruby nothing but an object. */
function expectTaken(answer: TestResponse): void {
  expect([answer.status, answer.json]).toEqual([200, { status: 1 }]);
}

async function expectDefinitions(app: TestApp, path: string): Promise<void> {
  const answer = await app.ask(path, { key: TEST_KEY });
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ flags: [] });
}

function expectNoFlags(answer: TestResponse): void {
  expect(answer.status).toBe(200);
  expect(answer.json).toMatchObject({ errorsWhileComputingFlags: false });
  expect(answer.json.featureFlags ?? answer.json.flags).toEqual({});
}

test('11.2/1.3.0 posthog-node: plain batches, $set beside the properties, flags as a list', async () => {
  const { app, json, only, person } = await openSdk();
  const sent = { library: 'posthog-node', library_version: '1.3.0', timestamp: AT, messageId: 'm' };
  const batch = [
    { ...sent, type: 'capture', event: 'played', distinct_id: 'ada', properties: { $lib: 'posthog-node' } },
    { ...sent, type: 'identify', event: '$identify', distinct_id: 'ada', $set: { plan: 'pro' } },
  ];
  expectTaken(await json('/batch/', { api_key: TEST_TOKEN, batch }));
  expect(await only('played')).toMatchObject({
    distinct_id: 'ada',
    timestamp: expect.stringContaining('09:29'),
  });
  expect(await person('ada')).toMatchObject({ properties: { plan: 'pro' } });
  const flags = await app.ask(`/api/feature_flag/?token=${TEST_TOKEN}`, { key: TEST_KEY });
  expect(flags.json).toMatchObject({ results: [] });
});

test('11.2/2.6.0 posthog-node: sent_at, /decide/?v=3, local evaluation', async () => {
  const { app, json, only } = await openSdk();
  const batch = [{ event: 'played', uuid: UUID, distinct_id: 'ada', timestamp: AT, properties: {} }];
  expectTaken(await json('/batch/', { api_key: TEST_TOKEN, batch, sent_at: '2026-11-20T09:29:30.000Z' }));
  // The clock of the sender is half a minute behind ours.
  expect(await only('played')).toMatchObject({ id: UUID, timestamp: '2026-11-20T09:29:30.000000+00:00' });
  const asked = { token: TEST_TOKEN, distinct_id: 'ada', groups: {}, geoip_disable: true };
  expectNoFlags(await json('/decide/?v=3', asked));
  await expectDefinitions(app, `/api/feature_flag/local_evaluation?token=${TEST_TOKEN}&send_cohorts`);
});

test('11.2/4.11.7 posthog-node: /decide/?v=4 for some keys', async () => {
  const { app, json } = await openSdk();
  const asked = { token: TEST_TOKEN, distinct_id: 'ada', flag_keys_to_evaluate: ['a'] };
  expectNoFlags(await json('/decide/?v=4', asked));
  await expectDefinitions(app, `/api/feature_flag/local_evaluation?token=${TEST_TOKEN}&send_cohorts`);
});

test('11.2/4.18.0 posthog-node: /flags/?v=2', async () => {
  const { json } = await openSdk();
  expectNoFlags(await json('/flags/?v=2', { token: TEST_TOKEN, distinct_id: 'ada' }));
});

/** What all versions of posthog-js of that time put into an event. */
function jsEvent(event: string, properties: object = {}): object {
  return { event, properties: { token: TEST_TOKEN, distinct_id: 'ada', $lib: 'web', ...properties } };
}

test('11.4/1.57.2 posthog-js: forms, arrays, /engage and recordings', async () => {
  const { form, gzip, only, person } = await openSdk();
  expectTaken(await form('/e/?ip=1&_=1795166940000&ver=1.57.2', jsEvent('$pageview')));
  expectTaken(await gzip('/e/?compression=gzip-js&ip=1&_=1795166940000&ver=1.57.2', [jsEvent('played')]));
  expect(await only('$pageview')).toMatchObject({ distinct_id: 'ada' });
  expect(await only('played')).toMatchObject({ distinct_id: 'ada' });
  const engage = { $set: { plan: 'pro' }, $token: TEST_TOKEN, $distinct_id: 'ada', $device_id: 'd' };
  expectTaken(await form('/engage/?ip=1&_=1795166940000&ver=1.57.2', engage));
  expect(await person('ada')).toMatchObject({ properties: { plan: 'pro' } });
  const asked = { token: TEST_TOKEN, distinct_id: 'ada', $anon_distinct_id: 'x', person_properties: {} };
  expectNoFlags(await form('/decide/?v=3&ip=1&_=1&ver=1.57.2', asked));
  const snapshot = jsEvent('$snapshot', { $session_id: 's-1', $snapshot_data: [{ type: 4 }] });
  expectTaken(await gzip('/s/?compression=gzip-js&ip=1&_=1&ver=1.57.2', [snapshot]));
});

test('11.4/1.99.0 posthog-js: events have uuids, people.set is an event', async () => {
  const { gzip, form, only, person } = await openSdk();
  const set = { ...jsEvent('$set', { $set: { plan: 'pro' } }), uuid: UUID };
  expectTaken(await gzip('/e/?compression=gzip-js&ip=1&_=1&ver=1.99.0', [set]));
  expect(await only('$set')).toMatchObject({ id: UUID });
  expect(await person('ada')).toMatchObject({ properties: { plan: 'pro' } });
  expectNoFlags(await form('/decide/?v=3&ip=1&_=1&ver=1.99.0', { token: TEST_TOKEN, distinct_id: 'ada' }));
});

test('11.4/1.149.2 posthog-js: the rest of a page by beacon, flags as a form with its hint', async () => {
  const { gzip, form, only } = await openSdk();
  const query = 'ip=1&_=1795166940000&ver=1.149.2&compression=gzip-js';
  const answer = await gzip(`/e/?${query}&beacon=1`, [jsEvent('$pageleave')]);
  expect([answer.status, answer.text]).toEqual([204, '']);
  expect(await only('$pageleave')).toMatchObject({ distinct_id: 'ada' });
  const asked = { token: TEST_TOKEN, distinct_id: 'ada' };
  expectNoFlags(await form('/decide/?v=3&ip=1&_=1&ver=1.149.2&compression=base64', asked));
});

test('11.4/1.255.0 posthog-js: /i/v0/e, flags with the configuration, configuration as a script', async () => {
  const { app, gzip, form, only } = await openSdk();
  expectTaken(await gzip('/i/v0/e/?ip=1&_=1&ver=1.255.0&compression=gzip-js', jsEvent('played')));
  expect(await only('played')).toMatchObject({ distinct_id: 'ada' });
  const path = '/flags/?v=2&config=true&ip=1&_=1&ver=1.255.0&compression=base64';
  const answer = await form(path, { token: TEST_TOKEN, distinct_id: 'ada' });
  expectNoFlags(answer);
  expect(answer.json).toMatchObject({ sessionRecording: false, analytics: { endpoint: '/i/v0/e/' } });
  expect((await app.ask(`/array/${TEST_TOKEN}/config.js`, { key: null })).status).toBe(200);
});

test('11.4/1.374.4 posthog-js: without an IP address, flags with timezone and device', async () => {
  const { gzip, form, only } = await openSdk();
  expectTaken(await gzip('/i/v0/e/?ip=0&_=1&ver=1.374.4&compression=gzip-js', [jsEvent('played')]));
  expect(await only('played')).toMatchObject({ distinct_id: 'ada' });
  const asked = { token: TEST_TOKEN, distinct_id: 'ada', timezone: 'Europe/Brussels', $device_id: 'd' };
  expectNoFlags(await form('/flags/?v=2&ip=0&_=1&ver=1.374.4&compression=base64', asked));
});

test('11.5/python an event named $set_once, $set beside the properties, alias from old to new', async () => {
  const { app, json, only, person } = await openSdk();
  const item = (event: string, rest: object) => ({
    event,
    distinct_id: 'ada',
    timestamp: '2026-11-20T09:29:00.123456+00:00',
    properties: { $lib: 'posthog-python', $lib_version: '7.53.0', $geoip_disable: true },
    ...rest,
  });
  const batch = [
    item('played', { uuid: UUID }),
    item('$set', { $set: { plan: 'pro' } }),
    item('$set_once', { $set_once: { first: 'x' } }),
    item('$create_alias', { properties: { distinct_id: 'ada', alias: 'ada-new' } }),
    item('$groupidentify', {
      distinct_id: UUID,
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 5 } },
    }),
    item('nobody', { distinct_id: UUID, properties: { $process_person_profile: false } }),
  ];
  const body = {
    batch,
    historical_migration: false,
    sent_at: '2026-11-20T09:30:00+00:00',
    api_key: TEST_TOKEN,
  };
  expectTaken(await json('/batch/', body, { 'User-Agent': 'posthog-python/7.53.0' }));
  expect(await only('played')).toMatchObject({ id: UUID, timestamp: '2026-11-20T09:29:00.123456+00:00' });
  const found = await person('ada-new');
  expect(found).toMatchObject({ distinct_ids: ['ada-new', 'ada'], properties: { plan: 'pro', first: 'x' } });
  const asked = {
    api_key: TEST_TOKEN,
    distinct_id: 'ada',
    groups: {},
    person_properties: {},
    device_id: null,
  };
  expectNoFlags(
    await json('/flags/?v=2', { ...asked, group_properties: {}, geoip_disable: true, sent_at: AT }),
  );
  await expectDefinitions(app, `/flags/definitions?token=${TEST_TOKEN}&send_cohorts`);
});

test('11.5/go compressed, with the hint in query and header', async () => {
  const { app, gzip, json, person } = await openSdk();
  const sent = {
    type: 'capture',
    uuid: UUID,
    library: 'posthog-go',
    library_version: '1.2.3',
    timestamp: AT,
  };
  const batch = [
    { ...sent, event: '$identify', distinct_id: 'ada', $set: { plan: 'pro' }, send_feature_flags: false },
  ];
  const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
  const answer = await gzip('/batch/?compression=gzip', { api_key: TEST_TOKEN, batch }, headers);
  expectTaken(answer);
  expect(await person('ada')).toMatchObject({ properties: { plan: 'pro' } });
  expectNoFlags(await json('/flags/?v=2', { api_key: TEST_TOKEN, distinct_id: 'ada', groups: {} }));
  await expectDefinitions(app, `/flags/definitions?send_cohorts=true&token=${TEST_TOKEN}`);
});

test('11.5/ruby compressed batches without sent_at, answered with an object', async () => {
  const { app, gzip, json, person } = await openSdk();
  const batch = [
    { type: 'identify', event: '$identify', distinct_id: 'ada', $set: { plan: 'pro' }, timestamp: AT },
  ];
  const headers = { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' };
  expectTaken(await gzip('/batch/', { api_key: TEST_TOKEN, batch }, headers));
  expect(await person('ada')).toMatchObject({ properties: { plan: 'pro' } });
  expectNoFlags(await json('/flags/?v=2', { token: TEST_TOKEN, distinct_id: 'ada' }));
  await expectDefinitions(app, `/flags/definitions?token=${TEST_TOKEN}&send_cohorts=true`);
});

test('11.5/php only 200 is success', async () => {
  const { app, json, only } = await openSdk();
  const batch = [
    { event: 'played', distinct_id: 'ada', library: 'posthog-php', properties: { $lib: 'posthog-php' } },
  ];
  expectTaken(await json('/batch/', { batch, api_key: TEST_TOKEN }));
  expect(await only('played')).toMatchObject({ distinct_id: 'ada' });
  expectNoFlags(await json('/flags/?v=2', { api_key: TEST_TOKEN, distinct_id: 'ada' }));
  await expectDefinitions(app, `/flags/definitions?send_cohorts&token=${TEST_TOKEN}`);
});

test('11.5/rust one event to /i/v0/e, several to /batch, $distinct_id in older ones', async () => {
  const { app, json, only } = await openSdk();
  const properties = { $lib: 'posthog-rs' };
  expectTaken(await json('/i/v0/e/', { api_key: TEST_TOKEN, event: 'one', distinct_id: 'ada', properties }));
  const batch = [{ event: 'many', $distinct_id: 'bea', properties, timestamp: null }];
  expectTaken(await json('/batch/', { api_key: TEST_TOKEN, historical_migration: false, batch }));
  expect(await only('one')).toMatchObject({ distinct_id: 'ada' });
  expect(await only('many')).toMatchObject({ distinct_id: 'bea' });
  await expectDefinitions(app, '/flags/definitions/?send_cohorts');
});
