import { describe, expect, test } from 'vitest';
import { createFlag, filtersOn } from '../../../../test/support/app-flags.ts';
import { openTestApp, TEST_TOKEN, type TestApp } from '../../../../test/support/test-app.ts';

const P = '/api/projects/1/';

/** Stores persons, each with its properties, by one request. */
async function addPersons(app: TestApp, persons: Record<string, object>): Promise<void> {
  const batch = Object.entries(persons).map(([distinct_id, $set]) => ({
    event: '$set',
    distinct_id,
    properties: { $set },
  }));
  await send(app, batch);
}

async function send(app: TestApp, batch: readonly object[]): Promise<void> {
  const body = { api_key: TEST_TOKEN, batch };
  const answer = await app.ask('/batch/', { method: 'POST', key: null, body });
  expect(answer.json).toEqual({ status: 1 });
}

const post = (app: TestApp, path: string, body: unknown, key = app.key) =>
  app.ask(P + path, { method: 'POST', body, key });
const radius = (app: TestApp, body: unknown) => post(app, 'feature_flags/user_blast_radius/', body);
const simulate = (app: TestApp, body: object) => post(app, 'burrow/feature_flags/simulate/', body);

const person = (key: string, value: unknown, operator = 'exact') => ({
  key,
  value,
  operator,
  type: 'person',
});

describe('M9.1/user_blast_radius the number of persons matched by a condition', () => {
  test('counts persons with matching properties, without the rollout', async () => {
    const app = await openTestApp();
    await addPersons(app, { ada: { plan: 'pro' }, ben: { plan: 'Pro' }, cy: { plan: 'free' }, di: {} });
    const condition = { properties: [person('plan', 'pro')], rollout_percentage: 10 };
    expect((await radius(app, { condition })).json).toEqual({ users_affected: 2, total_users: 4 });
    expect((await radius(app, { condition: { properties: [] } })).json).toEqual({
      users_affected: 4,
      total_users: 4,
    });
    expect((await radius(app, { condition: {} })).json.users_affected).toBe(4);
  });
});

test('groups of a type are counted for a condition on groups', async () => {
  const app = await openTestApp();
  const group = (key: string, $group_set: object) => ({
    event: '$groupidentify',
    distinct_id: 'ada',
    properties: { $group_type: 'company', $group_key: key, $group_set },
  });
  await send(app, [group('acme', { size: 10 }), group('birch', { size: 200 })]);
  const properties = [{ key: 'size', type: 'group', group_type_index: 0, operator: 'gt', value: '100' }];
  const answer = await radius(app, { condition: { properties }, group_type_index: 0 });
  expect(answer.json).toEqual({ users_affected: 1, total_users: 2 });
  const filters = { aggregation_group_type_index: 0, groups: [{ properties, rollout_percentage: 100 }] };
  expect((await simulate(app, { key: 'sizes', filters })).json).toMatchObject({
    subject: 'group',
    group_type: 'company',
    total: 2,
    values: [
      { value: false, count: 1 },
      { value: true, count: 1 },
    ],
    examples: [{ id: 'birch', name: 'birch', distinct_id: null, value: true, before: null }],
  });
});

test.each([
  ['no condition', {}, 'required', 'condition'],
  ['null', { condition: null }, 'null', 'condition'],
  ['a list', { condition: [] }, 'not_a_dict', 'condition'],
  [
    'an unknown group type index',
    { condition: {}, group_type_index: 5 },
    'invalid_input',
    'group_type_index',
  ],
  [
    'an unknown operator',
    { condition: { properties: [person('a', 'b', 'like')] } },
    'invalid_operator',
    'condition',
  ],
  [
    'properties of groups for persons',
    { condition: { properties: [{ ...person('a', 'b'), type: 'group' }] } },
    'invalid_input',
    'condition',
  ],
  [
    'an unknown cohort',
    { condition: { properties: [{ key: 'id', type: 'cohort', value: 99 }] } },
    'invalid_input',
    'condition',
  ],
])('M9.1/user_blast_radius %s is refused', async (_name, body, code, attr) => {
  const answer = await radius(await openTestApp(), body);
  expect([answer.status, answer.json.code, answer.json.attr]).toEqual([400, code, attr]);
});

describe('a simulation of a flag', () => {
  const VARIANTS = {
    variants: [
      { key: 'a', rollout_percentage: 30 },
      { key: 'b', rollout_percentage: 70 },
    ],
  };

  test('for each stored person it equals the result of /flags once the flag is saved', async () => {
    const app = await openTestApp();
    const names = Array.from({ length: 60 }, (_, index) => `person-${index}`);
    await addPersons(
      app,
      Object.fromEntries(
        names.map((name, index) => [name, { plan: index % 3 === 0 ? 'pro' : 'free', n: index }]),
      ),
    );
    const base = await createFlag(app, 'base', { filters: filtersOn([person('n', '30', 'lt')]) });
    const filters = {
      groups: [
        { properties: [person('plan', 'pro')], rollout_percentage: 60, variant: 'b' },
        {
          properties: [{ key: String(base.id), type: 'flag', operator: 'flag_evaluates_to', value: true }],
          rollout_percentage: 50,
        },
      ],
      multivariate: VARIANTS,
    };
    const simulated = (await simulate(app, { key: 'tone', filters })).json;
    await createFlag(app, 'tone', { filters });
    const counts = new Map<unknown, number>();
    const sets = [0, 0];
    for (const distinct_id of names) {
      const body = { api_key: TEST_TOKEN, distinct_id };
      const { flags } = (await app.ask('/flags/?v=2', { method: 'POST', key: null, body })).json;
      const { enabled, variant, reason } = flags.tone;
      const value = variant ?? enabled;
      counts.set(value, (counts.get(value) ?? 0) + 1);
      if (reason.code === 'condition_match') sets[reason.condition_index]!++;
    }
    const shares = Object.fromEntries(simulated.values.map(({ value, count }: any) => [value, count]));
    expect(shares).toEqual(Object.fromEntries([...counts].map(([value, count]) => [String(value), count])));
    expect(simulated.sets.map(({ decided }: any) => decided)).toEqual(sets);
    expect(simulated.sets.map(({ matching }: any) => matching)).toEqual([20, 30]);
    expect(simulated).toMatchObject({
      subject: 'person',
      total: 60,
      evaluated: 60,
      now: null,
      changes: null,
    });
  });

  test('it compares with the stored flag, and has examples of changed persons', async () => {
    const app = await openTestApp();
    await addPersons(app, { ada: { plan: 'pro', email: 'ada@shop.example' }, ben: { plan: 'free' }, cy: {} });
    await createFlag(app, 'tone', { filters: filtersOn([person('plan', 'pro')]) });
    const { json } = await simulate(app, { key: 'tone', filters: filtersOn([person('plan', 'free')]) });
    expect(json).toMatchObject({
      values: [
        { value: false, count: 2 },
        { value: true, count: 1 },
      ],
      now: {
        values: [
          { value: false, count: 2 },
          { value: true, count: 1 },
        ],
      },
      changes: { same: 1, added: 1, removed: 1, moved: 0 },
    });
    const shown = Object.fromEntries(json.examples.map((one: any) => [one.name, [one.before, one.value]]));
    expect(shown).toEqual({ 'ada@shop.example': [true, false], ben: [false, true] });
  });

  test('of many persons it samples the requested number, always the same ones', async () => {
    const app = await openTestApp();
    await addPersons(app, Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`person-${n}`, { n }])));
    const ask = async (filters: object) => (await simulate(app, { key: 'tone', sample: 100, filters })).json;
    const [one, other] = [await ask(filtersOn([], 50)), await ask(filtersOn([], 50))];
    expect(one).toEqual(other);
    expect(one).toMatchObject({ total: 300, evaluated: 100 });
    const half = await ask(filtersOn([person('n', '150', 'lt')]));
    const on = half.values.find(({ value }: any) => value === true).count;
    expect(on).toBeGreaterThan(30);
    expect(on).toBeLessThan(70);
  });

  test('it has a note on its limits', async () => {
    const app = await openTestApp();
    await addPersons(app, { ada: {} });
    const devices = { key: 'tone', filters: filtersOn([]), bucketing_identifier: 'device_id' };
    expect((await simulate(app, devices)).json.note).toMatch(/device IDs are not stored/);
    const mixed = { groups: [{ properties: [], aggregation_group_type_index: 0 }, { properties: [] }] };
    expect((await simulate(app, { key: 'tone', filters: mixed })).json.note).toMatch(
      /Group conditions are not counted/,
    );
  });

  test('persons are not shown to callers who cannot list them', async () => {
    const app = await openTestApp();
    await addPersons(app, { ada: { email: 'ada@shop.example' } });
    const made = await app.ask('/api/personal_api_keys/', {
      method: 'POST',
      body: { label: 'flags', scopes: ['feature_flag:read'] },
    });
    const body = { key: 'tone', filters: filtersOn([]) };
    const answer = await post(app, 'burrow/feature_flags/simulate/', body, made.json.value);
    expect(answer.json).toMatchObject({ values: [{ value: true, count: 1 }], examples: [] });
    expect(answer.text).not.toContain('ada');
  });

  test('a project without persons has an empty result', async () => {
    const { json } = await simulate(await openTestApp(), { key: 'tone', filters: filtersOn([]) });
    expect(json).toMatchObject({ total: 0, evaluated: 0, values: [], examples: [] });
  });

  test.each([
    ['no filters', { key: 'a' }, 'required', 'filters'],
    ['no key', { filters: {} }, 'required', 'key'],
    ['filters without groups', { key: 'a', filters: {} }, 'invalid_input', 'filters'],
    ['a sample of no persons', { key: 'a', filters: filtersOn([]), sample: 0 }, 'invalid_input', 'sample'],
    ['a sample of billions', { key: 'a', filters: filtersOn([]), sample: 1e12 }, 'invalid_input', 'sample'],
  ])('%s is refused', async (_name, body, code, attr) => {
    const answer = await simulate(await openTestApp(), body);
    expect([answer.status, answer.json.code, answer.json.attr]).toEqual([400, code, attr]);
  });
});
