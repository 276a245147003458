import { expect, test } from 'vitest';
import { endOfDay, startOfDay } from './local-day.ts';

test.each([
  ['2026-11-20', 'UTC', '2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'],
  ['2026-11-20', 'Europe/Berlin', '2026-11-19T23:00:00.000Z', '2026-11-20T23:00:00.000Z'],
  ['2026-11-20', 'Asia/Kolkata', '2026-11-19T18:30:00.000Z', '2026-11-20T18:30:00.000Z'],
  // Days of 23 and 25 hours.
  ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
  ['2026-12-31', 'Pacific/Auckland', '2026-12-30T11:00:00.000Z', '2026-12-31T11:00:00.000Z'],
])('%s in %s is from %s to %s', (day, timezone, start, end) => {
  expect(new Date(startOfDay(day, timezone)).toISOString()).toBe(start);
  expect(new Date(endOfDay(day, timezone)).toISOString()).toBe(end);
});
