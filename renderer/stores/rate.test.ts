import { expect, test } from 'vitest';
import { eventsPerMinute } from './rate.ts';

const row = (minute: string, received: number) => ({
  minute,
  received,
  stored: received,
  inspected: 0,
  dropped: 0,
});
const rows = [
  row('2026-11-19T14:30:00Z', 900),
  row('2026-11-19T14:31:00Z', 120),
  row('2026-11-19T14:32:00Z', 30),
];

test('the rate is the count of the last sixty seconds, across the change of the minute', () => {
  expect(eventsPerMinute(rows, Date.parse('2026-11-19T14:32:15Z'))).toBe(30 + 90);
  expect(eventsPerMinute(rows, Date.parse('2026-11-19T14:32:00Z'))).toBe(30 + 120);
});

test('after more than a minute without events the rate is zero', () => {
  expect(eventsPerMinute(rows, Date.parse('2026-11-19T14:34:01Z'))).toBe(0);
  expect(eventsPerMinute([], 0)).toBe(0);
});
