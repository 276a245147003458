import { describe, expect, test } from 'vitest';
import { dayLabel, todayOf, type Today } from './today.ts';

const ANSWERS = {
  hours: [
    [true, 0, 5, 2, 0],
    [true, 9, 40, 11, 3],
    [false, 9, 30, 8, 2],
    [0, 23, 7, 1, 0],
  ],
  totals: [12, 9, 3, 2, 45, 30, 9],
  persons: [4, 1],
  stopped: [['receipt scanned', 0, 41]],
};

test('today ends with the current hour, the day a week ago is complete, and hours without events are 0', () => {
  const { course, hour } = todayOf(ANSWERS);
  expect(hour).toBe(9);
  expect(course.today).toEqual([5, 0, 0, 0, 0, 0, 0, 0, 0, 40]);
  expect(course.before).toHaveLength(24);
  expect([course.before[9], course.before[10], course.before[23]]).toEqual([30, 0, 7]);
});

test('the numbers are of today and of a week ago up to the same time, not sums of hours', () => {
  const { numbers, stopped } = todayOf(ANSWERS);
  expect(numbers.map(({ name, now, before }) => [name, now, before])).toEqual([
    ['Events', 45, 30],
    ['Active persons', 12, 9],
    ['New persons', 4, 1],
    ['Sessions', 3, 2],
  ]);
  expect(stopped).toEqual([{ event: 'receipt scanned', now: 0, before: 41 }]);
});

test('sessions are not shown when no event has one', () => {
  const totals = [12, 9, 0, 0, 45, 30, 9];
  expect(todayOf({ ...ANSWERS, totals }).numbers.map(({ id }) => id)).toEqual(['events', 'people', 'new']);
});

describe('the summary of the day', () => {
  const withEvents = (now: number, before: number): Today => ({
    ...todayOf(ANSWERS),
    numbers: [{ id: 'events', name: 'Events', now, before, hours: [] }],
  });

  test.each([
    [100, 100, 'A usual day.'],
    [130, 100, 'A busy day.'],
    [300, 100, 'Much more than usual.'],
    [70, 100, 'A quiet day.'],
    [10, 100, 'Much less than usual.'],
    [10, 0, 'No data from last week to compare with.'],
    [0, 0, ''],
  ])('of %i events against %i', (now, before, words) => {
    expect(dayLabel(withEvents(now, before))).toBe(words);
  });
});
