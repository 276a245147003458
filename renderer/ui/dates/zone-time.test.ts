import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { momentOf, wallOf } from './zone-time.ts';

const ZONES = [
  'UTC',
  'Europe/Oslo',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Pacific/Kiritimati',
];

describe('the clocks of a time zone', () => {
  test('show an instant in local time', () => {
    const moment = new Date('2026-11-22T08:30:05Z');
    expect(wallOf(moment, 'Europe/Oslo')).toBe('2026-11-22 09:30:05');
    expect(wallOf(moment, 'America/Los_Angeles')).toBe('2026-11-22 00:30:05');
    expect(momentOf('2026-11-22 09:30:05', 'Europe/Oslo')).toEqual(moment);
  });

  test('show an hour twice in autumn: the first one is used', () => {
    expect(momentOf('2026-10-25 02:30:00', 'Europe/Oslo')?.toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });

  test('skip an hour in spring: a skipped time is after the jump', () => {
    const moment = momentOf('2026-03-29 02:30:00', 'Europe/Oslo');
    expect(wallOf(moment!, 'Europe/Oslo')).toBe('2026-03-29 03:30:00');
  });

  test('reject an invalid time', () => {
    for (const text of ['', '2026-02-31 10:00:00', '2026-11-22', '2026-11-22 25:00:00', 'now'])
      expect(momentOf(text, 'Europe/Oslo')).toBeNull();
  });

  test('convert a local time to an instant of that local time', () => {
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 });
    fc.assert(
      fc.property(seconds, fc.constantFrom(...ZONES), (at, zone) => {
        const wall = wallOf(new Date(at * 1000), zone);
        expect(wallOf(momentOf(wall, zone)!, zone)).toBe(wall);
      }),
    );
  });
});
