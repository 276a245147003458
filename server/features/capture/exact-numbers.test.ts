import LZString from 'lz-string';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const WHOLE = '9007199254740993';
const LARGEST = '18446744073709551615';
const DECIMAL = '0.12345678901234567890';
const HUGE = '1e400';
/** As they stand in a body, and as they are stored. */
const NUMBERS = `{"whole":${WHOLE},"deep":[{"largest":-${LARGEST}}],"decimal":${DECIMAL},"huge":${HUGE},"text":"${WHOLE}"}`;

let app: TestApp;
beforeEach(async () => {
  app = await openTestApp();
});

const event = (properties: string, name = 'paid') =>
  `{"event":"${name}","distinct_id":"ada","properties":${properties}}`;
const keyed = (body: string) => body.replace('{', `{"api_key":"${TEST_TOKEN}",`);
const batch = (...events: string[]) => `{"api_key":"${TEST_TOKEN}","batch":[${events.join(',')}]}`;
/** What only the general reader takes. */
const unusual = (properties: string) => properties.replace('{', '{"ratio":NaN,');

async function post(path: string, body: string | Uint8Array, headers: Record<string, string> = {}) {
  const answer = await fetch(app.url + path, { method: 'POST', body: body as never, headers });
  expect([200, 204], await answer.text()).toContain(answer.status);
}

async function stored(): Promise<string[]> {
  const rows = await app.store.db.all<{ properties: string }>(
    "SELECT properties::VARCHAR AS properties FROM all_events WHERE event = 'paid'",
  );
  return rows.map(({ properties }) => properties);
}

async function expectStored(): Promise<void> {
  const texts = await stored();
  expect(texts).toHaveLength(1);
  for (const member of NUMBERS.slice(1, -1).split(/,(?=")/)) expect(texts[0]).toContain(member);
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const form = (data: string) => new URLSearchParams({ data }).toString();
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('3.3/properties a number has the digits that were sent', () => {
  test.each(['/e/', '/i/v0/e/', '/capture/', '/batch/', '/track/'])('at %s', async (path) => {
    await post(path, keyed(event(NUMBERS)));
    await expectStored();
  });

  const encoded: [string, string, string | Uint8Array, Record<string, string>?][] = [
    ['in a body with NaN', '/e/', keyed(event(unusual(NUMBERS)))],
    ['in a batch with NaN', '/batch/', batch(event(unusual(NUMBERS)))],
    ['in an array of events', '/e/', `[${event(NUMBERS.replace('{', `{"token":"${TEST_TOKEN}",`))}]`],
    ['in a form', '/e/', form(keyed(event(NUMBERS))), FORM],
    ['in a form of base64', '/e/', form(base64(keyed(event(NUMBERS)))), FORM],
    ['in base64', '/e/?compression=base64', base64(keyed(event(NUMBERS)))],
    ['in lz64', '/e/?compression=lz64', LZString.compressToBase64(keyed(event(NUMBERS)))],
    ['in gzip', '/e/?compression=gzip-js', gzipSync(keyed(event(NUMBERS)))],
    ['in gzip with NaN', '/e/', gzipSync(keyed(event(unusual(NUMBERS)))), { 'content-encoding': 'gzip' }],
    ['of sendBeacon', '/e/?beacon=1', keyed(event(NUMBERS)), { 'content-type': 'text/plain' }],
    [
      'beside $elements',
      '/e/',
      keyed(event(NUMBERS.replace('{', '{"$elements":[{"tag_name":"a","nth_child":1}],'))),
    ],
    [
      'of an anonymous event',
      '/e/',
      keyed(event(NUMBERS.replace('{', '{"$process_person_profile":false,"$set":{"a":1},'))),
    ],
  ];
  test.each(encoded)('%s', async (_, path, body, headers) => {
    await post(path, body, headers);
    await expectStored();
  });

  test('in the query of a pixel', async () => {
    const data = encodeURIComponent(keyed(event(NUMBERS)));
    expect((await fetch(`${app.url}/e/?data=${data}`)).status).toBe(200);
    await expectStored();
  });

  test('in a project that keeps no addresses', async () => {
    await app.ask('/api/projects/1/', { method: 'PATCH', body: { anonymize_ips: true } });
    await post('/e/', keyed(event(NUMBERS)));
    await expectStored();
  });

  test('in capture v1', async () => {
    const uuid = '0190c5a0-0000-7000-8000-000000000001';
    const item = event(NUMBERS).replace('{', `{"uuid":"${uuid}","timestamp":"2026-11-20T08:00:00Z",`);
    await post('/i/v1/analytics/events', `{"created_at":"2026-11-20T08:00:00Z","batch":[${item}]}`, {
      authorization: `Bearer ${TEST_TOKEN}`,
      'content-type': 'application/json',
      'posthog-sdk-info': 'posthog-node/5.0.0',
      'posthog-attempt': '1',
      'posthog-request-id': '0190c5a0-0000-7000-8000-000000000002',
      'posthog-request-timestamp': '2026-11-20T08:00:00Z',
    });
    await expectStored();
  });
});

test('3.3/properties a number in place of an object is refused, however long', async () => {
  for (const body of [keyed(event(WHOLE)), batch(WHOLE), WHOLE]) {
    expect((await fetch(`${app.url}/e/`, { method: 'POST', body })).status).toBe(400);
  }
  await post('/e/', keyed(event(`{"$set":${WHOLE},"$groups":${WHOLE}}`)));
  expect(await stored()).toHaveLength(1);
  expect(await app.store.db.all('SELECT 1 FROM persons WHERE length(properties::VARCHAR) > 200')).toEqual([]);
});

describe('6.3 a property of a person has the digits that were sent', () => {
  async function person(): Promise<string> {
    const rows = await app.store.db.all<{ properties: string }>(
      'SELECT properties::VARCHAR AS properties FROM persons',
    );
    expect(rows).toHaveLength(1);
    return rows[0]!.properties;
  }

  test.each([
    ['by $set', `{"$set":${NUMBERS}}`],
    ['by $set_once', `{"$set_once":${NUMBERS}}`],
    ['by $set in a body with NaN', unusual(`{"$set":${NUMBERS}}`)],
  ])('%s, and keeps them when another is set or removed', async (_, properties) => {
    await post('/e/', keyed(event(properties)), { 'content-type': 'text/plain' });
    await post('/e/', keyed(event('{"$set":{"other":1}}')));
    await post('/e/', keyed(event('{"$unset":["other"]}')));
    for (const member of NUMBERS.slice(1, -1).split(/,(?=")/)) expect(await person()).toContain(member);
  });

  test('beside the properties, and on the engage path', async () => {
    await post('/e/', keyed(event('{}').replace('{', `{"$set":{"beside":${WHOLE}},`)));
    await post('/engage/', keyed(`{"distinct_id":"ada","$set":{"engaged":${LARGEST}}}`));
    expect(await person()).toContain(`"beside":${WHOLE}`);
    expect(await person()).toContain(`"engaged":${LARGEST}`);
  });

  test('when two persons are merged, and a change from one long number to the next is a change', async () => {
    await post('/e/', keyed(event(`{"$set":{"id":9007199254740992}}`)));
    await post('/e/', keyed(event(`{"$set":{"id":${WHOLE}}}`)));
    await post('/e/', keyed(event(`{"$set":{"other":${LARGEST}}}`).replace('ada', 'bob')));
    await post('/e/', keyed(event('{"alias":"bob"}', '$merge_dangerously')));
    expect(await person()).toContain(`"id":${WHOLE}`);
    expect(await person()).toContain(`"other":${LARGEST}`);
  });

  test('by the management API', async () => {
    await post('/e/', keyed(event('{"$set":{"plan":"pro"}}')));
    const id = (await app.ask('/api/projects/1/persons/')).json.results[0].id as number;
    const set = await app.ask(`/api/projects/1/persons/${id}/`, {
      method: 'PATCH',
      body: `{"properties":${NUMBERS}}`,
    });
    expect(set.status).toBe(202);
    const one = await app.ask(`/api/projects/1/persons/${id}/update_property/`, {
      method: 'POST',
      body: `{"key":"one","value":${LARGEST}}`,
    });
    expect(one.status).toBe(202);
    const text = await person();
    for (const member of NUMBERS.slice(1, -1).split(/,(?=")/)) expect(text).toContain(member);
    expect(text).toContain(`"one":${LARGEST}`);
    expect((await app.ask(`/api/projects/1/persons/${id}/`)).json.properties).toMatchObject({ whole: WHOLE });
  });
});

describe('6.5 a property of a group has the digits that were sent', () => {
  async function group(): Promise<string> {
    const rows = await app.store.db.all<{ properties: string }>(
      'SELECT properties::VARCHAR AS properties FROM groups',
    );
    expect(rows).toHaveLength(1);
    return rows[0]!.properties;
  }

  test('by $groupidentify and by the management API, and keeps them', async () => {
    const identify = `{"$group_type":"company","$group_key":"acme","$group_set":{"first":${WHOLE}}}`;
    await post('/e/', keyed(event(identify, '$groupidentify')));
    await post('/e/', keyed(event(unusual(identify.replace('first', 'second')), '$groupidentify')));
    const path = '/api/projects/1/groups/update_property/?group_type_index=0&group_key=acme';
    expect((await app.ask(path, { method: 'POST', body: `{"key":"third","value":${LARGEST}}` })).status).toBe(
      200,
    );
    const text = await group();
    expect(text).toContain(`"first":${WHOLE}`);
    expect(text).toContain(`"second":${WHOLE}`);
    expect(text).toContain(`"third":${LARGEST}`);
  });

  test('that the management API creates, and in its answer', async () => {
    await post('/e/', keyed(event('{"$groups":{"company":"other"}}')));
    const made = await app.ask('/api/projects/1/groups/', {
      method: 'POST',
      body: `{"group_type_index":0,"group_key":"acme","group_properties":{"first":${WHOLE}}}`,
    });
    expect(made.text).toContain(`"first":${WHOLE}`);
    expect(await group()).toContain(`"first":${WHOLE}`);
  });
});

describe('P-2 a condition compares the digits that were sent', () => {
  const condition = `{"key":"account","type":"person","operator":"exact","value":${WHOLE}}`;

  async function isOn(properties: string): Promise<unknown> {
    const answer = await app.ask('/flags/?v=2', {
      method: 'POST',
      key: null,
      body: `{"api_key":"${TEST_TOKEN}","distinct_id":"ada","person_properties":${properties}}`,
    });
    return answer.json.flags.vip.enabled;
  }

  test('of a flag, with properties of the request and of the person', async () => {
    const made = await app.ask('/api/projects/1/feature_flags/', {
      method: 'POST',
      body: `{"key":"vip","active":true,"filters":{"groups":[{"properties":[${condition}],"rollout_percentage":100}],"payloads":{"true":${LARGEST}}}}`,
    });
    expect(made.status, made.text).toBe(201);
    expect(made.text).toContain(`"true":${LARGEST}`);
    expect(made.text).toContain(WHOLE);
    const renamed = await app.ask(`/api/projects/1/feature_flags/${made.json.id}/`, {
      method: 'PATCH',
      body: { name: 'VIP' },
    });
    expect(renamed.text).toContain(`"true":${LARGEST}`);
    expect(await isOn(`{"account":${WHOLE}}`)).toBe(true);
    expect(await isOn('{"account":9007199254740992}')).toBe(false);
    await post('/e/', keyed(event(`{"$set":{"account":${WHOLE}}}`)));
    expect(await isOn('{}')).toBe(true);
    await post('/e/', keyed(event('{"$set":{"account":9007199254740992}}')));
    expect(await isOn('{}')).toBe(false);
    await post('/e/', keyed(event(`{"$set":{"account":${WHOLE}}}`)));
    const answer = await app.ask('/flags/?v=2', {
      method: 'POST',
      key: null,
      body: { api_key: TEST_TOKEN, distinct_id: 'ada' },
    });
    expect(answer.json.flags.vip.metadata.payload).toBe(LARGEST);
  });

  test('of an action and of a stored insight', async () => {
    await post('/e/', keyed(event(`{"account":${WHOLE}}`)));
    await post('/e/', keyed(event('{"account":9007199254740992}')));
    const own = condition.replace('person', 'event');
    const action = await app.ask('/api/projects/1/actions/', {
      method: 'POST',
      body: `{"name":"VIP","steps":[{"event":"paid","properties":[${own}]}]}`,
    });
    expect(action.text).toContain(WHOLE);
    const source = `{"kind":"TrendsQuery","series":[{"kind":"EventsNode","event":"paid","properties":[${own}]},{"kind":"ActionsNode","id":${action.json.id}}],"dateRange":{"date_from":"all"}}`;
    const insight = await app.ask('/api/projects/1/insights/', {
      method: 'POST',
      body: `{"query":{"kind":"InsightVizNode","source":${source}}}`,
    });
    expect(insight.status, insight.text).toBe(201);
    expect(insight.text).toContain(`"value":${WHOLE}`);
    const shown = await app.ask(`/api/projects/1/insights/${insight.json.id}/?refresh=blocking`);
    expect(shown.json.result.map(({ count }: { count: number }) => count)).toEqual([1, 1]);
  });

  test('of HogQL with values', async () => {
    const answer = await app.ask('/api/projects/1/query/', {
      method: 'POST',
      body: `{"query":{"kind":"HogQLQuery","query":"select {id}, {id} = ${WHOLE}, {share}","values":{"id":${WHOLE},"share":${DECIMAL}}}}`,
    });
    expect(answer.json.results).toEqual([[WHOLE, 1, Number(DECIMAL)]]);
  });

  test('of a cohort', async () => {
    await post('/e/', keyed(event(`{"$set":{"account":${WHOLE}}}`)));
    await post('/e/', keyed(event('{"$set":{"account":9007199254740992}}').replace('ada', 'bob')));
    const made = await app.ask('/api/projects/1/cohorts/', {
      method: 'POST',
      body: `{"name":"VIP","filters":{"properties":{"type":"AND","values":[{"type":"AND","values":[${condition}]}]}}}`,
    });
    expect(made.status).toBe(201);
    expect(made.text).toContain(WHOLE);
    const members = await app.ask(`/api/projects/1/cohorts/${made.json.id}/persons/`);
    expect(members.json.results.map((one: { distinct_ids: string[] }) => one.distinct_ids)).toEqual([
      ['ada'],
    ]);
  });
});
