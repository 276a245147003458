import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn, patchFlag } from '../../../../test/support/app-flags.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

const GOOGLE = '8.8.8.8';
const BERLIN = '2.160.0.1';

interface Asked {
  path?: string;
  headers?: Record<string, string>;
  [field: string]: unknown;
}

async function ask(app: TestApp, { path = '/flags/?v=2', headers = {}, ...body }: Asked = {}): Promise<any> {
  const answer = await app.ask(path, {
    method: 'POST',
    key: null,
    headers: { 'User-Agent': 'posthog-node/5.70.0', ...headers },
    body: { token: TEST_TOKEN, distinct_id: 'u1', ...body },
  });
  expect(answer.status).toBe(200);
  return answer.json;
}

/** Values by key, as `/decide?v=3` has them. */
async function values(app: TestApp, asked: Asked = {}): Promise<Record<string, unknown>> {
  return (await ask(app, { path: '/decide/?v=3', ...asked })).featureFlags;
}

const on = (key: string, value: unknown, more: object = {}) => ({
  key,
  value,
  operator: 'exact',
  type: 'person',
  ...more,
});

test('7.1, 7.3/1, 7.3/2, 7.3/3, 7.3/4, 7.4, 7.7, 7.9, 8.1, 8.2, 8.3, 8.4 each version of /decide and /flags returns the flags of the project in its own shape', async () => {
  const app = await openTestApp();
  const plain = await createFlag(app, 'plain', { name: 'For everybody', filters: filtersOn([]) });
  const multi = await createFlag(app, 'multi', {
    filters: {
      ...filtersOn([]),
      multivariate: {
        variants: [
          { key: 'control', rollout_percentage: 0 },
          { key: 'test', rollout_percentage: 100 },
        ],
      },
      payloads: { test: '{"a": 1}' },
    },
  });
  await createFlag(app, 'unmatched', { filters: filtersOn([on('plan', 'pro')]) });
  await createFlag(app, 'inactive', { active: false, filters: filtersOn([]) });
  const gone = await createFlag(app, 'gone', { filters: filtersOn([]) });
  await patchFlag(app, gone.id, { deleted: true });

  const stamp = { requestId: expect.any(String), evaluatedAt: app.clock.now };
  expect((await ask(app, { path: '/decide/' })).featureFlags).toEqual(['plain', 'multi']);
  expect((await ask(app, { path: '/decide/?v=2' })).featureFlags).toEqual({ plain: true, multi: 'test' });
  const three = {
    featureFlags: { plain: true, multi: 'test', unmatched: false, inactive: false },
    featureFlagPayloads: { multi: '{"a": 1}' },
    errorsWhileComputingFlags: false,
    config: { enable_collect_everything: true },
    toolbarParams: {},
    isAuthenticated: false,
    supportedCompression: ['gzip', 'gzip-js', 'lz64'],
    ...stamp,
  };
  expect(await ask(app, { path: '/decide?v=3' })).toMatchObject(three);
  const { featureFlags } = await ask(app, { path: '/flags/?v=1' });
  expect(featureFlags).toEqual({ plain: true, multi: 'test', unmatched: false });
  const detailed = {
    errorsWhileComputingFlags: false,
    flags: {
      plain: {
        key: 'plain',
        enabled: true,
        variant: null,
        reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
        metadata: {
          id: plain.id,
          version: plain.version,
          description: 'For everybody',
          payload: null,
          has_experiment: false,
        },
      },
      multi: {
        key: 'multi',
        enabled: true,
        variant: 'test',
        reason: { code: 'condition_match', condition_index: 0, description: 'Matched condition set 1' },
        metadata: {
          id: multi.id,
          version: multi.version,
          description: '',
          payload: '{"a": 1}',
          has_experiment: false,
        },
      },
      unmatched: expect.objectContaining({
        enabled: false,
        variant: null,
        reason: { code: 'no_condition_match', condition_index: 0, description: 'No matching condition set' },
      }),
    },
    ...stamp,
  };
  expect(await ask(app)).toEqual(detailed);
  expect(await ask(app, { path: '/decide/?v=4' })).toMatchObject(detailed);
  expect(await ask(app, { path: '/flags/?v=2&config=true' })).toMatchObject({ ...detailed, siteApps: [] });
  for (const path of ['/decide/?v=3', '/flags/?v=1']) {
    const none = { featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false };
    expect(await ask(app, { path, disable_flags: true })).toMatchObject(none);
    const get = await app.ask(path, { key: null });
    expect([get.status, get.json]).toMatchObject([200, none]);
  }
});

describe('7.10 the sources of properties', () => {
  test('7.10 stored properties are used, and the request overrides them one by one', async () => {
    const app = await openTestApp();
    await createFlag(app, 'pro', { filters: filtersOn([on('plan', 'pro')]) });
    await sendEvents(app, [{ distinct_id: 'u1', properties: { $set: { plan: 'pro' } } }]);
    expect(await values(app)).toEqual({ pro: true });
    expect(await values(app, { person_properties: { country: 'NL' } })).toEqual({ pro: true });
    expect(await values(app, { person_properties: null })).toEqual({ pro: true });
    expect(await values(app, { person_properties: { plan: 'free' } })).toEqual({ pro: false });
    expect(await values(app, { distinct_id: 'u2' })).toEqual({ pro: false });
    expect(await values(app, { distinct_id: 'u2', person_properties: { plan: 'pro' } })).toEqual({
      pro: true,
    });
  });

  test('7.10 the distinct id is a property, and a missing initial value is the current one', async () => {
    const app = await openTestApp();
    await createFlag(app, 'me', { filters: filtersOn([on('distinct_id', 'u1')]) });
    await createFlag(app, 'first', { filters: filtersOn([on('$initial_utm_source', 'mail')]) });
    expect(await values(app, { person_properties: { utm_source: 'mail' } })).toEqual({
      me: true,
      first: true,
    });
    expect(await values(app, { distinct_id: 'u2' })).toEqual({ me: false, first: false });
  });

  test('7.10 groups by their stored properties, replaced name by name, and by their key', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      {
        event: '$groupidentify',
        properties: {
          $group_type: 'company',
          $group_key: 'acme',
          $group_set: { size: 'large', city: 'Bonn' },
        },
      },
    ]);
    const filters = (property: object) => ({
      ...filtersOn([{ operator: 'exact', type: 'group', group_type_index: 0, ...property }]),
      aggregation_group_type_index: 0,
    });
    await createFlag(app, 'large', { filters: filters({ key: 'size', value: 'large' }) });
    await createFlag(app, 'acme', { filters: filters({ key: '$group_key', value: 'acme' }) });
    expect(await values(app)).toEqual({ large: false, acme: false });
    expect(await values(app, { groups: { company: 'acme' } })).toEqual({ large: true, acme: true });
    expect(await values(app, { groups: { company: 'other' } })).toEqual({ large: false, acme: false });
    for (const company of ['lone \ud800', 'nul \0', '', 'k'.repeat(1_000_000)]) {
      const answer = await ask(app, { path: '/decide/?v=3', groups: { company } });
      expect(answer).toMatchObject({
        featureFlags: { large: false, acme: false },
        errorsWhileComputingFlags: false,
      });
    }
    const smaller = { groups: { company: 'acme' }, group_properties: { company: { size: 'small' } } };
    expect(await values(app, smaller)).toEqual({ large: false, acme: true });
    const more = { groups: { company: 'acme' }, group_properties: { company: { city: 'Ulm' } } };
    expect(await values(app, more)).toEqual({ large: true, acme: true });
    await app.ask('/api/projects/1/groups/update_property/?group_type_index=0&group_key=acme', {
      method: 'POST',
      body: { key: 'size', value: 'small' },
    });
    expect(await values(app, { groups: { company: 'acme' } })).toEqual({ large: false, acme: true });
  });
});

describe('7.11 a flag on $geoip_country_code', () => {
  /** The person was last seen in the United States. */
  async function open(): Promise<TestApp> {
    const app = await openTestApp();
    const body = { api_key: TEST_TOKEN, event: 'seen', distinct_id: 'u1' };
    const sent = { method: 'POST', key: null, headers: { 'X-Forwarded-For': GOOGLE }, body };
    expect((await app.ask('/capture/', sent)).status).toBe(200);
    for (const code of ['US', 'DE', 'FR']) {
      await createFlag(app, code, { filters: filtersOn([on('$geoip_country_code', code)]) });
    }
    return app;
  }
  const only = (code: string) => ({ US: false, DE: false, FR: false, [code]: true });

  test('7.11 uses the stored location', async () => {
    expect(await values(await open())).toEqual(only('US'));
  });

  test('7.11 uses the address in the header HTTP_X_FORWARDED_FOR, before that in X-Forwarded-For', async () => {
    const app = await open();
    const wsgi = { HTTP_X_FORWARDED_FOR: `${BERLIN}, 10.0.0.1` };
    expect(await values(app, { headers: wsgi })).toEqual(only('DE'));
    expect(await values(app, { headers: { ...wsgi, 'X-Forwarded-For': GOOGLE } })).toEqual(only('DE'));
  });

  test('7.11 uses the address in X-Forwarded-For; with a private one the stored location', async () => {
    const app = await open();
    expect(await values(app, { headers: { 'X-Forwarded-For': BERLIN } })).toEqual(only('DE'));
    for (const address of ['192.168.1.7', '::1', 'nonsense', ' ', `${BERLIN}${'0'.repeat(5_000)}`]) {
      expect(await values(app, { headers: { 'X-Forwarded-For': address } })).toEqual(only('US'));
    }
  });

  test('7.11 with geoip_disable does not look up an address', async () => {
    const app = await open();
    const asked = { headers: { 'X-Forwarded-For': BERLIN }, geoip_disable: true };
    expect(await values(app, asked)).toEqual(only('US'));
  });

  test('7.11 uses the value in person_properties before any other', async () => {
    const app = await open();
    const person_properties = { $geoip_country_code: 'FR' };
    expect(await values(app, { person_properties })).toEqual(only('FR'));
    expect(await values(app, { person_properties, headers: { 'X-Forwarded-For': BERLIN } })).toEqual(
      only('FR'),
    );
  });

  test('7.11 a changed GeoIP file is used immediately', async () => {
    const app = await open();
    const headers = { 'X-Forwarded-For': BERLIN };
    expect(await values(app, { headers })).toEqual(only('DE'));
    const chosen = await app.ask('/api/burrow/geoip/', { method: 'PUT', body: { source: 'none' } });
    expect(chosen.status).toBe(200);
    expect(await values(app, { headers })).toEqual(only('US'));
  });
});

describe('8.5 the returned flags', () => {
  test('8.5 the requested keys; their dependencies are evaluated and not returned', async () => {
    const app = await openTestApp();
    const base = await createFlag(app, 'base', { filters: filtersOn([]) });
    const dependency = { key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: true };
    await createFlag(app, 'built', { filters: filtersOn([dependency]) });
    expect(await values(app, { flag_keys_to_evaluate: ['built', 'unknown', '__proto__'] })).toEqual({
      built: true,
    });
    expect(await values(app, { flag_keys_to_evaluate: [] })).toEqual({});
  });

  test('8.5 flags for clients or servers only, by the request body or its headers', async () => {
    const app = await openTestApp();
    await createFlag(app, 'everywhere', { filters: filtersOn([]) });
    await createFlag(app, 'client', { filters: filtersOn([]), evaluation_runtime: 'client' });
    await createFlag(app, 'server', { filters: filtersOn([]), evaluation_runtime: 'server' });
    const keys = async (asked: Asked) => Object.keys(await values(app, asked));
    expect(await keys({ evaluation_runtime: 'server' })).toEqual(['everywhere', 'server']);
    expect(await keys({ evaluation_runtime: 'client' })).toEqual(['everywhere', 'client']);
    expect(await keys({ evaluation_runtime: 'all' })).toEqual(['everywhere', 'client', 'server']);
    expect(await keys({})).toEqual(['everywhere', 'server']);
    const browser = { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/126.0' };
    expect(await keys({ headers: browser })).toEqual(['everywhere', 'client']);
    expect(await keys({ headers: { 'User-Agent': 'own', Origin: 'http://shop.example' } })).toEqual([
      'everywhere',
      'client',
    ]);
    expect(await keys({ headers: { 'User-Agent': 'own' } })).toEqual(['everywhere']);
  });

  test('8.5 flags of the requested contexts, and those without any', async () => {
    const app = await openTestApp();
    await createFlag(app, 'anywhere', { filters: filtersOn([]) });
    await createFlag(app, 'docs', { filters: filtersOn([]), tags: ['docs'], evaluation_tags: ['docs'] });
    const keys = async (asked: Asked) => Object.keys(await values(app, asked));
    expect(await keys({})).toEqual(['anywhere', 'docs']);
    expect(await keys({ evaluation_contexts: [] })).toEqual(['anywhere', 'docs']);
    expect(await keys({ evaluation_contexts: ['docs', 'shop'] })).toEqual(['anywhere', 'docs']);
    expect(await keys({ evaluation_environments: ['shop'] })).toEqual(['anywhere']);
  });

  test('8.5 only the flags of surveys', async () => {
    const app = await openTestApp();
    await createFlag(app, 'plain', { filters: filtersOn([]) });
    await createFlag(app, 'survey-targeting-1', { filters: filtersOn([]) });
    const path = '/flags/?v=2&only_evaluate_survey_feature_flags=true';
    expect(Object.keys((await ask(app, { path })).flags)).toEqual(['survey-targeting-1']);
  });
});

test('7.1 ids are cut and cleaned like those of events, so that both refer to the same person', async () => {
  const app = await openTestApp();
  await createFlag(app, 'pro', { filters: filtersOn([on('plan', 'pro')]) });
  const long = 'x'.repeat(500);
  for (const distinct_id of [long, 'a\0b', 'lone \ud800', '42']) {
    await sendEvents(app, [{ distinct_id, properties: { $set: { plan: 'pro' } } }]);
  }
  for (const distinct_id of [long, 'x'.repeat(200), 'a\0b', 'lone \ud800', 42, '42']) {
    expect(await values(app, { distinct_id })).toEqual({ pro: true });
  }
  for (const distinct_id of ['', 'x'.repeat(199), '__proto__', {}, []]) {
    expect(await values(app, { distinct_id })).toEqual({ pro: false });
  }
});
