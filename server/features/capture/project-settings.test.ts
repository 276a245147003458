import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../test/support/test-app.ts';

const GOOGLE = '8.8.8.8';
const NOW = '2026-11-20T09:30:00.000Z';

type Sent = Record<string, unknown>;

/** Sends an event through a door; `beside` makes the general decoder read what the short way would have read. */
const DOORS: Record<string, (app: TestApp, event: Sent) => Promise<{ status: number; text: string }>> = {
  'capture v0': (app, event) => post(app, '/batch/', { api_key: TEST_TOKEN, batch: [event] }),
  'capture v0, parsed': (app, event) =>
    post(app, '/e/', { api_key: TEST_TOKEN, ...event, $set_once: { beside: true } }),
  'an AI batch': (app, event) => post(app, '/i/v0/ai/batch/', { api_key: TEST_TOKEN, batch: [event] }),
  'an AI form': (app, event) => {
    const body = new FormData();
    body.append(
      'event',
      new Blob([JSON.stringify({ timestamp: NOW, ...event })], { type: 'application/json' }),
    );
    return ask(app, '/i/v0/ai', body, { Authorization: `Bearer ${TEST_TOKEN}` });
  },
  'capture v1': (app, event) => v1(app, '/i/v1/analytics/events', event),
  'AI events of v1': (app, event) => v1(app, '/i/v1/ai/events', event),
  gzip: (app, event) =>
    ask(app, '/e/?compression=gzip-js', gzipSync(JSON.stringify({ api_key: TEST_TOKEN, ...event }))),
};
const DOOR_NAMES = Object.keys(DOORS);

async function ask(
  app: TestApp,
  path: string,
  body: string | FormData | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) {
  const answer = await fetch(app.url + path, {
    method: 'POST',
    headers: { 'X-Forwarded-For': GOOGLE, ...headers },
    body,
  });
  return { status: answer.status, text: await answer.text() };
}

function post(app: TestApp, path: string, body: object, headers: Record<string, string> = {}) {
  return ask(app, path, JSON.stringify(body), { 'Content-Type': 'application/json', ...headers });
}

function v1(app: TestApp, path: string, event: Sent) {
  const uuid = '0190a000-0000-7000-8000-000000000001';
  const headers = {
    Authorization: `Bearer ${TEST_TOKEN}`,
    'PostHog-Sdk-Info': 'posthog-js/1.449.2',
    'PostHog-Attempt': '1',
    'PostHog-Request-Id': '0190a000-0000-7000-8000-00000000ffff',
    'PostHog-Request-Timestamp': NOW,
  };
  return post(app, path, { created_at: NOW, batch: [{ uuid, timestamp: NOW, ...event }] }, headers);
}

async function stored(app: TestApp): Promise<Sent[]> {
  const { results } = (await app.ask('/api/projects/1/events/')).json as {
    results: { properties: string }[];
  };
  return results.map(({ properties }) => JSON.parse(properties) as Sent);
}

async function change(app: TestApp, settings: object): Promise<void> {
  const answer = await app.ask('/api/projects/1/', { method: 'PATCH', body: settings });
  expect(answer.status, answer.text).toBe(200);
}

const EVENT = { event: '$ai_generation', distinct_id: 'ada', properties: { $ai_model: 'm' } };

describe('A-3 anonymize_ips', () => {
  test.each(DOOR_NAMES)(
    '%s: the location is looked up from the address, which is not stored',
    async (door) => {
      const app = await openTestApp();
      await change(app, { anonymize_ips: true });
      for (const properties of [EVENT.properties, { ...EVENT.properties, $ip: '8.8.4.4' }]) {
        const answer = await DOORS[door]!(app, { ...EVENT, properties });
        expect(answer.status, answer.text).toBe(200);
      }
      const events = await stored(app);
      expect(events.length).toBeGreaterThan(0);
      for (const properties of events) {
        expect(properties).toMatchObject({ $ai_model: 'm', $geoip_country_code: 'US' });
        expect(JSON.stringify(properties)).not.toMatch(/\$ip|8\.8\./);
      }
      const warnings = await app.ask('/api/projects/1/burrow/ingestion_warnings/');
      expect(warnings.text).not.toMatch(/8\.8\./);
    },
  );

  test.each(DOOR_NAMES)(
    '%s: an address in updates of a person or group is not stored either',
    async (door) => {
      const app = await openTestApp();
      await change(app, { anonymize_ips: true });
      const updates = {
        $set: { email: 'ada@x.test', $ip: '8.8.4.4', $last_ip: '8.8.4.4' },
        $set_once: { plan: 'free', $initial_ip: '8.8.4.4' },
      };
      const properties = { ...EVENT.properties, $initial_ip: '8.8.4.4', ...updates };
      expect((await DOORS[door]!(app, { ...EVENT, event: 'seen', properties })).status).toBe(200);
      await DOORS[door]!(app, {
        event: '$groupidentify',
        distinct_id: 'ada',
        uuid: '0190a000-0000-7000-8000-000000000002',
        properties: { $group_type: 'shop', $group_key: 'north', $group_set: { $ip: '8.8.4.4', size: 3 } },
      });
      const events = await stored(app);
      expect(events).toHaveLength(2);
      expect(JSON.stringify(events)).not.toMatch(/_ip|\$ip|8\.8\./);
      const persons = await app.ask('/api/projects/1/persons/');
      expect(persons.json.results[0].properties).toMatchObject({ email: 'ada@x.test', plan: 'free' });
      expect(persons.text).not.toMatch(/8\.8\./);
      const groups = await app.ask('/api/projects/1/groups/?group_type_index=0');
      expect(groups.json.results[0].group_properties).toEqual({ size: 3 });
    },
  );

  test('a change of the setting applies to the next event', async () => {
    const app = await openTestApp();
    const send = () => post(app, '/e/', { api_key: TEST_TOKEN, event: 'seen', distinct_id: 'ada' });
    await send();
    await change(app, { anonymize_ips: true });
    await send();
    await change(app, { anonymize_ips: false });
    await send();
    expect((await stored(app)).map(({ $ip }) => $ip).sort()).toEqual([GOOGLE, GOOGLE, undefined]);
  });

  test('a project created with the setting applies it from its first event on', async () => {
    const app = await openTestApp();
    const made = await app.ask('/api/organizations/@current/projects/', {
      method: 'POST',
      body: { name: 'Other', anonymize_ips: true },
    });
    const { id, api_token } = made.json as { id: number; api_token: string };
    await post(app, '/e/', { api_key: api_token, event: 'seen', distinct_id: 'ada' });
    const { results } = (await app.ask(`/api/projects/${id}/events/`)).json as {
      results: { properties: string }[];
    };
    expect(JSON.parse(results[0]!.properties)).not.toHaveProperty('$ip');
  });
});

describe('A-4 cookieless events', () => {
  const COOKIELESS = {
    ...EVENT,
    distinct_id: '$posthog_cookieless',
    properties: { $ai_model: 'm', $cookieless_mode: true },
  };

  test.each(DOOR_NAMES)('%s: they are dropped with a warning, and create no person', async (door) => {
    const app = await openTestApp();
    const answer = await DOORS[door]!(app, COOKIELESS);
    expect(answer.status, answer.text).toBe(200);
    expect(await stored(app)).toEqual([]);
    expect((await app.ask('/api/projects/1/persons/')).json.results).toEqual([]);
    expect((await app.ask('/api/projects/1/burrow/ingestion_warnings/')).json.results).toMatchObject([
      { type: 'cookieless_disabled', count: 1 },
    ]);
  });

  test('an event with a custom distinct id is stored under it', async () => {
    const app = await openTestApp();
    await DOORS['capture v0']!(app, { ...COOKIELESS, distinct_id: 'ada' });
    expect(await stored(app)).toMatchObject([{ $cookieless_mode: true }]);
  });

  test('$identify and aliases do not merge persons with the shared cookieless id', async () => {
    const app = await openTestApp();
    for (const id of ['ada', 'bob']) {
      await DOORS['capture v0']!(app, {
        event: '$identify',
        distinct_id: id,
        properties: { $cookieless_mode: true, $anon_distinct_id: '$posthog_cookieless' },
      });
      await DOORS['capture v0']!(app, {
        event: '$create_alias',
        distinct_id: id,
        properties: { alias: '$posthog_cookieless' },
      });
    }
    const { results } = (await app.ask('/api/projects/1/persons/')).json as {
      results: { distinct_ids: string[] }[];
    };
    expect(results.map(({ distinct_ids }) => distinct_ids).sort()).toEqual([['ada'], ['bob']]);
  });

  test('the setting is 0 in responses, whatever was sent', async () => {
    const app = await openTestApp();
    await change(app, { cookieless_server_hash_mode: 2 });
    expect((await app.ask('/api/projects/1/')).json.cookieless_server_hash_mode).toBe(0);
  });

  test('/flags with the shared id is evaluated as for an unknown person', async () => {
    const app = await openTestApp();
    const flag = (key: string, properties: object[]) =>
      app.ask('/api/projects/1/feature_flags/', {
        method: 'POST',
        body: { key, active: true, filters: { groups: [{ properties, rollout_percentage: 100 }] } },
      });
    await flag('everybody', []);
    await flag('pros', [{ key: 'plan', type: 'person', value: 'pro', operator: 'exact' }]);
    const answer = await post(app, '/flags/?v=2', {
      token: TEST_TOKEN,
      distinct_id: '$posthog_cookieless',
      $anon_distinct_id: '$posthog_cookieless',
    });
    const { flags } = JSON.parse(answer.text) as { flags: Record<string, { enabled: boolean }> };
    expect([flags['everybody']?.enabled, flags['pros']?.enabled]).toEqual([true, false]);
  });
});
