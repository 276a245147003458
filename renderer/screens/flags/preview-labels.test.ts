import { describe, expect, test } from 'vitest';
import type { SimulationJson as FlagSimulation } from '../../../server/features/feature-flags/simulation/flag-simulation.contract.ts';
import { matchLabel, previewLabel } from './preview-labels.ts';

const people = { one: 'person', many: 'persons' };
const simulation = (change: Partial<FlagSimulation>): FlagSimulation => ({
  subject: 'person',
  group_type: null,
  total: 8412,
  evaluated: 8412,
  values: [
    { value: false, count: 7250 },
    { value: true, count: 1162 },
  ],
  sets: [],
  now: null,
  changes: null,
  examples: [],
  note: null,
  ...change,
});
const now = { values: [{ value: true, count: 732 }] };

describe('the preview before saving', () => {
  test('for a new flag', () => {
    expect(previewLabel(simulation({}), people)).toMatchObject({
      count: 1162,
      sentence: 'of 8,412 persons would get the flag (13.8%).',
      added: 1162,
      kept: 0,
      without: 7250,
      losses: '',
    });
  });

  test('when more persons would get the flag and none would lose it', () => {
    const changes = { same: 7982, added: 430, removed: 0, moved: 0 };
    expect(previewLabel(simulation({ now, changes }), people)).toMatchObject({
      sentence: 'of 8,412 persons would get the flag (13.8%, up from 8.7%).',
      kept: 732,
      added: 430,
      removed: 0,
      losses: 'No one loses the flag or changes variant.',
    });
  });

  test('some would lose it, and some would change variant', () => {
    const losses = (removed: number, moved: number) =>
      previewLabel(simulation({ now, changes: { same: 0, added: 430, removed, moved } }), people).losses;
    expect(losses(1, 0)).toBe('1 person would lose the flag.');
    expect(losses(0, 12)).toBe('12 persons would change variant.');
    expect(losses(2, 3)).toBe('2 persons would lose the flag, and 3 would change variant.');
  });

  test('a sample is scaled to all persons', () => {
    const part = simulation({ total: 84_120, values: [{ value: true, count: 841 }], evaluated: 8412 });
    expect(previewLabel(part, people)).toMatchObject({ count: 8410, isAbout: true });
  });

  test('when no persons are stored', () => {
    const none = simulation({ total: 0, evaluated: 0, values: [] });
    expect(previewLabel(none, people)).toMatchObject({
      count: 0,
      sentence: 'No persons yet.',
    });
  });
});

test('one person matches, several persons match', () => {
  expect(matchLabel(1, people)).toBe('1 person matches');
  expect([0, 2, 1200].map((count) => matchLabel(count, people))).toEqual([
    '0 persons match',
    '2 persons match',
    '1,200 persons match',
  ]);
});
