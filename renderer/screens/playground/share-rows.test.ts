import { describe, expect, test } from 'vitest';
import type { SimulationJson as FlagSimulation } from '../../../server/features/feature-flags/simulation/flag-simulation.contract.ts';
import { changeLabel, percentOf, rolloutsOf, shareRows, withRollouts } from './share-rows.ts';

const simulation: FlagSimulation = {
  subject: 'person',
  group_type: null,
  total: 4000,
  evaluated: 1000,
  values: [
    { value: false, count: 600 },
    { value: 'b', count: 150 },
    { value: 'a', count: 250 },
  ],
  sets: [],
  now: {
    values: [
      { value: 'a', count: 100 },
      { value: false, count: 900 },
    ],
  },
  changes: { same: 700, added: 300, removed: 0, moved: 1 },
  examples: [],
  note: null,
};

describe('shares of a simulation', () => {
  test('are in the order of the variants, off last, beside those of the stored flag', () => {
    expect(shareRows(simulation, ['a', 'b', 'c'])).toEqual([
      { value: 'a', count: 250, share: 0.25, shareNow: 0.1 },
      { value: 'b', count: 150, share: 0.15, shareNow: 0 },
      { value: 'c', count: 0, share: 0, shareNow: 0 },
      { value: false, count: 600, share: 0.6, shareNow: 0.9 },
    ]);
  });

  test('of no persons are zero', () => {
    const empty = { ...simulation, evaluated: 0, values: [], now: null };
    expect(shareRows(empty, ['a'])).toEqual([{ value: 'a', count: 0, share: 0, shareNow: 0 }]);
  });

  test('a change has a label', () => {
    expect(changeLabel(simulation)).toBe('300 more get it, 1 change variant.');
    const none = { same: 1000, added: 0, removed: 0, moved: 0 };
    expect(changeLabel({ ...simulation, changes: none })).toBe('No changes.');
    expect(changeLabel({ ...simulation, changes: null })).toBe('');
  });
});

describe('simulated rollouts', () => {
  const filters = { groups: [{ rollout_percentage: 25, properties: [] }, { rollout_percentage: null }] };

  test('start with those of the flag and keep the other fields', () => {
    expect(rolloutsOf(filters)).toEqual(['25', '100']);
    expect(withRollouts(filters, ['40', '12.5'])?.groups).toEqual([
      { rollout_percentage: 40, properties: [] },
      { rollout_percentage: 12.5 },
    ]);
  });

  test.each([
    ['40', 40],
    [' 0 % ', 0],
    ['100', 100],
    ['', null],
    ['101', null],
    ['-1', null],
    ['many', null],
    ['1e999', null],
  ])('“%s” is %s', (text, value) => {
    expect(percentOf(text)).toBe(value);
    expect(withRollouts(filters, [text, '1']) === null).toBe(value === null);
  });
});
