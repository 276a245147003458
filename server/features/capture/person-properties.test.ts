import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shareTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

/** A-2, copied from the amendment and not from the code. */
const KEYS = (
  '$app_build $app_name $app_namespace $app_version $browser $browser_version $device_type $current_url $pathname $os ' +
  '$os_name $os_version $referring_domain $referrer $screen_height $screen_width $viewport_height $viewport_width ' +
  '$raw_user_agent utm_source utm_medium utm_campaign utm_content utm_name utm_term gclid gad_source gclsrc dclid gbraid ' +
  'wbraid fbclid msclkid twclid li_fat_id mc_cid igshid ttclid rdt_cid irclid _kx epik qclid sccid'
).split(' ');
const NOT_WORTH_A_WRITE = (
  '$current_url $pathname $referring_domain $referrer $screen_height $screen_width $viewport_height $viewport_width ' +
  '$browser $browser_version $device_type $raw_user_agent $os $os_name $os_version'
).split(' ');
const ALWAYS = ['$identify', '$set', '$create_alias', '$merge_dangerously'];
const NEVER = ['$exception', '$$heatmap'];

type Values = Record<string, unknown>;
interface Sent {
  event: string;
  properties: Values;
}

const initial = (key: string): string => `$initial_${key.replace(/^\$/, '')}`;
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What A-2 makes of a person without properties, event by event. */
function personAfter(events: readonly Sent[]): Values {
  const person: Values = {};
  for (const { event, properties } of events) {
    if (properties['$process_person_profile'] === false || NEVER.includes(event)) continue;
    const own = isObject(properties['$set']) ? properties['$set'] : {};
    const ownOnce = isObject(properties['$set_once']) ? properties['$set_once'] : {};
    const isServer = properties['$is_server'] === true;
    const lifted: Values = {};
    for (const key of KEYS) {
      if (!(key in properties) || key === '$os_name') continue;
      if (isServer && (key === '$os' || key === '$os_version')) continue;
      lifted[key] = properties[key];
    }
    const name = properties['$os_name'] ?? null;
    if (!isServer && name !== null && (properties['$os'] ?? null) === null) lifted['$os'] = name;
    const set: Values = { ...lifted, ...own };
    const once: Values = {};
    for (const [key, value] of Object.entries(lifted)) if (value !== null) once[initial(key)] = value;
    for (const [key, value] of Object.entries(ownOnce)) if (value !== null) once[key] = value;

    const next: Values = { ...person };
    for (const [key, value] of Object.entries(once)) if ((next[key] ?? null) === null) next[key] = value;
    for (const [key, value] of Object.entries(set)) next[key] = value;
    const changed = Object.keys(next).filter((key) => !(key in person) || !same(next[key], person[key]));
    const isSpared = changed.every((key) => key in person && NOT_WORTH_A_WRITE.includes(key));
    if (isSpared && !ALWAYS.includes(event)) continue;
    Object.assign(person, next);
  }
  return person;
}

const app = shareTestApp();
let users = 0;

async function send(server: TestApp, distinctId: string, events: readonly Sent[], isParsed: boolean) {
  const batch = events.map((event) => ({ ...event, distinct_id: distinctId }));
  // White space before the brace leaves the short way.
  const text = JSON.stringify({ api_key: TEST_TOKEN, batch });
  const answer = await fetch(`${server.url}/batch/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: isParsed ? ` ${text}` : text,
  });
  expect(answer.status).toBe(200);
}

async function personOf(server: TestApp, distinctId: string): Promise<Values | undefined> {
  const { json } = await server.ask(`/api/projects/1/persons/?distinct_id=${distinctId}`);
  return (json.results as { properties: Values }[])[0]?.properties;
}

/** The properties of a new person after requests with these events. */
async function after(requests: readonly (readonly Sent[])[], isParsed = false): Promise<Values | undefined> {
  const server = await app();
  const distinctId = `user-${users++}`;
  for (const events of requests) await send(server, distinctId, events, isParsed);
  return personOf(server, distinctId);
}

const view = (properties: Values, event = '$pageview'): Sent => ({ event, properties });

describe.each([
  ['the short way', false],
  ['the general way', true],
])('A-2 person properties of events, %s', (_, isParsed) => {
  test.each(KEYS.filter((key) => key !== '$os_name'))('%s is lifted', async (key) => {
    expect(await after([[view({ [key]: 'x' })]], isParsed)).toEqual({ [key]: 'x', [initial(key)]: 'x' });
  });
  test('$os_name fills $os and $initial_os when $os is missing, and is not written itself', async () => {
    expect(await after([[view({ $os_name: 'iOS' })]], isParsed)).toEqual({ $os: 'iOS', $initial_os: 'iOS' });
    expect(await after([[view({ $os_name: 'a', $os: 'b' })]], isParsed)).toEqual({
      $os: 'b',
      $initial_os: 'b',
    });
  });
  test('with $is_server the system is that of the server, so it is not lifted', async () => {
    const properties = {
      $is_server: true,
      $os: 'Linux',
      $os_version: '6',
      $os_name: 'Linux',
      $app_name: 'api',
    };
    expect(await after([[view(properties)]], isParsed)).toEqual({
      $app_name: 'api',
      $initial_app_name: 'api',
    });
  });
  test('null clears the latest value and sets no initial one', async () => {
    const visits = [[view({ gclid: null })], [view({ gclid: 'g1' })], [view({ gclid: null })]];
    expect(await after(visits.slice(0, 1), isParsed)).toEqual({ gclid: null });
    expect(await after(visits, isParsed)).toEqual({ gclid: null, $initial_gclid: 'g1' });
  });
  test("the event's own values win, but its own null in $set_once is ignored", async () => {
    const properties = {
      utm_source: 'ad',
      $set: { utm_source: null },
      $set_once: { $initial_utm_source: null },
    };
    expect(await after([[view(properties)]], isParsed)).toEqual({
      utm_source: null,
      $initial_utm_source: 'ad',
    });
  });
  test('properties that change on every page are written together with any other change', async () => {
    const first = [view({ $pathname: '/a', utm_term: 'x' })];
    expect(await after([first, [view({ $pathname: '/b' })]], isParsed)).toMatchObject({ $pathname: '/a' });
    expect(await after([first, [view({ $pathname: '/b', utm_term: 'y' })]], isParsed)).toMatchObject({
      $pathname: '/b',
      utm_term: 'y',
      $initial_pathname: '/a',
    });
    expect(await after([first, [view({ $pathname: '/b' }, '$set')]], isParsed)).toMatchObject({
      $pathname: '/b',
    });
  });
  test.each(NEVER)('%s changes no person', async (event) => {
    expect(await after([[view({ $browser: 'Chrome' }, event)]], isParsed)).toEqual({});
  });
  test('an event without a person profile creates no person', async () => {
    const properties = { $browser: 'Chrome', $process_person_profile: false };
    expect(await after([[view(properties)]], isParsed)).toBeUndefined();
  });
});

test('A-2 the stored event has $set and $set_once as they were sent', async () => {
  const server = await app();
  const properties = { $browser: 'Chrome', $set: { plan: 'pro' }, $set_once: {} };
  await send(server, 'stored', [view(properties, 'stored as sent')], false);
  const { json } = await server.ask('/api/projects/1/events/?event=stored%20as%20sent');
  const [stored] = json.results as { properties: string }[];
  expect(JSON.parse(stored!.properties)).toMatchObject({ $set: { plan: 'pro' }, $set_once: {} });
  expect(Object.keys(JSON.parse(stored!.properties) as object)).not.toContain('$initial_browser');
});

test('A-2 /flags uses the properties of an acknowledged event', async () => {
  const server = await app();
  const properties = [{ key: '$initial_utm_source', type: 'person', value: 'news', operator: 'exact' }];
  const body = {
    key: 'from-news',
    active: true,
    filters: { groups: [{ properties, rollout_percentage: 100 }] },
  };
  await server.ask('/api/projects/1/feature_flags/', { method: 'POST', body });
  const isOn = async (distinctId: string): Promise<boolean> => {
    const asked = { token: TEST_TOKEN, distinct_id: distinctId };
    const answer = await server.ask('/flags/?v=2', { method: 'POST', key: null, body: asked });
    return answer.json.flags['from-news'].enabled as boolean;
  };
  expect(await isOn('reader')).toBe(false);
  await send(server, 'reader', [view({ utm_source: 'news' })], false);
  expect(await isOn('reader')).toBe(true);
});

const someKey = fc.constantFrom('$os', '$os_name', '$os_version', '$browser', '$pathname', 'utm_source', 'gclid', '$app_name', '$other'); // prettier-ignore
const value = fc.constantFrom<unknown>('a', 'b', 'é"', 1, null, { x: [1] }, '');
const own = fc.oneof(
  fc.dictionary(fc.oneof(someKey, someKey.map(initial)), value, { maxKeys: 3 }),
  fc.constantFrom<unknown>('text', null, [1]),
);
const sent: fc.Arbitrary<Sent> = fc.record({
  event: fc.constantFrom('$pageview', '$pageview', 'paid', '$set', '$identify', ...NEVER),
  properties: fc
    .tuple(
      fc.dictionary(someKey, value, { maxKeys: 5 }),
      fc.record({ $set: own, $set_once: own, $is_server: fc.boolean() }, { requiredKeys: [] }),
    )
    .map(([more, orders]) => ({ ...more, ...orders })),
});

test('A-2 any events change a person as the model does, parsed or not', { tags: ['deep'] }, async () => {
  const requests = fc.array(fc.array(sent, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(requests, fc.boolean(), async (batches, isParsed) => {
      expect(await after(batches, isParsed)).toEqual(personAfter(batches.flat()));
    }),
    { numRuns: 60 },
  );
});
