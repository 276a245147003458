import { describe, expect, test } from 'vitest';
import { timeZone } from '../../lib/time-zone.ts';
import { previousSpan, resolveDates, type DateRange, type Interval } from './dates.ts';

/** A Friday, 10:30 in Berlin. */
const NOW = Date.UTC(2026, 10, 20, 9, 30, 15, 250);

function resolve(
  range: DateRange | null,
  { zone = 'Europe/Berlin', interval = 'day' as Interval, weekStart = 'sunday' as const, now = NOW } = {},
) {
  return resolveDates(range, { zone: timeZone(zone), interval, weekStart, now, firstEvent: null });
}

function iso({ from, to }: { from: number; to: number }): string[] {
  return [from, to].map((ms) => new Date(ms).toISOString());
}

describe('M9.9 the span of a query', () => {
  test('is the last seven days and today by default', () => {
    const expected = ['2026-11-12T23:00:00.000Z', '2026-11-20T23:00:00.000Z'];
    expect(iso(resolve(null))).toEqual(expected);
    expect(iso(resolve({ date_from: '', date_to: null }))).toEqual(expected);
    expect(iso(resolve({ date_from: '-7d' }))).toEqual(expected);
  });

  test.each<[from: string, start: string]>([
    ['-1d', '2026-11-18T23:00:00.000Z'],
    ['-24h', '2026-11-19T09:00:00.000Z'],
    ['-90M', '2026-11-20T08:00:00.000Z'],
    ['-2w', '2026-11-05T23:00:00.000Z'],
    // Summer time.
    ['-1m', '2026-10-19T22:00:00.000Z'],
    ['-1q', '2026-08-19T22:00:00.000Z'],
    ['-1y', '2025-11-19T23:00:00.000Z'],
    ['dStart', '2026-11-19T23:00:00.000Z'],
    ['wStart', '2026-11-14T23:00:00.000Z'],
    ['mStart', '2026-10-31T23:00:00.000Z'],
    ['qStart', '2026-09-30T22:00:00.000Z'],
    ['yStart', '2025-12-31T23:00:00.000Z'],
    ['-1dStart', '2026-11-18T23:00:00.000Z'],
    ['-1mStart', '2026-09-30T22:00:00.000Z'],
    ['-1mEnd', '2026-10-30T23:00:00.000Z'],
    ['-1yStart', '2024-12-31T23:00:00.000Z'],
    ['hStart', '2026-11-20T09:00:00.000Z'],
    ['2026-03-04', '2026-03-03T23:00:00.000Z'],
    ['2026-07-04', '2026-07-03T22:00:00.000Z'],
    ['2026-03-04T10:00:00', '2026-03-04T09:00:00.000Z'],
    ['2026-03-04 10:00', '2026-03-04T09:00:00.000Z'],
    ['2026-03-04T10:00:00.5Z', '2026-03-04T10:00:00.500Z'],
    ['2026-03-04T10:00:00+0530', '2026-03-04T04:30:00.000Z'],
  ])('that starts with %s starts at %s', (date_from, start) => {
    expect(iso(resolve({ date_from }))[0]).toBe(start);
  });

  test.each<[to: string | null, interval: Interval, end: string]>([
    [null, 'day', '2026-11-20T23:00:00.000Z'],
    [null, 'month', '2026-11-20T23:00:00.000Z'],
    [null, 'hour', '2026-11-20T10:00:00.000Z'],
    [null, 'minute', '2026-11-20T09:31:00.000Z'],
    ['-1d', 'day', '2026-11-19T23:00:00.000Z'],
    ['-1dEnd', 'hour', '2026-11-19T23:00:00.000Z'],
    ['-1h', 'hour', '2026-11-20T09:00:00.000Z'],
    ['-1mEnd', 'day', '2026-10-31T23:00:00.000Z'],
    ['mEnd', 'day', '2026-11-30T23:00:00.000Z'],
    ['wEnd', 'day', '2026-11-21T23:00:00.000Z'],
    ['2026-03-04', 'day', '2026-03-04T23:00:00.000Z'],
    ['2026-03-04', 'hour', '2026-03-04T23:00:00.000Z'],
    // A moment ends its day, and for hours and minutes itself.
    ['2026-03-04T10:00:00Z', 'week', '2026-03-04T23:00:00.000Z'],
    ['2026-03-04T10:00:00Z', 'hour', '2026-03-04T10:00:00.001Z'],
  ])('that ends with %s by the %s ends at %s', (date_to, interval, end) => {
    expect(iso(resolve({ date_from: '-2y', date_to }, { interval }))[1]).toBe(end);
  });

  test('is exact when it is explicit', () => {
    expect(iso(resolve({ date_from: '-7d', date_to: '2026-03-04T10:00:00Z', explicitDate: true }))).toEqual([
      '2026-11-13T09:30:15.250Z',
      '2026-03-04T10:00:00.001Z',
    ]);
    expect(iso(resolve({ date_from: '2026-03-01', date_to: '2026-03-04', explicitDate: true }))).toEqual([
      '2026-02-28T23:00:00.000Z',
      '2026-03-03T23:00:00.000Z',
    ]);
  });

  test('of all time starts with the day of the first event', () => {
    const context = { zone: timeZone('Europe/Berlin'), weekStart: 'sunday', now: NOW } as const;
    const firstEvent = Date.UTC(2024, 6, 1, 22, 30);
    expect(iso(resolveDates({ date_from: 'all' }, { ...context, firstEvent }))[0]).toBe(
      '2024-07-01T22:00:00.000Z',
    );
    expect(iso(resolveDates({ date_from: 'all' }, { ...context, firstEvent: null }))[0]).toBe(
      '2026-11-19T23:00:00.000Z',
    );
  });

  test('weeks start on Sunday, or on Monday', () => {
    const range = { date_from: 'wStart' };
    expect(iso(resolve(range, { zone: 'UTC' }))[0]).toBe('2026-11-15T00:00:00.000Z');
    expect(
      iso(
        resolveDates(range, {
          zone: timeZone('UTC'),
          weekStart: 'monday',
          now: Date.UTC(2026, 10, 22, 12),
        }),
      )[0],
    ).toBe('2026-11-16T00:00:00.000Z');
  });

  test.each([
    'soon',
    '-7',
    '7x',
    'd',
    '2026-02-30',
    '2026-13-01',
    '-999999y',
    '--1d',
    '2026-03-04T25:00:00Z',
    '__proto__',
  ])('%s is not a date', (text) => {
    expect(() => resolve({ date_from: text })).toThrow('is not a valid date_from');
    expect(() => resolve({ date_to: text })).toThrow('is not a valid date_to');
  });
});

describe('the comparison range', () => {
  const compare = (range: DateRange, compareTo: string | null, interval: Interval = 'day') => {
    const context = { zone: timeZone('Europe/Berlin'), weekStart: 'sunday', now: NOW, interval } as const;
    return iso(previousSpan(resolveDates(range, context), compareTo, context));
  };

  test('has the same length and ends where it starts', () => {
    expect(compare({ date_from: '-7d' }, null)).toEqual([
      '2026-11-04T23:00:00.000Z',
      '2026-11-12T23:00:00.000Z',
    ]);
    // The clocks were set back in between: days are days.
    expect(compare({ date_from: '2026-10-25', date_to: '2026-10-26' }, null)).toEqual([
      '2026-10-22T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
    ]);
  });

  test('is whole days earlier when hours of days are compared, and ends where the range starts below a day', () => {
    expect(compare({ date_from: '-24h' }, null, 'hour')).toEqual([
      '2026-11-17T09:00:00.000Z',
      '2026-11-18T10:00:00.000Z',
    ]);
    expect(compare({ date_from: '-3h' }, null, 'hour')).toEqual([
      '2026-11-20T02:00:00.000Z',
      '2026-11-20T06:00:00.000Z',
    ]);
  });

  test('can be given explicitly', () => {
    expect(compare({ date_from: '-7d' }, '-1w')).toEqual([
      '2026-11-05T23:00:00.000Z',
      '2026-11-13T23:00:00.000Z',
    ]);
    expect(compare({ date_from: '-7d' }, '-1y')).toEqual([
      '2025-11-12T23:00:00.000Z',
      '2025-11-20T23:00:00.000Z',
    ]);
    expect(() => compare({ date_from: '-7d' }, 'before')).toThrow('compare_to');
  });
});
