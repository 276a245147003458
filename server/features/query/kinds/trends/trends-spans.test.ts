import { expect, test } from 'vitest';
import {
  askTrend,
  localTime,
  openModelApp,
  trendActors,
  type ModelEvent,
} from '../../../../../test/support/trends-model.ts';
import type { TestApp } from '../../../../../test/support/test-app.ts';

/** The tests' now: Friday 2026-11-20, 09:30 UTC. */
const VISIT = { kind: 'EventsNode', event: 'visit' };

const visit = (at: string, who = 'lin', properties: ModelEvent['properties'] = {}): ModelEvent => ({
  event: 'visit',
  who,
  at: at.length === 10 ? `${at}T12:00:00Z` : `${at}Z`,
  properties,
});

async function ask(app: TestApp, query: object) {
  return (await askTrend(app, { series: [VISIT], ...query })).results;
}

test('A-5 the previous period of -7d is seven days earlier, so that weekdays align, and of -30d 31', async () => {
  const app = await openModelApp([
    visit('2026-11-06'),
    visit('2026-11-13'),
    visit('2026-10-21'),
    visit('2026-10-20'),
  ]);
  const compareFilter = { compare: true };
  const [week, before] = await ask(app, { compareFilter });
  expect([week!.days[0], before!.days[0], before!.days.at(-1)]).toEqual([
    '2026-11-13',
    '2026-11-06',
    '2026-11-13',
  ]);
  expect([week!.data, before!.data]).toEqual([
    [1, 0, 0, 0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0, 0, 0, 1],
  ]);
  const [month, earlier] = await ask(app, { compareFilter, dateRange: { date_from: '-30d' } });
  expect([month!.days[0], earlier!.days[0], earlier!.days.at(-1)]).toEqual([
    '2026-10-21',
    '2026-09-20',
    '2026-10-20',
  ]);
  expect([month!.count, earlier!.count]).toEqual([3, 1]);
});

test('A-5 today by the hour is compared with yesterday from midnight', async () => {
  const app = await openModelApp([
    visit('2026-11-20T08:10:00'),
    visit('2026-11-19T00:05:00'),
    visit('2026-11-19T22:00:00'),
  ]);
  const query = { interval: 'hour', dateRange: { date_from: 'dStart' }, compareFilter: { compare: true } };
  const [today, yesterday] = await ask(app, query);
  expect(today!.labels).toEqual(Array.from({ length: 10 }, (_, hour) => `20-Nov 0${hour}:00`));
  expect([today!.data[8], today!.count]).toEqual([1, 1]);
  expect([yesterday!.days[0], yesterday!.days.at(-1)]).toEqual([
    '2026-11-19 00:00:00',
    '2026-11-19 23:00:00',
  ]);
  expect([yesterday!.data[0], yesterday!.data[22], yesterday!.count]).toEqual([1, 1, 2]);
});

test('A-5 one number compares spans of equal length up to now, and its display does not change which', async () => {
  const twice = Array.from({ length: 16 }, (_, at) => {
    const day = new Date(Date.UTC(2026, 10, 20 - at)).toISOString().slice(0, 10);
    return [visit(`${day}T03:00:00`), visit(`${day}T15:00:00`)];
  }).flat();
  const app = await openModelApp(twice);
  const query = { compareFilter: { compare: true } };
  const number = await ask(app, { ...query, trendsFilter: { display: 'BoldNumber' } });
  expect(number.map(({ aggregated_value: value }) => value)).toEqual([14, 14]);
  // Totals are those of the chart.
  const chart = await ask(app, query);
  const table = await ask(app, { ...query, trendsFilter: { display: 'ActionsTable' } });
  expect(table.map(({ aggregated_value: value }) => value)).toEqual(chart.map(({ count }) => count));
});

test('A-5 the first week counts only what happened from date_from, the first month counts whole', async () => {
  const app = await openModelApp(
    ['2026-10-01', '2026-10-27', '2026-10-29', '2026-11-03'].map((day) => visit(day)),
  );
  const range = { date_from: '2026-10-29', date_to: '2026-11-08' };
  const [weeks] = await ask(app, { interval: 'week', dateRange: range });
  expect([weeks!.labels, weeks!.days, weeks!.data]).toEqual([
    ['29–31 Oct', '1–7 Nov', '8-Nov-2026'],
    ['2026-10-25', '2026-11-01', '2026-11-08'],
    [1, 1, 0],
  ]);
  const [total] = await ask(app, {
    interval: 'week',
    dateRange: range,
    trendsFilter: { display: 'ActionsPie' },
  });
  expect(total!.aggregated_value).toBe(2);
  const [months] = await ask(app, { interval: 'month', dateRange: range });
  expect([months!.labels, months!.data]).toEqual([
    ['Oct 2026', 'Nov 2026'],
    [3, 1],
  ]);
  const [sum] = await ask(app, {
    interval: 'month',
    dateRange: range,
    trendsFilter: { display: 'ActionsPie' },
  });
  expect(sum!.aggregated_value).toBe(4);
  const [exact] = await ask(app, { interval: 'month', dateRange: { ...range, explicitDate: true } });
  expect(exact!.data).toEqual([1, 1]);
});

test('A-5 active persons of a week or a month are unique users of longer intervals', async () => {
  const app = await openModelApp([visit('2026-01-01'), visit('2026-01-31')]);
  const dateRange = { date_from: '2026-01-01', date_to: '2026-03-31' };
  const of = async (math: string, interval: string) =>
    (await ask(app, { series: [{ ...VISIT, math }], interval, dateRange }))[0]!.data;
  for (const math of ['monthly_active', 'weekly_active', 'dau'])
    expect(await of(math, 'month'), math).toEqual([1, 0, 0]);
  const both = await openModelApp([visit('2026-01-01'), visit('2026-01-31'), visit('2026-01-31', 'mo')]);
  const [two] = await ask(both, {
    series: [{ ...VISIT, math: 'monthly_active' }],
    interval: 'month',
    dateRange,
  });
  expect(two!.data).toEqual([2, 0, 0]);
  expect((await of('weekly_active', 'week')).slice(0, 6)).toEqual([1, 0, 0, 0, 1, 0]);
  expect(await of('monthly_active', 'quarter')).toEqual([1]);
});

test('A-5 the last hour by the minute has 61 points, and counts from 60 minutes ago', async () => {
  const app = await openModelApp([
    visit('2026-11-20T08:29:00'),
    visit('2026-11-20T08:31:00'),
    visit('2026-11-20T09:29:00'),
  ]);
  const [hour] = await ask(app, { interval: 'minute', dateRange: { date_from: '-1h' } });
  expect([hour!.data.length, hour!.count]).toEqual([61, 2]);
  expect([hour!.labels[0], hour!.labels.at(-1)]).toEqual(['20-Nov 08:30', '20-Nov 09:30']);
  const [seconds] = await ask(app, { interval: 'second', dateRange: { date_from: '-60s' } });
  expect([seconds!.days[0], seconds!.days.at(-1), seconds!.data.length]).toEqual([
    '2026-11-20 09:29:00',
    '2026-11-20 09:29:59',
    60,
  ]);
});

test('A-5 quarters and years', async () => {
  const app = await openModelApp([visit('2025-12-30'), visit('2026-02-01'), visit('2026-11-01')]);
  const dateRange = { date_from: '2025-12-31', date_to: '2026-11-20' };
  const [quarters] = await ask(app, { interval: 'quarter', dateRange });
  expect([quarters!.labels, quarters!.days[0], quarters!.data]).toEqual([
    ['Q4 2025', 'Q1 2026', 'Q2 2026', 'Q3 2026', 'Q4 2026'],
    '2025-10-01',
    [1, 1, 0, 0, 1],
  ]);
  const [years] = await ask(app, { interval: 'year', dateRange });
  expect([years!.labels, years!.days, years!.data]).toEqual([
    ['2025', '2026'],
    ['2025-01-01', '2026-01-01'],
    [1, 2],
  ]);
});

test('A-5 incomplete intervals can be left out, the ongoing one and a first one that the range cuts', async () => {
  const app = await openModelApp(
    ['2026-11-02', '2026-11-09', '2026-11-16', '2026-11-20'].map((day) => visit(day)),
  );
  const dateRange = { date_from: '2026-11-03', excludeIncompletePeriods: true };
  const [weeks] = await ask(app, { interval: 'week', dateRange });
  expect([weeks!.days, weeks!.data]).toEqual([['2026-11-08'], [1]]);
  const [days] = await ask(app, { dateRange: { date_from: '-4d', excludeIncompletePeriods: true } });
  expect([days!.days, days!.data]).toEqual([
    ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19'],
    [1, 0, 0, 0],
  ]);
});

test('A-5 the persons behind a point of the previous period have the day of the current one', async () => {
  const app = await openModelApp([
    visit('2026-11-17', 'lin'),
    visit('2026-11-10', 'mo'),
    visit('2026-11-11', 'sam'),
  ]);
  const source = { series: [VISIT], compareFilter: { compare: true } };
  const persons = async (point: object) => await trendActors(app, source, point);
  expect(await persons({ day: '2026-11-17' })).toEqual(['lin']);
  expect(await persons({ day: '2026-11-17', compare: 'previous' })).toEqual(['mo']);
  expect(await persons({ day: '2026-11-18', compare: 'previous' })).toEqual(['sam']);
  const rank = { ...source, compareFilter: { compare: true, compare_to: '-1d' } };
  expect(await trendActors(app, rank, { day: '2026-11-18', compare: 'previous' })).toEqual(['lin']);
});

test('A-5 a point by the hour of a day keeps local clocks in its label', async () => {
  const app = await openModelApp([visit('2026-11-18T23:30:00')]);
  const query = {
    series: [VISIT],
    interval: 'hour',
    dateRange: { date_from: '2026-11-19', date_to: '2026-11-19T02:00:00' },
  };
  const { results } = await askTrend(app, query, { timezone: 'Europe/Berlin' });
  expect(localTime('2026-11-18T23:30:00Z', 'Europe/Berlin')).toContain('2026-11-19 00:30');
  expect([results[0]!.labels, results[0]!.data]).toEqual([
    ['19-Nov 00:00', '19-Nov 01:00', '19-Nov 02:00'],
    [1, 0, 0],
  ]);
});

test('A-5 a slope has the first and the last interval, without a comparison', async () => {
  const app = await openModelApp([
    visit('2026-11-13', 'lin', { $browser: 'Chrome' }),
    visit('2026-11-16', 'lin', { $browser: 'Edge' }),
    visit('2026-11-16', 'mo', { $browser: 'Edge' }),
    visit('2026-11-20T08:00:00', 'mo', { $browser: 'Chrome' }),
    visit('2026-11-20T08:00:00', 'sam', { $browser: 'Safari' }),
  ]);
  const slope = { trendsFilter: { display: 'SlopeGraph', smoothingIntervals: 3 } };
  const [all, none] = await ask(app, { ...slope, compareFilter: { compare: true } });
  expect(none).toBeUndefined();
  expect(all).toMatchObject({
    data: [1, 2],
    days: ['2026-11-13', '2026-11-20'],
    labels: ['13-Nov-2026', '20-Nov-2026'],
    count: 3,
    incomplete_end: true,
  });
  const browsers = await ask(app, { ...slope, breakdownFilter: { breakdown: '$browser' } });
  expect(browsers.map(({ label, data }) => [label, data])).toEqual([
    ['Chrome', [1, 1]],
    ['Safari', [0, 1]],
  ]);
  const past = { ...slope, dateRange: { date_from: '2026-11-13', date_to: '2026-11-16' } };
  expect((await ask(app, past))[0]).toMatchObject({ data: [1, 2], incomplete_end: false });
});
