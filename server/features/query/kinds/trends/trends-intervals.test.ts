import { expect, test } from 'vitest';
import { createCoverageTable } from '../../../../../test/support/coverage-table.ts';
import {
  askTrend,
  localTime,
  openModelApp,
  type ModelEvent,
} from '../../../../../test/support/trends-model.ts';
import { INTERVALS } from '../../node-schema.ts';

type Interval = (typeof INTERVALS)[number];

const MINUTE = 60_000;

/** An event every so often, from a moment to another. */
function every(minutes: number, from: string, to: string): ModelEvent[] {
  const events: ModelEvent[] = [];
  for (let ms = Date.parse(from); ms < Date.parse(to); ms += minutes * MINUTE) {
    events.push({ event: 'tick', who: 'lin', at: new Date(ms).toISOString(), properties: {} });
  }
  return events;
}

/** The local name of the interval in which an event lies, by Intl and the calendar alone. */
function nameOf(at: string, interval: Interval, zone: string, firstDay: number): string {
  const local = localTime(at, zone);
  const date = new Date(`${local.slice(0, 10)}T00:00:00Z`);
  switch (interval) {
    case 'second':
      return local;
    case 'minute':
      return `${local.slice(0, 16)}:00`;
    case 'hour':
      return `${local.slice(0, 13)}:00:00`;
    case 'day':
      return local.slice(0, 10);
    case 'week':
      date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() - firstDay + 7) % 7));
      return date.toISOString().slice(0, 10);
    case 'month':
      return `${local.slice(0, 7)}-01`;
    case 'quarter':
      date.setUTCMonth(3 * Math.floor(date.getUTCMonth() / 3), 1);
      return date.toISOString().slice(0, 10);
    case 'year':
      return `${local.slice(0, 4)}-01-01`;
  }
}

interface Case {
  interval: Interval;
  from: string;
  to: string;
  zone: string;
  points: number;
  weekStartDay?: 'sunday' | 'monday';
}

const CASES: Case[] = [
  { interval: 'second', from: '2026-11-20T08:00:00', to: '2026-11-20T08:01:00', zone: 'UTC', points: 61 },
  {
    interval: 'second',
    from: '2026-11-20T08:00:00',
    to: '2026-11-20T08:01:00',
    zone: 'Asia/Kolkata',
    points: 61,
  },
  { interval: 'minute', from: '2026-11-20T08:00:00', to: '2026-11-20T08:30:00', zone: 'UTC', points: 31 },
  {
    interval: 'minute',
    from: '2026-11-20T08:00:00',
    to: '2026-11-20T08:10:00',
    zone: 'Asia/Kolkata',
    points: 11,
  },
  { interval: 'hour', from: '2026-11-19', to: '2026-11-19T23:59:59', zone: 'Europe/Berlin', points: 24 },
  { interval: 'hour', from: '2026-11-18', to: '2026-11-19T23:59:59', zone: 'Asia/Kathmandu', points: 48 },
  // Days of 23 and 25 hours; of two hours of one name each has its own place.
  { interval: 'hour', from: '2026-03-29', to: '2026-03-29T23:59:59', zone: 'Europe/Berlin', points: 23 },
  { interval: 'hour', from: '2026-10-25', to: '2026-10-25T23:59:59', zone: 'Europe/Berlin', points: 25 },
  { interval: 'day', from: '2026-03-27', to: '2026-03-31', zone: 'Europe/Berlin', points: 5 },
  { interval: 'day', from: '2026-10-23', to: '2026-10-27', zone: 'Europe/Berlin', points: 5 },
  { interval: 'day', from: '2026-11-01', to: '2026-11-03', zone: 'America/New_York', points: 3 },
  { interval: 'week', from: '2026-10-15', to: '2026-11-05', zone: 'Europe/Berlin', points: 4 },
  {
    interval: 'week',
    from: '2026-03-20',
    to: '2026-04-05',
    zone: 'Europe/Berlin',
    points: 3,
    weekStartDay: 'monday',
  },
  { interval: 'month', from: '2026-01-20', to: '2026-11-20', zone: 'Europe/Berlin', points: 11 },
  { interval: 'month', from: '2025-12-31', to: '2026-02-01', zone: 'Pacific/Auckland', points: 3 },
  { interval: 'quarter', from: '2026-02-10', to: '2026-11-20', zone: 'Europe/Berlin', points: 4 },
  { interval: 'quarter', from: '2026-01-01', to: '2026-06-30', zone: 'America/New_York', points: 2 },
  { interval: 'year', from: '2026-03-01', to: '2026-11-20', zone: 'UTC', points: 1 },
  { interval: 'year', from: '2025-12-31', to: '2026-11-20', zone: 'Asia/Kolkata', points: 2 },
];

/** Days on which the clocks change. */
const CLOCKS = { 'spring in Europe/Berlin': '2026-03-29', 'autumn in Europe/Berlin': '2026-10-25' } as const;

/** Around the changes of the clocks. */
const QUARTERS = [
  ...every(15, '2026-03-27T12:00:00Z', '2026-03-31T12:00:00Z'),
  ...every(15, '2026-10-23T12:00:00Z', '2026-10-27T12:00:00Z'),
];
/** And some at other times of the year. */
const TICKS = [
  ...QUARTERS,
  ...every(1, '2026-11-20T01:00:00Z', '2026-11-20T09:00:00Z'),
  ...every(60, '2026-11-17T00:30:00Z', '2026-11-20T01:00:00Z'),
  ...every(3 * 1440 + 60, '2025-12-01T00:10:00Z', '2026-11-17T00:00:00Z'),
];

test('M9.9.1 intervals follow the time zone of the project, also over clock changes', async () => {
  const app = await openModelApp(TICKS);
  const table = createCoverageTable('Intervals, and days of 23 and 25 hours', [
    ...INTERVALS,
    ...Object.keys(CLOCKS),
  ]);
  for (const { interval, from, to, zone, points, weekStartDay = 'sunday' } of CASES) {
    const query = {
      series: [{ kind: 'EventsNode', event: 'tick' }],
      interval,
      dateRange: { date_from: from, date_to: to },
    };
    const { results } = await askTrend(app, query, { timezone: zone, weekStartDay });
    const { days, data } = results[0]!;
    const name = `${interval} ${from} ${zone}`;
    expect(days.length, name).toBe(points);
    const last = days.at(-1)!;
    const counts = new Map<string, number>();
    for (const { at } of TICKS) {
      const day = localTime(at, zone).slice(0, 10);
      // The first week counts from the requested day, other first intervals whole; the last one up to the requested end.
      if (day > to.slice(0, 10) || (interval === 'week' && day < from)) continue;
      const key = nameOf(at, interval, zone, weekStartDay === 'monday' ? 1 : 0);
      if (key >= days[0]! && key <= last) counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    if (interval === 'minute' || interval === 'second') counts.set(last, 1);
    const found = new Map<string, number>();
    days.forEach((day, at) => found.set(day, (found.get(day) ?? 0) + data[at]!));
    expect(Object.fromEntries([...found].filter(([, count]) => count > 0)), name).toEqual(
      Object.fromEntries(counts),
    );
    table.saw(interval);
    for (const [clocks, day] of Object.entries(CLOCKS)) {
      if (zone === 'Europe/Berlin' && from <= day && day <= to.slice(0, 10)) table.saw(clocks);
    }
  }
  expect(table.missing()).toEqual([]);
}, 180_000);

test('M9.9.1 an hour that exists twice is counted separately each time', async () => {
  const app = await openModelApp(QUARTERS);
  const ask = async (day: string): Promise<[string, number][]> => {
    const query = {
      series: [{ kind: 'EventsNode', event: 'tick' }],
      interval: 'hour',
      dateRange: { date_from: day, date_to: `${day}T23:59:59` },
    };
    const { results } = await askTrend(app, query, { timezone: 'Europe/Berlin' });
    return results[0]!.days.map((name, at) => [name.slice(11, 13), results[0]!.data[at]!]);
  };
  // Four quarters to every hour that there was.
  const autumn = await ask('2026-10-25');
  expect(autumn.slice(0, 5)).toEqual([
    ['00', 4],
    ['01', 4],
    ['02', 4],
    ['02', 4],
    ['03', 4],
  ]);
  const spring = await ask('2026-03-29');
  expect(spring.slice(0, 4)).toEqual([
    ['00', 4],
    ['01', 4],
    ['03', 4],
    ['04', 4],
  ]);
  expect([...autumn, ...spring].every(([, count]) => count === 4)).toBe(true);
});

test('A-5 the labels of days, and of hours', async () => {
  const app = await openModelApp([]);
  const ask = async (interval: string) => {
    const query = {
      series: [{ kind: 'EventsNode', event: 'tick' }],
      interval,
      dateRange: { date_from: '2025-03-03', date_to: '2025-03-04T23:59:59' },
    };
    return (await askTrend(app, query)).results[0]!;
  };
  const days = await ask('day');
  expect([days.labels, days.days, days.data]).toEqual([
    ['3-Mar-2025', '4-Mar-2025'],
    ['2025-03-03', '2025-03-04'],
    [0, 0],
  ]);
  const hours = await ask('hour');
  expect([hours.labels[10], hours.days[10], hours.data.length]).toEqual([
    '3-Mar 10:00',
    '2025-03-03 10:00:00',
    48,
  ]);
});

test('M9.9 all time starts with the first event of the project', async () => {
  const app = await openModelApp([
    { event: 'tick', who: 'lin', at: '2026-11-17T23:30:00Z', properties: {} },
    { event: 'tick', who: 'lin', at: '2026-11-19T10:00:00Z', properties: {} },
  ]);
  const query = {
    series: [{ kind: 'EventsNode', event: 'tick' }],
    dateRange: { date_from: 'all' },
    interval: 'month',
  };
  const { results } = await askTrend(app, query, { timezone: 'Europe/Berlin' });
  // Persons of the model came in 2020.
  expect(results[0]!.days[0]).toBe('2020-01-01');
  expect(results[0]!.data.slice(-2)).toEqual([0, 2]);
});
