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
    ['now', '2026-11-20T09:00:00.000Z'],
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

describe('A-5 rolling spans', () => {
  test.each<[from: string, interval: Interval, start: string, end: string]>([
    ['-1h', 'minute', '2026-11-20T08:30:15.000Z', '2026-11-20T09:31:00.000Z'],
    ['-30M', 'minute', '2026-11-20T09:00:15.000Z', '2026-11-20T09:31:00.000Z'],
    ['-60s', 'second', '2026-11-20T09:29:15.000Z', '2026-11-20T09:30:15.000Z'],
    ['dStart', 'minute', '2026-11-19T23:00:00.000Z', '2026-11-20T09:31:00.000Z'],
    ['-1h', 'hour', '2026-11-20T08:00:00.000Z', '2026-11-20T10:00:00.000Z'],
  ])('%s by the %s is %s to %s', (date_from, interval, start, end) => {
    expect(iso(resolve({ date_from }, { interval }))).toEqual([start, end]);
  });

  test('of charts by the hour end with the first moment of a day', () => {
    const context = {
      zone: timeZone('Europe/Berlin'),
      weekStart: 'sunday',
      now: NOW,
      isChart: true,
    } as const;
    const end = (date_to: string, interval: Interval) =>
      iso(resolveDates({ date_from: '-2y', date_to }, { ...context, interval }))[1];
    expect(end('2026-03-04', 'hour')).toBe('2026-03-03T23:00:00.001Z');
    expect(end('2026-03-04', 'day')).toBe('2026-03-04T23:00:00.000Z');
    expect(end('2026-03-04T10:00:00Z', 'hour')).toBe('2026-03-04T10:00:00.001Z');
    expect(end('-1dEnd', 'hour')).toBe('2026-11-19T23:00:00.000Z');
  });

  test('a number covers exactly the days up to now', () => {
    const context = { zone: timeZone('UTC'), weekStart: 'sunday', now: NOW, isNumber: true } as const;
    const range = { date_from: '-7d' };
    const span = resolveDates(range, context);
    // To the minute, so that a result is cached for a minute.
    expect(iso(span)).toEqual(['2026-11-13T09:30:00.000Z', '2026-11-20T09:31:00.000Z']);
  });

  test('without incomplete intervals the ongoing one is left out', () => {
    const range = { date_from: '-7d', excludeIncompletePeriods: true };
    expect(iso(resolve(range, { zone: 'UTC' }))).toEqual([
      '2026-11-13T00:00:00.000Z',
      '2026-11-20T00:00:00.000Z',
    ]);
    expect(iso(resolve(range, { zone: 'UTC', interval: 'week' }))[1]).toBe('2026-11-15T00:00:00.000Z');
    const ended = { date_from: '2026-11-01', date_to: '2026-11-10', excludeIncompletePeriods: true };
    expect(iso(resolve(ended, { zone: 'UTC' }))[1]).toBe('2026-11-11T00:00:00.000Z');
  });

  test('a day may be written without its zeros', () => {
    expect(iso(resolve({ date_from: '2026-6-1', date_to: '2026-6-9' }, { zone: 'UTC' }))).toEqual([
      '2026-06-01T00:00:00.000Z',
      '2026-06-10T00:00:00.000Z',
    ]);
  });
});

describe('A-5 the comparison range', () => {
  const compare = (
    range: DateRange,
    compareTo: string | null,
    interval: Interval = 'day',
    more: { zone?: string; isNumber?: boolean } = {},
  ) => {
    const { zone = 'Europe/Berlin', isNumber = false } = more;
    const context = { zone: timeZone(zone), weekStart: 'sunday', now: NOW, interval, isNumber } as const;
    return iso(previousSpan(range, resolveDates(range, context), compareTo, context));
  };
  const days = (range: DateRange, interval: Interval = 'day') =>
    compare(range, null, interval, { zone: 'UTC' }).map((moment) => moment.replace('T00:00:00.000Z', ''));

  test('is shifted by the length of the range in whole days', () => {
    expect(days({ date_from: '-30d' })).toEqual(['2026-09-20', '2026-10-21']);
    expect(days({ date_from: '-1d' })).toEqual(['2026-11-17', '2026-11-19']);
    expect(days({ date_from: 'dStart' })).toEqual(['2026-11-19', '2026-11-20']);
    expect(days({ date_from: '-7d', date_to: '-1d' })).toEqual(['2026-11-06', '2026-11-13']);
    // The clocks were set back in between: days are days.
    expect(compare({ date_from: '2026-10-25', date_to: '2026-10-26' }, null)).toEqual([
      '2026-10-22T22:00:00.000Z',
      '2026-10-24T22:00:00.000Z',
    ]);
  });

  test('of whole weeks is shifted by whole weeks, so that weekdays align', () => {
    for (const range of [{}, { date_from: '-7d' }]) expect(days(range)).toEqual(['2026-11-06', '2026-11-14']);
    expect(days({ date_from: '-14d' })).toEqual(['2026-10-23', '2026-11-07']);
    // Only by the day, and up to now.
    expect(days({ date_from: '-7d' }, 'week')).toEqual(['2026-11-05', '2026-11-13']);
    expect(days({ date_from: '-7d', date_to: '2026-11-20' })).toEqual(['2026-11-05', '2026-11-13']);
    expect(days({ date_from: '-7d', excludeIncompletePeriods: true })).toEqual(['2026-11-06', '2026-11-13']);
  });

  test('of a calendar unit up to now is the whole unit before', () => {
    expect(days({ date_from: 'wStart' })).toEqual(['2026-11-08', '2026-11-15']);
    expect(days({ date_from: 'mStart' })).toEqual(['2026-10-01', '2026-11-01']);
    expect(days({ date_from: 'qStart' })).toEqual(['2026-07-01', '2026-10-01']);
    expect(days({ date_from: 'yStart' })).toEqual(['2025-01-01', '2026-01-01']);
  });

  test('of today by the hour begins at midnight of yesterday', () => {
    expect(days({ date_from: 'dStart' }, 'hour')).toEqual(['2026-11-19', '2026-11-20']);
    expect(days({ date_from: '-7d' }, 'hour')).toEqual(['2026-11-05', '2026-11-13']);
    expect(compare({ date_from: '-24h' }, null, 'hour')).toEqual([
      '2026-11-18T09:00:00.000Z',
      '2026-11-19T10:00:00.000Z',
    ]);
  });

  test('of less than a day, of minutes and of all time ends where the range begins', () => {
    expect(compare({ date_from: '-3h' }, null, 'hour')).toEqual([
      '2026-11-20T02:00:00.000Z',
      '2026-11-20T06:00:00.000Z',
    ]);
    expect(days({ date_from: 'dStart' }, 'minute')).toEqual(['2026-11-19', '2026-11-20']);
    expect(days({ date_from: 'all' })).toEqual(['2026-11-19', '2026-11-20']);
  });

  test('of a number has its length', () => {
    const [from, to] = compare({ date_from: '-7d' }, null, 'day', { isNumber: true });
    expect([from, to]).toEqual(['2026-11-06T09:30:00.000Z', '2026-11-13T09:30:00.000Z']);
    expect(compare({ date_from: 'dStart' }, null, 'day', { zone: 'UTC', isNumber: true })).toEqual([
      '2026-11-19T00:00:00.000Z',
      '2026-11-19T09:31:00.000Z',
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
