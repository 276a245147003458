import { describe, expect, test } from 'vitest';
import type {
  FeatureFlagJson as FeatureFlag,
  FlagFilters,
} from '../../../server/features/feature-flags/feature-flags.contract.ts';
import { answerLabel, rolloutOf, whoLabel } from './flag-labels.ts';

const flagWith = (filters: FlagFilters, isValue = false) =>
  ({ filters, is_remote_configuration: isValue }) as FeatureFlag;
const plan = { type: 'person', key: 'plan', operator: 'exact', value: ['Solo', 'Studio'] } as const;
const seats = { type: 'person', key: 'seats', operator: 'gte', value: '3' } as const;
const all = { properties: [], rollout_percentage: 100 };

test('the type of a flag', () => {
  const variant = (key: string) => ({ key, rollout_percentage: 50 });
  expect(answerLabel(flagWith({ groups: [all] }))).toBe('boolean');
  expect(
    answerLabel(flagWith({ groups: [all], multivariate: { variants: [variant('a'), variant('b')] } })),
  ).toBe('2 variants');
  expect(answerLabel(flagWith({ groups: [all] }, true))).toBe('remote config');
});

describe('what a flag matches by', () => {
  test.each([
    [[all], 'Everyone'],
    [[{ ...all, rollout_percentage: 0 }], 'No one yet'],
    [[{ properties: [plan], rollout_percentage: 25 }], 'plan is any of Solo, Studio'],
    [[{ properties: [plan, seats] }], 'plan is any of Solo, Studio and 1 more'],
    [[{ properties: [plan], description: 'Paying' }], 'Paying'],
    [[{ properties: [plan] }, { properties: [seats] }], 'plan is any of Solo, Studio, or 1 more set'],
    [
      [{ properties: [plan] }, { properties: [seats] }, { properties: [seats] }],
      'plan is any of Solo, Studio, or 2 more sets',
    ],
    [[{ properties: [plan] }, all], 'Everyone'],
  ])('%j: %s', (groups, words) => {
    expect(whoLabel(flagWith({ groups: groups as FlagFilters['groups'] }))).toBe(words);
  });

  test('group types are shown by their name', () => {
    const flag = flagWith({ groups: [all], aggregation_group_type_index: 0 });
    expect(whoLabel(flag, { groups: () => 'companies' })).toBe('All companies');
    expect(whoLabel(flag)).toBe('All groups');
  });
});

test('the rollout of a flag', () => {
  expect(rolloutOf(flagWith({ groups: [{ rollout_percentage: 25 }, {}] }))).toEqual({
    percent: 100,
    words: '25–100%',
  });
  expect(rolloutOf(flagWith({ groups: [{ rollout_percentage: 10 }] }))).toEqual({
    percent: 10,
    words: '10%',
  });
});
