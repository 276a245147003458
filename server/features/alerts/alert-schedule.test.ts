import { expect, test } from 'vitest';
import { blockWholeDay, isPaused, nextCheck } from './alert-schedule.ts';
import type { Interval } from './alerts.contract.ts';

/** Its minute is 7. */
const ID = '0191d592-35e1-7000-8000-000000000007';
const alert = (interval: Interval, more: object = {}) => ({
  id: ID,
  interval,
  skipWeekend: false,
  blockedWindows: [],
  ...more,
});
const next = (one: ReturnType<typeof alert>, after: string, zone = 'UTC') =>
  new Date(nextCheck(one, Date.parse(after), zone)).toISOString();

test.each<[Interval, string]>([
  ['real_time', '2026-11-20T09:31:00.000Z'],
  ['every_15_minutes', '2026-11-20T09:37:00.000Z'],
  ['hourly', '2026-11-20T10:07:00.000Z'],
  ['daily', '2026-11-21T01:07:00.000Z'],
  ['weekly', '2026-11-23T03:07:00.000Z'],
  ['monthly', '2026-12-01T04:07:00.000Z'],
])('a check of the interval %s follows at %s', (interval, expected) => {
  expect(next(alert(interval), '2026-11-20T09:30:00Z')).toBe(expected);
});

test('days begin by the clocks of the project, also where they change', () => {
  const daily = alert('daily');
  expect(next(daily, '2026-03-28T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T00:07:00.000Z');
  expect(next(daily, '2026-03-29T12:00:00Z', 'Europe/Berlin')).toBe('2026-03-29T23:07:00.000Z');
});

test('a check of a weekend is left out, and that of a month waits for Monday', () => {
  const skipWeekend = true;
  expect(next(alert('daily', { skipWeekend }), '2026-11-20T09:30:00Z')).toBe('2026-11-23T01:07:00.000Z');
  expect(next(alert('real_time', { skipWeekend }), '2026-11-20T23:59:00Z')).toBe('2026-11-23T00:00:00.000Z');
  expect(next(alert('monthly', { skipWeekend }), '2026-07-20T09:30:00Z')).toBe('2026-08-03T00:00:00.000Z');
});

test('a check of a blocked window waits for its end, also over midnight', () => {
  const night = alert('daily', { blockedWindows: [{ start: '22:00', end: '06:30' }] });
  expect(next(night, '2026-11-20T09:30:00Z')).toBe('2026-11-21T06:30:00.000Z');
  const at = (time: string) => isPaused(night, Date.parse(`2026-11-20T${time}:00Z`), 'UTC');
  expect(['21:59', '22:00', '06:29', '06:30'].map(at)).toEqual([false, true, true, false]);
});

test('windows that leave no minute of the day are found', () => {
  expect(blockWholeDay([{ start: '06:00', end: '05:59' }])).toBe(false);
  expect(
    blockWholeDay([
      { start: '00:00', end: '12:00' },
      { start: '12:00', end: '00:00' },
    ]),
  ).toBe(true);
});
