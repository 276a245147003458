import { expect, test } from 'vitest';
import { annotatedAt } from './annotated-at.ts';

const now = '2026-11-22 09:30:00';
const answer = (...days: (string | number)[]) => [{ label: 'a', data: [], count: 0, days }];
const at = (results: unknown, heldDay: string | null = null, interval = 'day') =>
  annotatedAt({ heldDay, results, interval, now });

test('the hovered point is annotated: noon of a day, the start of an hour, now for today', () => {
  expect(at(answer('2026-11-21', '2026-11-22'), '2026-11-21')).toBe('2026-11-21 12:00:00');
  expect(at(answer('2026-11-21', '2026-11-22'), '2026-11-22')).toBe(now);
  expect(at(answer('2026-11-22 08:00:00'), '2026-11-22 08:00:00', 'hour')).toBe('2026-11-22 08:00:00');
});

test('without a hovered point the annotation is now if the result includes it, else at the end of the result', () => {
  expect(at(answer('2026-11-21', '2026-11-22'))).toBe(now);
  expect(at(answer('2026-11-16'), null, 'week')).toBe(now);
  expect(at(answer('2026-03-01', '2026-03-02'))).toBe('2026-03-02 12:00:00');
});

test('a result without dates is annotated now', () => {
  expect(at([])).toBe(now);
  expect(at(answer(1, 2, 3))).toBe(now);
});
