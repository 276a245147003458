import { describe, expect, test } from 'vitest';
import { draftOf, isSameLimits, limitsOf, problemWithDays, problemWithGb } from './retention-draft.ts';

const everything = { max_days: null, max_gb: null };

describe('limits in the editor', () => {
  test.each([everything, { max_days: 90, max_gb: null }, { max_days: 1, max_gb: 1.5 }])(
    '%j is unchanged after it was opened',
    (limits) => {
      expect(limitsOf(draftOf(limits))).toEqual(limits);
    },
  );

  test('a disabled limit suggests a number and is stored as null', () => {
    const draft = draftOf(everything);
    expect(draft.days).toBe('365');
    expect(limitsOf({ ...draft, hasDays: true })).toEqual({ max_days: 365, max_gb: null });
  });

  test.each([
    ['1,5', 1.5],
    ['1.5', 1.5],
    ['1,500', 1500],
    ['12 000', 12_000],
    ['0.001', 0.001],
  ])('%s gigabytes are %d, in any usual notation', (gb, number) => {
    expect(limitsOf({ ...draftOf(everything), hasGb: true, gb })).toEqual({ max_days: null, max_gb: number });
  });

  test.each(['', '0', '-3', '1.5', 'ten', '36501', '1e3'])(
    '%j days are invalid and have a message',
    (days) => {
      const draft = { ...draftOf(everything), hasDays: true, days };
      expect(problemWithDays(draft)).not.toBe('');
      expect(limitsOf(draft)).toBeNull();
    },
  );

  test('a wrong number in a disabled limit is not reported', () => {
    const draft = { ...draftOf(everything), days: 'ten', gb: 'much' };
    expect(problemWithDays(draft) + problemWithGb(draft)).toBe('');
    expect(limitsOf(draft)).toEqual(everything);
  });
});

test('limits are compared by value', () => {
  expect(isSameLimits({ max_days: 90, max_gb: null }, { max_days: 90, max_gb: null })).toBe(true);
  expect(isSameLimits({ max_days: 90, max_gb: null }, { max_days: 90, max_gb: 1 })).toBe(false);
});
