import { describe, expect, test } from 'vitest';
import { timeZone } from '../../lib/time-zone.ts';
import { isoOf } from './event-line.ts';
import { dateOrderOf, readTime, type DateOrder } from './read-time.ts';

function read(value: unknown, zone = 'UTC', dateOrder: DateOrder | null = null): string {
  return isoOf(readTime(value, { zone: timeZone(zone), dateOrder }));
}

test.each([
  ['2026-03-02T08:15:30.120000+00:00', '2026-03-02T08:15:30.120Z'],
  ['2026-03-02T08:15:30.123456Z', '2026-03-02T08:15:30.123456Z'],
  ['2026-03-02 08:15:30+0530', '2026-03-02T02:45:30.000Z'],
  ['2026-03-02 08:15:30 +02:00', '2026-03-02T06:15:30.000Z'],
  ['2026-03-02 08:15:30+02', '2026-03-02T06:15:30.000Z'],
  ['2026-03-02 08:15:30 UTC', '2026-03-02T08:15:30.000Z'],
  ['02/Mar/2026:08:15:30 +0100', '2026-03-02T07:15:30.000Z'],
  ['Mon, 02 Mar 2026 08:15:30 GMT', '2026-03-02T08:15:30.000Z'],
  [1_772_439_330, '2026-03-02T08:15:30.000Z'],
  ['1772439330.5', '2026-03-02T08:15:30.500Z'],
  ['1772439330123', '2026-03-02T08:15:30.123Z'],
  ['1772439330123456', '2026-03-02T08:15:30.123456Z'],
  ['1772439330123456789', '2026-03-02T08:15:30.123456Z'],
])('a time that names its zone or unit is that moment in every time zone: %s', (text, moment) => {
  expect([read(text), read(text, 'America/New_York')]).toEqual([moment, moment]);
});

describe('a time without a zone is of the chosen one', () => {
  test.each([
    ['2026-03-02 08:15:30', 'Europe/Berlin', '2026-03-02T07:15:30.000Z'],
    ['2026-07-02 08:15', 'Europe/Berlin', '2026-07-02T06:15:00.000Z'],
    ['2026-07-02', 'Europe/Berlin', '2026-07-01T22:00:00.000Z'],
    ['2026/07/02 08:15:30', 'Asia/Tokyo', '2026-07-01T23:15:30.000Z'],
    ['45000.25', 'UTC', '2023-03-15T06:00:00.000Z'],
    ['25.12.2026 18:30', 'Europe/Berlin', '2026-12-25T17:30:00.000Z'],
  ])('%s in %s', (text, zone, moment) => expect(read(text, zone)).toBe(moment));

  test('where the clocks go back, the first of both moments; where they go forward, the next that there is', () => {
    expect(read('2026-10-25 02:30:00', 'Europe/Berlin')).toBe('2026-10-25T00:30:00.000Z');
    expect(Date.parse(read('2026-03-29 02:30:00', 'Europe/Berlin'))).toBeGreaterThanOrEqual(
      Date.parse('2026-03-29T01:00:00Z'),
    );
  });
});

test('a date that can be read in two ways is read by its column, or by choice, or not at all', () => {
  expect(dateOrderOf(['01/02/2026', '13/02/2026'])).toBe('day_first');
  expect(dateOrderOf(['01/02/2026', '02/13/2026 1:00 PM'])).toBe('month_first');
  expect(dateOrderOf(['01/02/2026', '2026-01-01', null])).toBe(null);
  expect(read('01/02/2026 1:05 PM', 'UTC', 'month_first')).toBe('2026-01-02T13:05:00.000Z');
  expect(read('01/02/2026', 'UTC', 'day_first')).toBe('2026-02-01T00:00:00.000Z');
  expect(() => read('01/02/2026')).toThrow('two ways');
});

test.each([
  ['', 'There is no time'],
  [null, 'There is no time'],
  [0, 'There is no time'],
  [-1, 'There is no time'],
  ['soon', 'The time cannot be read'],
  ['2026-02-30', 'The time cannot be read'],
  ['1999-12-31T23:59:59Z', 'The time is not between 2000 and 2100'],
  ['2201-01-01', 'The time is not between 2000 and 2100'],
])('an invalid time has the reason: %s', (value, reason) => {
  expect(() => read(value)).toThrow(reason);
});
