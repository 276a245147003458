import { expect, test } from 'vitest';
import { annotatedAt } from './annotated-at.ts';

const now = '2026-11-22 09:30:00';
const answer = (...days: (string | number)[]) => [{ label: 'a', data: [], count: 0, days }];
const at = (results: unknown, heldDay: string | null = null, interval = 'day') =>
  annotatedAt({ heldDay, results, interval, now });

test('the place that is held is annotated: noon of a day, the beginning of an hour, now of today', () => {
  expect(at(answer('2026-11-21', '2026-11-22'), '2026-11-21')).toBe('2026-11-21 12:00:00');
  expect(at(answer('2026-11-21', '2026-11-22'), '2026-11-22')).toBe(now);
  expect(at(answer('2026-11-22 08:00:00'), '2026-11-22 08:00:00', 'hour')).toBe('2026-11-22 08:00:00');
});

test('without one it is now, as long as the answer shows it, else the end of the answer', () => {
  expect(at(answer('2026-11-21', '2026-11-22'))).toBe(now);
  expect(at(answer('2026-11-16'), null, 'week')).toBe(now);
  expect(at(answer('2026-03-01', '2026-03-02'))).toBe('2026-03-02 12:00:00');
});

test('an answer without days is annotated now', () => {
  expect(at([])).toBe(now);
  expect(at(answer(1, 2, 3))).toBe(now);
});
