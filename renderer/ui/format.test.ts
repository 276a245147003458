import { describe, expect, test } from 'vitest';
import {
  formatAge,
  formatAgo,
  formatBytes,
  formatClock,
  formatDate,
  formatDay,
  formatCount,
  formatCountOf,
  formatDuration,
  formatMoment,
  formatShare,
  formatUtc,
} from './format.ts';

describe('numbers', () => {
  test('counts have thousands separators', () => {
    expect(formatCount(1284906)).toBe('1,284,906');
  });

  test('singular for one event, plural for two', () => {
    expect([0, 1, 1200].map((count) => formatCountOf(count, 'event'))).toEqual([
      '0 events',
      '1 event',
      '1,200 events',
    ]);
  });

  test.each([
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1 kB'],
    [12_288_000, '12.3 MB'],
    [999_600, '1 MB'],
    [1_840_000_000, '1.84 GB'],
    [5e15, '5000 TB'],
  ])('%d bytes are %s', (bytes, text) => {
    expect(formatBytes(bytes)).toBe(text);
  });

  test('a share is never rounded up to 100% nor down to 0%', () => {
    expect(formatShare(18_694, 18_742)).toBe('99.74%');
    expect(formatShare(999_999, 1_000_000)).toBe('99.99%');
    expect(formatShare(1, 1_000_000)).toBe('0.01%');
    expect(formatShare(0, 7)).toBe('0%');
    expect(formatShare(7, 7)).toBe('100%');
    expect(formatShare(0, 0)).toBe('100%');
  });
});

describe('times', () => {
  test.each([
    [0, '0 ms'],
    [0.34, '0.3 ms'],
    [38, '38 ms'],
    [1240, '1.2 s'],
    [42_000, '42 s'],
    [180_000, '3 min'],
    [4 * 3_600_000, '4 h'],
    [3 * 86_400_000, '3 d'],
    [-1500, '−1.5 s'],
  ])('%d milliseconds are %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });

  test('the clock shows milliseconds', () => {
    expect(formatClock('2026-11-19T13:32:08.007Z')).toMatch(/^\d\d:\d\d:08\.007$/);
  });

  test('UTC keeps every digit of the server’s value', () => {
    expect(formatUtc('2026-11-19T13:32:08.417204Z')).toBe('2026-11-19 13:32:08.417204 UTC');
    expect(formatUtc('2026-11-19T13:32:08.417204+00:00')).toBe('2026-11-19 13:32:08.417204 UTC');
    expect(formatUtc('2026-11-19T15:32:08+02:00')).toBe('2026-11-19 13:32:08.000 UTC');
  });

  test('a recent time is shown as just now, not in milliseconds', () => {
    const now = Date.parse('2026-11-19T13:32:08Z');
    expect(formatAgo('2026-11-19T13:32:07Z', now)).toBe('just now');
    expect(formatAgo('2026-11-19T13:30:08Z', now)).toBe('2 min ago');
  });

  test('a time ago is shown in whole seconds', () => {
    const now = Date.parse('2026-11-19T13:32:08Z');
    expect(formatAgo('2026-11-19T13:32:01Z', now)).toBe('7 s ago');
    expect(formatAgo('2026-11-19T13:32:00.250Z', now)).toBe('7 s ago');
    expect(formatAgo('2026-11-19T13:31:08.001Z', now)).toBe('59 s ago');
    expect(formatAgo('2026-11-19T13:31:08Z', now)).toBe('1 min ago');
  });

  test('a time on another day shows that day instead of its seconds', () => {
    const noon = new Date(2026, 10, 19, 12).getTime();
    expect(formatMoment(new Date(2026, 10, 19, 0, 1, 2, 3).toISOString(), noon)).toBe('00:01:02.003');
    expect(formatMoment(new Date(2026, 10, 18, 23, 59).toISOString(), noon)).toBe('18 Nov, 23:59');
  });

  test('a day of this year has no year, a date always has one', () => {
    const now = new Date(2026, 10, 19).getTime();
    expect(formatDay(new Date(2026, 2, 4), now)).toBe('4 Mar');
    expect(formatDay(new Date(2025, 2, 4), now)).toBe('4 Mar 2025');
    expect(formatDate(new Date(2026, 2, 4), true)).toBe('4 Mar 2026');
    expect(formatDay(new Date(2026, 8, 10), now)).toBe('10 Sep');
    expect(formatDate(new Date(2026, 2, 4, 9, 12, 8))).toBe('4 Mar 2026, 09:12:08');
  });

  test.each([
    [20_000, 'now'],
    [5 * 60_000, '5 min'],
    [7 * 3_600_000, '7 h'],
    [47 * 3_600_000, '1 d'],
    [30 * 86_400_000, '4 w'],
    [800 * 86_400_000, '2 y'],
  ])('the age of %d milliseconds is %s', (age, text) => {
    const now = Date.parse('2026-11-19T13:32:08Z');
    expect(formatAge(new Date(now - age).toISOString(), now)).toBe(text);
  });
});
