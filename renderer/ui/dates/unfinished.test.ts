import { describe, expect, test } from 'vitest';
import { unfinishedFrom } from './unfinished.ts';

const at = (now: string, zone = 'UTC') => ({ zone, now: new Date(now) });

describe('an unfinished interval', () => {
  test.each([
    ['day', ['2026-11-21', '2026-11-22', '2026-11-23'], '2026-11-23T00:00:01Z', 2],
    ['day', ['2026-11-21', '2026-11-22'], '2026-11-23T00:00:00Z', null],
    ['hour', ['2026-11-23 08:00:00', '2026-11-23 09:00:00'], '2026-11-23T09:59:59Z', 1],
    ['week', ['2026-11-15', '2026-11-22'], '2026-11-28T23:59:59Z', 1],
    ['week', ['2026-11-15', '2026-11-22'], '2026-11-29T00:00:00Z', null],
    ['month', ['2026-10-01', '2026-11-01'], '2026-11-30T12:00:00Z', 1],
    ['month', ['2026-10-01', '2026-11-01'], '2026-12-01T00:00:00Z', null],
    ['day', ['2026-11-23', '2026-11-24'], '2026-11-23T12:00:00Z', 0],
    ['day', [1, 2, 3], '2026-11-23T12:00:00Z', null],
    ['day', [], '2026-11-23T12:00:00Z', null],
  ])('of a %s among %j at %s is at place %j', (interval, days, now, place) => {
    expect(unfinishedFrom(days, interval, at(now))).toBe(place);
  });

  test('is detected in the project’s time zone, also on shorter days', () => {
    const days = ['2026-11-21', '2026-11-22'];
    expect(unfinishedFrom(days, 'day', at('2026-11-22T15:30:00Z', 'Asia/Tokyo'))).toBe(null);
    expect(unfinishedFrom(days, 'day', at('2026-11-23T07:00:00Z', 'America/Los_Angeles'))).toBe(1);
    const march = ['2026-03-28', '2026-03-29'];
    expect(unfinishedFrom(march, 'day', at('2026-03-29T21:59:59Z', 'Europe/Berlin'))).toBe(1);
    expect(unfinishedFrom(march, 'day', at('2026-03-29T22:00:00Z', 'Europe/Berlin'))).toBe(null);
  });
});
