import { expect, test } from 'vitest';
import { activityWeeks } from './day-activity.ts';

const now = Date.parse('2026-11-19T13:32:00Z');

test('has 26 weeks from Monday, the last one up to today', () => {
  const weeks = activityWeeks([], now);
  expect(weeks).toHaveLength(26);
  expect(weeks[0]?.map(({ day }) => day)).toEqual([
    '2026-05-25',
    '2026-05-26',
    '2026-05-27',
    '2026-05-28',
    '2026-05-29',
    '2026-05-30',
    '2026-05-31',
  ]);
  expect(weeks.at(-1)?.map(({ day }) => day)).toEqual([
    '2026-11-16',
    '2026-11-17',
    '2026-11-18',
    '2026-11-19',
  ]);
});

test('the level of a day is its share of the maximum, and at least 1 with one event', () => {
  const days = [
    { day: '2026-11-19', count: 400 },
    { day: '2026-11-18', count: 1 },
    { day: '2026-11-17', count: 200 },
  ];
  expect(
    activityWeeks(days, now)
      .at(-1)
      ?.map(({ level }) => level),
  ).toEqual([0, 2, 1, 4]);
});
