import { expect, test } from 'vitest';
import { TEST_TOKEN } from '../support/test-app.ts';
import { createRandom, type Random } from './random.ts';
import { openRecording } from './recording.ts';

const P = '/api/projects/1/';
const FLAGS = 50;
const PERSONS = 500;
/** Persons whose answers are explained, by the API of the console. */
const EXPLAINED = 60;

const PLANS = ['free', 'pro', 'team', 'PRO', ''];
const VERSIONS = ['1.2.3', 'v2.0', '0.3.9', '1.10.0+build.7'];

const values: Readonly<Record<string, (random: Random) => unknown>> = {
  plan: (random) => random.of(PLANS),
  age: (random) => random.of([random.below(90), String(random.below(90)), null]),
  version: (random) => random.of(VERSIONS),
  joined: (random) => random.of(['2026-01-05', '2026-11-19T08:00:00Z', 1_795_132_800, '-3d']),
  beta: (random) => random.of([true, false, 'true']),
  tags: (random) => random.of([['a', 'b'], [], 'a']),
};

function property(random: Random): object {
  const key = random.of(Object.keys(values));
  const operators: Readonly<Record<string, () => object>> = {
    plan: () =>
      random.of([
        { operator: 'exact', value: ['pro', 'team'] },
        { operator: 'is_not', value: 'free' },
        { operator: 'icontains', value: 'PR' },
        { operator: 'regex', value: '^(pro|team)$' },
        { operator: 'is_set' },
      ]),
    age: () =>
      random.of([
        { operator: 'gt', value: random.below(90) },
        { operator: 'lte', value: String(random.below(90)) },
        { operator: 'between', value: [20, 60] },
        { operator: 'is_not_set' },
      ]),
    version: () => ({
      operator: random.of(['semver_gt', 'semver_tilde', 'semver_eq', 'semver_lte']),
      value: random.of(['1.2.3', '1.3', '2.0.0']),
    }),
    joined: () => ({
      operator: random.of(['is_date_before', 'is_date_after']),
      value: random.of(['2026-06-01', '-7d', '-1m']),
    }),
    beta: () => ({ operator: random.of(['exact', 'is_not']), value: random.of([true, 'false']) }),
    tags: () => ({ operator: random.of(['icontains', 'exact']), value: 'a' }),
  };
  return { key, type: 'person', ...operators[key]!() };
}

function conditionSet(random: Random, isOfVariants: boolean): object {
  return {
    properties: Array.from({ length: random.below(3) }, () =>
      random.once(6)
        ? {
            key: 'id',
            type: 'cohort',
            value: 1 + random.below(2),
            ...random.some(2, { negation: () => true }),
          }
        : property(random),
    ),
    rollout_percentage: random.of([100, 100, 50, 12.5, 0, null]),
    ...(isOfVariants ? random.some(4, { variant: () => 'test' }) : {}),
  };
}

function flag(random: Random, index: number): object {
  const isOfVariants = random.once(3);
  const properties =
    index > 3 && random.once(8)
      ? [{ key: String(1 + random.below(3)), type: 'flag', operator: 'flag_evaluates_to', value: true }]
      : null;
  return {
    key: `flag-${index}`,
    active: !random.once(12),
    _should_create_usage_dashboard: false,
    ...random.some(6, {
      ensure_experience_continuity: () => true,
      evaluation_runtime: () => random.of(['server', 'client']),
    }),
    filters: {
      groups:
        properties === null
          ? Array.from({ length: 1 + random.below(3) }, () => conditionSet(random, isOfVariants))
          : [{ properties, rollout_percentage: 100 }],
      ...(isOfVariants
        ? {
            multivariate: {
              variants: [
                { key: 'control', rollout_percentage: 40 },
                { key: 'test', rollout_percentage: 35 },
                { key: 'third', rollout_percentage: 25 },
              ],
            },
            payloads: { test: '{"a":1}' },
          }
        : random.some(4, { payloads: () => ({ true: '"on"' }) })),
    },
  };
}

test('values and reasons of 50 flags for 500 persons equal the recordings', async () => {
  const recording = await openRecording('flags');
  const { app, ask } = recording;
  const random = createRandom(50);
  const batch = Array.from({ length: PERSONS }, (_, index) => ({
    event: 'seen',
    distinct_id: `person-${index}`,
    uuid: `0190f0c1-0000-7000-8000-${String(index).padStart(12, '0')}`,
    timestamp: '2026-11-19T00:00:00Z',
    properties: {
      $set: Object.fromEntries(
        Object.entries(values).flatMap(([key, make]) => (random.once(4) ? [] : [[key, make(random)]])),
      ),
    },
  }));
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
  const cohorts = [
    { name: 'Rule', filters: { properties: { type: 'OR', values: [property(random), property(random)] } } },
    {
      name: 'List',
      is_static: true,
      csv: batch
        .slice(0, 40)
        .map(({ distinct_id }) => distinct_id)
        .join('\n'),
    },
  ];
  for (const body of cohorts) await ask(`${P}cohorts/`, { method: 'POST', body });
  for (let index = 1; index <= FLAGS; index++) {
    await ask(`${P}feature_flags/`, { method: 'POST', body: flag(random, index) });
  }
  const send = (path: string, body: object) =>
    ask(path, { who: 'nobody', method: 'POST', body: { api_key: TEST_TOKEN, ...body } });
  for (const [index, { distinct_id }] of batch.entries()) {
    await send(index % 10 === 0 ? '/decide/?v=3' : '/flags/?v=2', {
      distinct_id,
      ...(index % 7 === 0 ? { person_properties: { plan: 'pro', age: 44 } } : {}),
      ...(index % 11 === 0 ? { $anon_distinct_id: `anon-${index}` } : {}),
      ...(index % 13 === 0 ? { flag_keys_to_evaluate: ['flag-1', 'flag-9'] } : {}),
    });
    if (index >= EXPLAINED) continue;
    const path = index % 2 === 0 ? 'burrow/flags/evaluate/' : 'burrow/feature_flags/explain/';
    await ask(P + path, { method: 'POST', body: { distinct_id } });
  }
  await send('/flags/?v=2', { distinct_id: 'nobody-known' });
  await send('/flags/?v=1', { distinct_id: 'person-1' });
  await send('/decide/?v=1', { distinct_id: 'person-1' });
  await send('/decide/?v=2', { distinct_id: 'person-1' });
  await ask(`${P}feature_flags/evaluation_reasons/?distinct_id=person-1`);
  for (let index = 1; index <= FLAGS; index++) {
    const { key, filters, ...rest } = flag(random, index) as { key: string; filters: object };
    await ask(`${P}burrow/feature_flags/simulate/`, {
      method: 'POST',
      body: { key, filters, active: true, ...rest },
    });
    await ask(`${P}feature_flags/user_blast_radius/`, {
      method: 'POST',
      body: { condition: (filters as { groups: object[] }).groups[0], group_type_index: null },
    });
  }
  await ask(`${P}feature_flags/local_evaluation?send_cohorts`);
  await ask('/flags/definitions?token=' + TEST_TOKEN);
  expect(recording.finish()).toBe('');
});
