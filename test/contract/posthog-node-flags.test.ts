import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFlag, filtersOn, filtersOnFlag, patchFlag } from '../support/app-flags.ts';
import { listEvents } from '../support/list-events.ts';
import { nodeClients, type NodeOptions } from '../support/node-client.ts';
import { send } from '../support/app-events.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../support/test-app.ts';

const UUID = /^[0-9a-f-]{36}$/;
const PRO = { key: 'plan', value: 'pro', operator: 'exact', type: 'person' };
const VARIANTS = {
  variants: [
    { key: 'control', rollout_percentage: 50 },
    { key: 'test', rollout_percentage: 50 },
  ],
};

let app: TestApp;
const clients = nodeClients(() => ({ url: app.url, projectApiKey: TEST_TOKEN }));

beforeEach(async () => {
  app = await openTestApp();
  await send(app, [
    {
      event: '$identify',
      distinct_id: 'ada',
      properties: { $set: { plan: 'pro', email: 'ada@shop.example' } },
    },
    { event: '$identify', distinct_id: 'ben', properties: { $set: { plan: 'free' } } },
    {
      event: '$groupidentify',
      distinct_id: 'ada',
      properties: { $group_type: 'company', $group_key: 'acme', $group_set: { seats: 50 } },
    },
  ]);
});
afterEach(() => expect(app.errors).toEqual([]));

/** Flags of every kind, created by the management API; the payloads of some are known. */
async function makeFlags() {
  const cohort = await app.ask('/api/projects/1/cohorts/', {
    method: 'POST',
    body: {
      name: 'Payers',
      filters: { properties: { type: 'OR', values: [{ type: 'AND', values: [PRO] }] } },
    },
  });
  expect(cohort.status).toBe(201);
  const inCohort = { key: 'id', value: cohort.json.id, type: 'cohort', operator: 'in' };
  const seats = { key: 'seats', value: '10', operator: 'gt', type: 'group', group_type_index: 0 };
  await createFlag(app, 'checkout', { filters: { ...filtersOn([PRO]), payloads: { true: '{"steps": 2}' } } });
  await createFlag(app, 'half', { filters: filtersOn([], 50) });
  const split = await createFlag(app, 'split', {
    filters: { ...filtersOn([]), multivariate: VARIANTS, payloads: { control: '"old"', test: '[1, 2]' } },
  });
  await createFlag(app, 'payers', { filters: filtersOn([inCohort]) });
  await createFlag(app, 'others', { filters: filtersOn([{ ...inCohort, operator: 'not_in' }]) });
  await createFlag(app, 'team', { filters: { ...filtersOn([seats]), aggregation_group_type_index: 0 } });
  await createFlag(app, 'after', { filters: filtersOnFlag(split.id, 'test') });
  await createFlag(app, 'unless', { filters: filtersOnFlag(split.id, false) });
  await createFlag(app, 'off', { active: false, filters: filtersOn([]) });
  return { split };
}

const paths = () => clients.requests.map(({ path }) => path);
const calls = () =>
  listEvents({ url: app.url, personalApiKey: app.key, projectId: 1 }, { event: '$feature_flag_called' });
const local = (): NodeOptions => ({ personalApiKey: app.key, featureFlagsPollingInterval: 3_600_000 });

describe('posthog-node 5.70.0 requests flags from the server', () => {
  test('11.1/flags each call returns value and payload of a flag, by stored properties of the user', async () => {
    await makeFlags();
    const client = clients.connect();
    expect(await client.isFeatureEnabled('checkout', 'ada')).toBe(true);
    expect(await client.isFeatureEnabled('checkout', 'ben')).toBe(false);
    expect(await client.getFeatureFlag('checkout', 'ada')).toBe(true);
    expect(await client.getFeatureFlagPayload('checkout', 'ada')).toEqual({ steps: 2 });
    expect(await client.getFeatureFlagPayload('checkout', 'ben')).toBeNull();
    const value = await client.getFeatureFlag('split', 'ada');
    expect(['control', 'test']).toContain(value);
    expect(await client.getFeatureFlagResult('split', 'ada')).toMatchObject({
      key: 'split',
      enabled: true,
      variant: value,
      payload: value === 'test' ? [1, 2] : 'old',
    });
    expect(await client.getFeatureFlag('team', 'ada', { groups: { company: 'acme' } })).toBe(true);
    expect(await client.getFeatureFlag('team', 'ada')).toBe(false);
    await client.shutdown();
    expect(new Set(paths())).toEqual(new Set(['/flags/', '/batch/']));
  });

  test('11.1/flags properties of the call override stored ones, one by one', async () => {
    await makeFlags();
    const client = clients.connect();
    const plan = (value: string) =>
      client.isFeatureEnabled('checkout', 'ben', { personProperties: { plan: value } });
    expect([await plan('pro'), await plan('free')]).toEqual([true, false]);
    const seats = (value: number) =>
      client.isFeatureEnabled('team', 'ben', {
        groups: { company: 'acme' },
        groupProperties: { company: { seats: value as never } },
      });
    expect([await seats(5), await seats(11)]).toEqual([false, true]);
    expect(await client.isFeatureEnabled('checkout', 'ada', { personProperties: { country: 'NL' } })).toBe(
      true,
    );
    await client.shutdown();
  });

  test('11.1/all-flags all flags, and those that are named', async () => {
    await makeFlags();
    const client = clients.connect();
    const { featureFlags, featureFlagPayloads } = await client.getAllFlagsAndPayloads('ada');
    expect(featureFlags).toMatchObject({ checkout: true, payers: true, others: false, team: false });
    expect(featureFlags).not.toHaveProperty('off');
    expect(featureFlagPayloads).toMatchObject({ checkout: { steps: 2 } });
    expect(await client.getAllFlags('ben', { flagKeys: ['checkout', 'others'] })).toEqual({
      checkout: false,
      others: true,
    });
    const evaluations = await client.evaluateFlags('ada');
    expect(evaluations.getFlag('checkout')).toBe(true);
    expect(evaluations.getFlagPayload('checkout')).toEqual({ steps: 2 });
    await client.shutdown();
  });

  test('11.1/flags the call is an event that names the flag, its version, the request and the reason', async () => {
    await makeFlags();
    const client = clients.connect();
    await client.getFeatureFlag('checkout', 'ada');
    await client.shutdown();
    expect(await calls()).toMatchObject([
      {
        distinct_id: 'ada',
        properties: {
          $feature_flag: 'checkout',
          $feature_flag_response: true,
          $feature_flag_version: 1,
          $feature_flag_reason: 'Matched condition set 1',
          $feature_flag_request_id: expect.stringMatching(UUID) as string,
        },
      },
    ]);
  });
});

describe('posthog-node 5.70.0 evaluates flags by itself', () => {
  test('11.1/local-evaluation cohorts, groups, variants and dependencies, as the server does', async () => {
    await makeFlags();
    const here = clients.connect(local());
    expect(await here.waitForLocalEvaluationReady()).toBe(true);
    const there = clients.connect();
    for (let n = 0; n < 40; n++) {
      const known = {
        personProperties: { plan: n % 2 === 0 ? 'pro' : 'free' },
        groups: { company: `company-${n}` },
        groupProperties: { company: { seats: String(n) } },
      };
      const answers = await here.getAllFlagsAndPayloads(`user-${n}`, { ...known, onlyEvaluateLocally: true });
      const { off, ...decided } = answers.featureFlags!;
      expect(off).toBe(false);
      const remote = await there.getAllFlagsAndPayloads(`user-${n}`, known);
      expect(decided).toEqual(remote.featureFlags);
      expect(answers.featureFlagPayloads).toEqual(remote.featureFlagPayloads);
    }
    await here.shutdown();
    await there.shutdown();
  });

  test('11.1/local-evaluation, 9.5 flags that the SDK cannot evaluate are requested from the server; local ones are marked in their event', async () => {
    await makeFlags();
    const client = clients.connect(local());
    await client.waitForLocalEvaluationReady();
    expect(await client.getFeatureFlag('half', 'ada')).toEqual(expect.any(Boolean));
    expect(paths()).toEqual(['/flags/definitions']);
    expect(await client.getFeatureFlag('checkout', 'ada')).toBe(true);
    expect(paths()).toContain('/flags/');
    expect(await client.getFeatureFlag('checkout', 'ada', { onlyEvaluateLocally: true })).toBeUndefined();
    await client.shutdown();
    const called = (await calls()).map(({ properties }) => [
      properties['$feature_flag'],
      properties['locally_evaluated'],
      properties['$feature_flag_reason'],
      typeof properties['$feature_flag_definitions_loaded_at'],
    ]);
    expect(called).toContainEqual(['half', true, 'Evaluated locally', 'number']);
  });

  test('11.1/local-evaluation unchanged definitions are 304, changed ones are used from the next poll on', async () => {
    const { id } = await createFlag(app, 'late', { filters: filtersOn([], 0) });
    const client = clients.connect(local());
    await client.waitForLocalEvaluationReady();
    const value = () => client.getFeatureFlag('late', 'ada', { onlyEvaluateLocally: true });
    expect(await value()).toBe(false);
    await client.reloadFeatureFlags();
    expect((await patchFlag(app, id, { filters: filtersOn([], 100) })).status).toBe(200);
    expect(await value()).toBe(false);
    await client.reloadFeatureFlags();
    expect(await value()).toBe(true);
    await client.shutdown();
    const polls = clients.requests.filter(({ path }) => path === '/flags/definitions');
    expect(polls.map(({ status }) => status)).toEqual([200, 304, 200]);
  });
});

describe('posthog-node 5.70.0 reads remote configuration', () => {
  test.each([
    ['{"theme": "dark", "limits": [1, 2]}', { theme: 'dark', limits: [1, 2] }],
    ['"text"', 'text'],
    ['12', 12],
  ])('11.1/remote-config-payload of a flag: %s', async (payload, expected) => {
    await createFlag(app, 'settings', {
      is_remote_configuration: true,
      filters: { ...filtersOn([]), payloads: { true: payload } },
    });
    const client = clients.connect(local());
    expect(await client.getRemoteConfigPayload('settings')).toEqual(expected);
    await client.shutdown();
  });

  test('11.1/local-evaluation, 9.2 a project secret key works as a personal key, for definitions and payloads', async () => {
    const made = await app.ask('/api/projects/1/rotate_secret_token/', { method: 'PATCH', body: {} });
    await createFlag(app, 'settings', {
      is_remote_configuration: true,
      filters: { ...filtersOn([]), payloads: { true: '12' } },
    });
    const client = clients.connect({ ...local(), personalApiKey: made.json.secret_api_token });
    expect(await client.waitForLocalEvaluationReady()).toBe(true);
    expect(await client.getFeatureFlag('settings', 'ada', { onlyEvaluateLocally: true })).toBe(true);
    expect(await client.getRemoteConfigPayload('settings')).toBe(12);
    await client.shutdown();
  });
});
