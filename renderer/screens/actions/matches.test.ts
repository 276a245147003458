import { expect, test } from 'vitest';
import { matchesOf } from './matches.ts';

test('includes days without events, the newest last', () => {
  const days = [
    ['2026-11-20', 2],
    ['2026-11-22', '3'],
  ];
  const found = matchesOf({ totals: [5, 2], days, latest: [] }, '2026-11-22');
  expect(found).toMatchObject({ count: 5, persons: 2, latest: [] });
  expect(found.days).toHaveLength(31);
  expect(found.days[0]).toEqual({ day: '2026-10-23', count: 0 });
  expect(found.days.slice(-3).map(({ count }) => count)).toEqual([2, 0, 3]);
});

test('a response without matches has the count 0', () => {
  expect(matchesOf({ totals: [], days: [], latest: [] }, '2026-11-22').count).toBe(0);
});
