import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { timeZone } from '../../lib/time-zone.ts';
import { field } from '../../hogql/build.ts';
import { printHogql } from '../../hogql/print/hogql.ts';
import { bucketIndex, bucketsOf, withChartLabels } from './buckets.ts';
import type { Interval } from './dates.ts';

const HOUR = 3_600_000;

function buckets(from: string, to: string, interval: Interval, zone = 'Europe/Berlin') {
  const span = { from: Date.parse(from), to: Date.parse(to) };
  return bucketsOf(span, interval, timeZone(zone), 'sunday');
}

function chartLabels(from: string, to: string, interval: Interval): readonly string[] {
  const span = { from: Date.parse(from), to: Date.parse(to) };
  return withChartLabels(buckets(from, to, interval, 'UTC'), span, timeZone('UTC'), 'sunday').labels;
}

describe('M9.9.1 intervals', () => {
  test('of days have their labels', () => {
    const found = buckets('2025-03-02T23:00:00Z', '2025-03-04T23:00:00Z', 'day');
    expect(found.days).toEqual(['2025-03-03', '2025-03-04']);
    expect(found.labels).toEqual(['3-Mar-2025', '4-Mar-2025']);
  });

  test('of hours and minutes have the time in their labels', () => {
    const hours = buckets('2025-03-03T09:20:00Z', '2025-03-03T11:00:00Z', 'hour');
    expect(hours.days).toEqual(['2025-03-03 10:00:00', '2025-03-03 11:00:00']);
    expect(hours.labels).toEqual(['3-Mar-2025 10:00', '3-Mar-2025 11:00']);
    const minutes = buckets('2025-03-03T23:59:00Z', '2025-03-04T00:01:00Z', 'minute', 'Asia/Kolkata');
    expect(minutes.days).toEqual(['2025-03-04 05:29:00', '2025-03-04 05:30:00']);
  });

  test('of weeks and months start before the range when it starts within one', () => {
    expect(buckets('2026-11-18T00:00:00Z', '2026-11-23T00:00:00Z', 'week', 'UTC').days).toEqual([
      '2026-11-15',
      '2026-11-22',
    ]);
    expect(
      bucketsOf(
        { from: Date.UTC(2026, 10, 18), to: Date.UTC(2026, 10, 24) },
        'week',
        timeZone('UTC'),
        'monday',
      ).days,
    ).toEqual(['2026-11-16', '2026-11-23']);
    expect(buckets('2026-01-31T12:00:00Z', '2026-03-01T00:00:00Z', 'month', 'UTC').days).toEqual([
      '2026-01-01',
      '2026-02-01',
    ]);
  });

  test('A-5 of weeks are named by the days that are in the range, of quarters and years by their names', () => {
    const labels = (from: string, to: string, interval: Interval) =>
      chartLabels(`${from}T00:00:00Z`, `${to}T00:00:00Z`, interval);
    expect(labels('2026-10-28', '2026-11-16', 'week')).toEqual([
      '28–31 Oct',
      '1–7 Nov',
      '8–14 Nov',
      '15-Nov-2026',
    ]);
    expect(labels('2025-12-27', '2026-01-06', 'week')).toEqual([
      '27-Dec-2025',
      '28-Dec-2025 – 3-Jan-2026',
      '4–5 Jan',
    ]);
    expect(labels('2026-10-25', '2026-11-05', 'week')).toEqual(['25–31 Oct', '1–4 Nov']);
    expect(labels('2026-09-27', '2026-10-04', 'week')).toEqual(['27-Sep – 3-Oct']);
    expect(labels('2026-06-10', '2026-07-02', 'month')).toEqual(['Jun 2026', 'Jul 2026']);
    expect(labels('2026-03-31', '2026-07-02', 'quarter')).toEqual(['Q1 2026', 'Q2 2026', 'Q3 2026']);
    expect(labels('2025-12-31', '2026-01-02', 'year')).toEqual(['2025', '2026']);
    expect(labels('2025-03-03', '2025-03-04', 'day')).toEqual(['3-Mar-2025']);
    expect(chartLabels('2025-03-03T09:20:00Z', '2025-03-03T11:00:00Z', 'hour')).toEqual([
      '3-Mar 09:00',
      '3-Mar 10:00',
    ]);
    expect(chartLabels('2026-03-31T10:00:58Z', '2026-03-31T10:01:00Z', 'second')).toEqual([
      '31-Mar 10:00:58',
      '31-Mar 10:00:59',
    ]);
    expect(buckets('2026-03-31T10:00:58Z', '2026-03-31T10:01:00Z', 'second', 'UTC').days).toEqual([
      '2026-03-31 10:00:58',
      '2026-03-31 10:00:59',
    ]);
  });

  test('a day has 23 hours in spring and 25 in autumn, two of which have the same name', () => {
    const spring = buckets('2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'hour');
    expect(spring.days).toHaveLength(23);
    expect(spring.days.slice(1, 4)).toEqual([
      '2026-03-29 01:00:00',
      '2026-03-29 03:00:00',
      '2026-03-29 04:00:00',
    ]);
    const autumn = buckets('2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 'hour');
    expect(autumn.days).toHaveLength(25);
    expect(autumn.days.filter((day) => day === '2026-10-25 02:00:00')).toHaveLength(2);
    const days = buckets('2026-10-23T22:00:00Z', '2026-10-26T23:00:00Z', 'day');
    expect(days.days).toEqual(['2026-10-24', '2026-10-25', '2026-10-26']);
    expect(days.starts[2]! - days.starts[1]!).toBe(25 * HOUR);
  });

  test('are never empty, are contiguous, and contain instants of one local name, as Intl does', () => {
    const zones = fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'America/Havana',
      'Asia/Kolkata',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Apia',
      'Africa/Cairo',
      'America/Sao_Paulo',
      'Pacific/Chatham',
    );
    const lengths: Record<Interval, number> = {
      second: 1_000,
      minute: 60_000,
      hour: HOUR,
      day: 24 * HOUR,
      week: 168 * HOUR,
      month: 720 * HOUR,
      quarter: 2_190 * HOUR,
      year: 8_766 * HOUR,
    };
    fc.assert(
      fc.property(
        zones,
        fc.constantFrom<Interval>('second', 'minute', 'hour', 'day', 'week', 'month', 'year'),
        fc.integer({ min: Date.UTC(1980, 0, 1) / 60_000, max: Date.UTC(2036, 0, 1) / 60_000 }),
        fc.integer({ min: 1, max: 60 }),
        (zone, interval, minute, count) => {
          const from = minute * 60_000;
          const to = from + count * lengths[interval];
          const { starts, end, days } = bucketsOf({ from, to }, interval, timeZone(zone), 'sunday');
          const ends = [...starts.slice(1), end];
          expect(starts[0]!).toBeLessThanOrEqual(from);
          expect(end).toBeGreaterThanOrEqual(to);
          const nameOf = nameIn(zone, interval);
          for (const [at, start] of starts.entries()) {
            expect(ends[at]!).toBeGreaterThan(start);
            expect(nameOf(start)).toBe(nameOf(ends[at]! - 1));
            expect(interval === 'week' ? weekOf(days[at]!) : days[at]!.startsWith(nameOf(start))).toBe(true);
            // Another name follows, or the same hour once more.
            if (interval !== 'week' && at > 0 && nameOf(start) === nameOf(start - 1)) {
              expect(offsetIn(zone, start)).not.toBe(offsetIn(zone, start - 1));
            }
          }
        },
      ),
      { numRuns: 80 },
    );
  });

  test('an interval that the clocks skip holds no moment, and none is divided by its length', () => {
    const index = bucketIndex(field('timestamp'), {
      starts: [0, HOUR, HOUR, 2 * HOUR],
      end: 3 * HOUR,
    });
    const text = printHogql(index);
    expect(text).toContain(`${HOUR * 1_000}) + 2`);
    expect(text).not.toMatch(/intDiv\([^()]*(\([^()]*\))?[^()]*, 0\)/);
  });

  test('are limited in number', () => {
    expect(() => buckets('1970-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'minute')).toThrow(
      'more than 50000 data points',
    );
  });
});

/** The local time of a moment to the interval, by Intl alone; of a week, nothing. */
function nameIn(zone: string, interval: Interval): (ms: number) => string {
  const length = { second: 19, minute: 16, hour: 13, day: 10, week: 0, month: 7, quarter: 0, year: 4 }[
    interval
  ];
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  });
  return (ms) => format.format(ms).slice(0, length);
}

function weekOf(day: string): boolean {
  return new Date(`${day}T12:00:00Z`).getUTCDay() === 0;
}

function offsetIn(zone: string, ms: number): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  return format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')!.value;
}
