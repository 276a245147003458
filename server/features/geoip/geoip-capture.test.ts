import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mmdbFile } from '../../../test/support/mmdb.ts';
import { openTestStore } from '../../../test/support/store.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const GOOGLE = '8.8.8.8';
/** In the file below. */
const LONDON = '81.2.69.142';
const UNITED_STATES = {
  $geoip_country_code: 'US',
  $geoip_country_name: 'United States',
  $geoip_continent_code: 'NA',
  $geoip_continent_name: 'North America',
};
const INITIAL = {
  $initial_geoip_country_code: 'US',
  $initial_geoip_country_name: 'United States',
  $initial_geoip_continent_code: 'NA',
  $initial_geoip_continent_name: 'North America',
};

let folder = '';
let cityFile = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burrow-geoip-'));
  cityFile = join(folder, 'city.mmdb');
  const london = {
    country: { iso_code: 'GB', names: { en: 'United Kingdom' } },
    continent: { code: 'EU', names: { en: 'Europe' } },
    city: { names: { en: 'London' } },
    location: { latitude: 51.5, longitude: -0.12, time_zone: 'Europe/London' },
  };
  await writeFile(cityFile, mmdbFile({ '81.2.69.0/24': london }));
});
afterAll(() => rm(folder, { recursive: true }));

/** Sends an event the short way, or with what makes it parsed: both must end the same. */
async function send(app: TestApp, from: string | null, event: object, isParsed = false): Promise<void> {
  const body = { event: 'seen', distinct_id: 'ada', ...event, ...(isParsed ? { $set_once: {} } : {}) };
  const headers: Record<string, string> = from === null ? {} : { 'X-Forwarded-For': from };
  const answer = await app.ask('/batch/', {
    method: 'POST',
    key: null,
    headers,
    body: { api_key: TEST_TOKEN, batch: [body] },
  });
  expect(answer.status).toBe(200);
}

async function storedProperties(app: TestApp): Promise<Record<string, unknown>> {
  const { results } = (await app.ask('/api/projects/1/events/')).json as {
    results: { properties: string }[];
  };
  return JSON.parse(results[0]!.properties) as Record<string, unknown>;
}

async function personProperties(app: TestApp): Promise<Record<string, unknown> | undefined> {
  const { results } = (await app.ask('/api/projects/1/persons/?distinct_id=ada')).json as {
    results: { properties: Record<string, unknown> }[];
  };
  return results[0]?.properties;
}

describe('6.7b GeoIP', () => {
  test.each([
    ['short', false],
    ['general', true],
  ])(
    '6.7b an event has the location of its sender, and so does its person, the %s way',
    async (_, isParsed) => {
      const app = await openTestApp();
      await send(app, GOOGLE, { properties: { a: 1 } }, isParsed);
      expect(await storedProperties(app)).toMatchObject({ a: 1, $ip: GOOGLE, ...UNITED_STATES });
      expect(await personProperties(app)).toEqual({ ...UNITED_STATES, ...INITIAL });
    },
  );
  test('6.7b the first location is stored as the initial one, the newest as the current one', async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, {});
    await send(app, LONDON, {});
    expect(await personProperties(app)).toMatchObject({ ...INITIAL, $geoip_country_code: 'GB' });
  });
  test("6.7b the address in the event is used, not the sender's", async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, { properties: { $ip: LONDON } });
    expect(await storedProperties(app)).toMatchObject({ $ip: LONDON, $geoip_country_code: 'GB' });
  });
  test.each([[null], [''], ['unknown'], [7], ['127.0.0.1']])(
    '6.7b an event whose $ip is %j has no location',
    async ($ip) => {
      const app = await openTestApp();
      await send(app, GOOGLE, { properties: { $ip } });
      expect(await storedProperties(app)).toEqual({ $ip });
    },
  );
  test('6.7b disabled by the event', async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, { properties: { $geoip_disable: true } });
    expect(await storedProperties(app)).toEqual({ $geoip_disable: true, $ip: GOOGLE });
    expect(await personProperties(app)).toEqual({});
  });
  test('6.7b only true disables it', async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, { properties: { $geoip_disable: 'true' } });
    expect(await storedProperties(app)).toMatchObject(UNITED_STATES);
  });
  test.each([null, '10.1.2.3', '192.168.1.7', '::1', 'fe80::1', '203.0.113.7', '::ffff:10.0.0.1'])(
    '6.7b a private address, %j, has no location',
    async (from) => {
      const app = await openTestApp();
      await send(app, from, { properties: { a: 1 } });
      expect(Object.keys(await storedProperties(app))).toEqual(['a', '$ip']);
      expect(await personProperties(app)).toEqual({});
    },
  );
  test('6.7b values in the event are not overwritten', async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, { properties: { $geoip_country_code: 'XX', $geoip_continent_name: null } });
    expect(await storedProperties(app)).toEqual({
      ...UNITED_STATES,
      $geoip_country_code: 'XX',
      $geoip_continent_name: null,
      $ip: GOOGLE,
    });
  });
  test('6.7b $set of the event wins on the person, and its other updates are applied too', async () => {
    const app = await openTestApp();
    const $set = { $geoip_country_code: 'XX', plan: 'pro' };
    await send(app, GOOGLE, { properties: { $set, $set_once: { $initial_geoip_country_code: 'YY' } } });
    expect(await personProperties(app)).toEqual({
      ...UNITED_STATES,
      ...INITIAL,
      ...$set,
      $initial_geoip_country_code: 'YY',
    });
  });
  test('6.7b an anonymous event has its location and creates no person', async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, { properties: { $process_person_profile: false } });
    expect(await storedProperties(app)).toMatchObject(UNITED_STATES);
    expect(await personProperties(app)).toBeUndefined();
  });
  test('6.7b, 6.3 an exception has its location and changes no person', async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, { event: '$exception' });
    expect(await storedProperties(app)).toMatchObject(UNITED_STATES);
    expect(await personProperties(app)).toEqual({});
  });
  test('6.7b an event of PostHog itself has the $ip of this machine and no location', async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, { properties: { capture_internal: true } });
    expect(await storedProperties(app)).toEqual({ capture_internal: true, $ip: '127.0.0.1' });
  });
  test.each([
    ['short', false],
    ['general', true],
  ])('6.7b, 6.7 groups and locations are set together, the %s way', async (_, isParsed) => {
    const app = await openTestApp();
    await send(app, GOOGLE, { properties: { $groups: { company: 'acme' } } }, isParsed);
    const added = { $ip: GOOGLE, ...UNITED_STATES, $group_0: 'acme' };
    expect(await storedProperties(app)).toMatchObject(added);
  });
  test('6.7b location properties are listed among the properties of events', async () => {
    const app = await openTestApp();
    await send(app, GOOGLE, {});
    const rows = await app.store.db.all<{ name: string }>(
      `SELECT name FROM property_definitions WHERE type = 'event' AND starts_with(name, '$geoip_')`,
    );
    expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(UNITED_STATES).toSorted());
  });
});

describe('the setting', () => {
  const ask = (app: TestApp, body: object) => app.ask('/api/burrow/geoip/', { method: 'PUT', body });

  test('is the built-in country file at first', async () => {
    const app = await openTestApp();
    const { json } = await app.ask('/api/burrow/geoip/');
    expect(json).toMatchObject({ source: 'country', file: null, set_by: 'default', problem: null });
    expect(json.built_at).toMatch(/^20\d\d-/);
  });
  test('a city file is used from the next event on, and "none" sets no location', async () => {
    const app = await openTestApp();
    const set = await ask(app, { source: 'city', file: cityFile });
    expect(set.json).toMatchObject({
      source: 'city',
      file: cityFile,
      database_type: 'Test-City',
      set_by: 'setting',
      problem: null,
    });
    await send(app, LONDON, {});
    expect(await storedProperties(app)).toMatchObject({
      $geoip_country_code: 'GB',
      $geoip_city_name: 'London',
      $geoip_latitude: 51.5,
      $geoip_longitude: -0.12,
      $geoip_time_zone: 'Europe/London',
    });
    expect((await ask(app, { source: 'none' })).json).toMatchObject({ source: 'none', database_type: null });
    app.clock.now += 1_000;
    await send(app, LONDON, {});
    expect(await storedProperties(app)).toEqual({ $ip: LONDON });
    expect((await ask(app, { source: 'country' })).json).toMatchObject({ source: 'country', file: null });
    app.clock.now += 1_000;
    await send(app, LONDON, {});
    expect(await storedProperties(app)).toMatchObject({ $geoip_country_code: 'GB' });
  });
  test.each([
    ['no file', { source: 'city' }, 'file', 'Specify the path of the .mmdb file.'],
    [
      'a relative path',
      { source: 'city', file: 'city.mmdb' },
      'file',
      'Enter the absolute path of the file.',
    ],
    [
      'a missing file',
      { source: 'city', file: '/none/city.mmdb' },
      'file',
      '/none/city.mmdb does not exist.',
    ],
    ['another source', { source: 'moon' }, 'source', 'This must be one of: country, city, none.'],
  ])('%s is refused with a message, and the current file stays in use', async (_, body, attr, detail) => {
    const app = await openTestApp();
    await ask(app, { source: 'city', file: cityFile });
    const answer = await ask(app, body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ type: 'validation_error', attr, detail });
    expect((await app.ask('/api/burrow/geoip/')).json).toMatchObject({ source: 'city', file: cityFile });
    await send(app, LONDON, {});
    expect(await storedProperties(app)).toMatchObject({ $geoip_city_name: 'London' });
  });
  test('needs the scope of projects', async () => {
    const app = await openTestApp();
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'reader', scopes: ['project:read'] },
    });
    const key = made.json.value as string;
    expect((await app.ask('/api/burrow/geoip/', { key })).status).toBe(200);
    const put = await app.ask('/api/burrow/geoip/', { method: 'PUT', key, body: { source: 'none' } });
    expect(put.status).toBe(403);
  });
  test('is for admins, and each change is in the activity log, without the folder of the file', async () => {
    const app = await openTestApp();
    const members = '/api/organizations/@current/members/';
    const { personal_api_key: key } = (
      await app.ask(members, { method: 'POST', body: { email: 'lin@local.test' } })
    ).json;
    const put = { method: 'PUT', body: { source: 'none' } };
    expect(await app.ask('/api/burrow/geoip/', { ...put, key })).toMatchObject({
      status: 403,
      json: { code: 'permission_denied' },
    });
    await ask(app, { source: 'city', file: cityFile });
    await ask(app, { source: 'city', file: cityFile });
    const log = await app.store.db.all<{ detail: string }>(
      "SELECT detail FROM activity_log WHERE scope = 'Organization'",
    );
    expect(log.map(({ detail }) => JSON.parse(detail).changes)).toMatchObject([
      [
        { field: 'geoip_source', before: 'country', after: 'city' },
        { field: 'geoip_file', before: null, after: 'city.mmdb' },
      ],
    ]);
    expect(JSON.stringify(log)).not.toContain(folder);
  });
  test('is kept after a restart; without its file the country file is used, and the setting has a problem', async () => {
    const path = join(folder, 'kept.duckdb');
    const moved = join(folder, 'moved.mmdb');
    await writeFile(moved, mmdbFile({ '81.2.69.0/24': { country_code: 'FR', city: 'Paris' } }));
    const first = await openTestStore({ path });
    await ask(await openTestApp({ store: first }), { source: 'city', file: moved });
    await first.close();
    const second = await openTestStore({ path });
    const app = await openTestApp({ store: second });
    await send(app, LONDON, {});
    expect(await storedProperties(app)).toMatchObject({ $geoip_city_name: 'Paris' });
    await second.close();
    await rm(moved);
    const third = await openTestStore({ path });
    const last = await openTestApp({ store: third });
    expect((await last.ask('/api/burrow/geoip/')).json).toMatchObject({
      source: 'city',
      file: moved,
      set_by: 'setting',
      problem: `${moved} does not exist.`,
    });
    await send(last, LONDON, { event: 'later' });
    expect(await storedProperties(last)).toMatchObject({ $geoip_country_code: 'GB' });
    await third.close();
  });
});

describe('--geoip-file', () => {
  test('overrides the setting, which cannot be changed meanwhile', async () => {
    const app = await openTestApp({ config: { geoipFile: cityFile } });
    expect((await app.ask('/api/burrow/geoip/')).json).toMatchObject({
      source: 'city',
      file: cityFile,
      set_by: 'option',
      database_type: 'Test-City',
    });
    const refused = await app.ask('/api/burrow/geoip/', { method: 'PUT', body: { source: 'none' } });
    expect(refused.status).toBe(400);
    expect(refused.json).toMatchObject({ attr: 'source', detail: expect.stringContaining('--geoip-file') });
    await send(app, LONDON, {});
    expect(await storedProperties(app)).toMatchObject({ $geoip_city_name: 'London' });
  });
  test('an unusable file ends the start with a message', async () => {
    const path = join(folder, 'none.mmdb');
    await expect(openTestApp({ config: { geoipFile: path } })).rejects.toThrow(
      `--geoip-file: ${path} does not exist.`,
    );
  });
});
