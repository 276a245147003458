import { expect, test } from 'vitest';
import { answerTo, sendBySdk, type ShopEvent } from '../support/query-shop.ts';
import { sendEvents } from '../support/send-events.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

const node = (event: string | null, more: object = {}) => ({ kind: 'EventsNode', event, ...more });

async function openWith(events: readonly ShopEvent[], settings?: object): Promise<TestApp> {
  const app = await openTestApp();
  if (settings !== undefined) await app.ask('/api/projects/1/', { method: 'PATCH', body: settings });
  await sendBySdk(app, events);
  return app;
}

async function seriesOf(app: TestApp, interval: string, dateRange: object) {
  const { results } = await answerTo(app, {
    kind: 'TrendsQuery',
    series: [node('seen')],
    interval,
    dateRange,
  });
  return results[0] as { data: number[]; days: string[] };
}

/** Counts of a funnel's steps. */
async function stepsOf(app: TestApp, names: string[], funnelsFilter: object = {}): Promise<number[]> {
  const dateRange = { date_from: '2026-11-01' };
  const query = { kind: 'FunnelsQuery', series: names.map((name) => node(name)), dateRange, funnelsFilter };
  return (await answerTo(app, query)).results.map(({ count }: any) => count);
}

const at = (day: number, time = '10:00:00.000') => `2026-11-${String(day).padStart(2, '0')}T${time}Z`;

test('M9.9.1/dates date_to as a date includes its whole day in the time zone of the project, date_from starts its day', async () => {
  // In Berlin, in November an hour ahead, the tenth lasts from 23:00 of the ninth to 23:00 of the tenth.
  const times = [
    at(9, '22:59:59.999'),
    at(9, '23:00:00.000'),
    at(10, '22:59:59.999'),
    at(10, '23:00:00.000'),
  ];
  const app = await openWith(
    times.map((time) => ['seen', 'ada', time] as const),
    { timezone: 'Europe/Berlin' },
  );
  const tenth = await seriesOf(app, 'day', { date_from: '2026-11-10', date_to: '2026-11-10' });
  expect(tenth).toMatchObject({ days: ['2026-11-10'], data: [2] });
});

test('M9.9.1/buckets one without events is 0, never missing', async () => {
  const app = await openWith([
    ['seen', 'ada', at(10)],
    ['seen', 'ada', at(14)],
  ]);
  const { days, data } = await seriesOf(app, 'day', { date_from: '2026-11-09', date_to: '2026-11-15' });
  expect(days).toHaveLength(7);
  expect(data).toEqual([0, 1, 0, 0, 0, 1, 0]);
});

test('M9.9.1/weeks start on Sunday unless week_start_day is 1', async () => {
  // The eighth is a Sunday.
  const app = await openWith([
    ['seen', 'ada', at(7)],
    ['seen', 'ada', at(8)],
    ['seen', 'ada', at(9)],
  ]);
  const range = { date_from: '2026-11-01', date_to: '2026-11-14' };
  expect(await seriesOf(app, 'week', range)).toMatchObject({
    days: ['2026-11-01', '2026-11-08'],
    data: [1, 2],
  });
  await app.ask('/api/projects/1/', { method: 'PATCH', body: { week_start_day: 1 } });
  const monday = await seriesOf(app, 'week', range);
  expect(monday.days).toEqual(['2026-10-26', '2026-11-02', '2026-11-09']);
  expect(monday.data).toEqual([0, 2, 1]);
});

test('M9.9.1/dst the day of autumn has 25 hours and that of spring 23, with all their events', async () => {
  const autumn = { date_from: '2026-10-25', date_to: '2026-10-25' };
  const spring = { date_from: '2026-03-29', date_to: '2026-03-29' };
  const app = await openWith(
    [
      ['seen', 'ada', '2026-10-24T22:00:00.000Z'],
      ['seen', 'ada', '2026-10-25T22:59:59.000Z'],
      ['seen', 'ada', '2026-03-28T23:00:00.000Z'],
      ['seen', 'ada', '2026-03-29T21:59:59.000Z'],
    ],
    { timezone: 'Europe/Berlin' },
  );
  for (const [range, hours] of [
    [autumn, 25],
    [spring, 23],
  ] as const) {
    expect((await seriesOf(app, 'day', range)).data).toEqual([2]);
    const byHour = await seriesOf(app, 'hour', { ...range, date_to: `${range.date_to}T23:59:59` });
    expect([byHour.data.length, byHour.data[0], byHour.data.at(-1)]).toEqual([hours, 1, 1]);
  }
});

test('M9.9.1/funnel ordered: a step needs an event later than the previous step, or at its moment (A-6)', async () => {
  const app = await openWith([
    ['a', 'same', at(10)],
    ['b', 'same', at(10)],
    ['a', 'later', at(10)],
    ['b', 'later', at(10, '10:00:00.001')],
    ['b', 'backwards', at(10)],
    ['a', 'backwards', at(11)],
  ]);
  expect(await stepsOf(app, ['a', 'b'])).toEqual([3, 2]);
  expect(await stepsOf(app, ['a', 'b'], { funnelOrderType: 'unordered' })).toEqual([3, 3]);
});

test('M9.9.1/funnel strict: no other event of that person in between', async () => {
  const app = await openWith([
    ['a', 'straight', at(10, '10:00:00.000')],
    ['b', 'straight', at(10, '10:01:00.000')],
    ['a', 'around', at(10, '10:00:00.000')],
    ['other', 'around', at(10, '10:00:30.000')],
    ['b', 'around', at(10, '10:01:00.000')],
  ]);
  expect(await stepsOf(app, ['a', 'b'], { funnelOrderType: 'strict' })).toEqual([2, 1]);
  expect(await stepsOf(app, ['a', 'b'])).toEqual([2, 2]);
});

test('M9.9.1/funnel the window counts from the first step and includes its end', async () => {
  const app = await openWith([
    ['a', 'in', at(10, '10:00:00.000')],
    ['b', 'in', at(10, '10:30:00.000')],
    ['c', 'in', at(10, '11:00:00.000')],
    ['a', 'out', at(10, '10:00:00.000')],
    ['b', 'out', at(10, '10:30:00.000')],
    ['c', 'out', at(10, '11:00:00.001')],
  ]);
  const hour = { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'hour' };
  expect(await stepsOf(app, ['a', 'b', 'c'], hour)).toEqual([2, 2, 1]);
});

test('M9.9.1/funnel per person the best attempt counts, and an exclusion between its steps voids the attempt', async () => {
  const app = await openWith([
    ['a', 'twice', at(1)],
    ['a', 'twice', at(10)],
    ['b', 'twice', at(10, '11:00:00.000')],
    ['a', 'voided', at(10)],
    ['x', 'voided', at(10, '10:30:00.000')],
    ['b', 'voided', at(10, '11:00:00.000')],
  ]);
  const day = { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'day' };
  expect(await stepsOf(app, ['a', 'b'], day)).toEqual([2, 2]);
  const exclusions = [{ ...node('x'), funnelFromStep: 0, funnelToStep: 1 }];
  expect(await stepsOf(app, ['a', 'b'], { ...day, exclusions })).toEqual([1, 1]);
});

const retention = (retentionType: string) => ({
  kind: 'RetentionQuery',
  dateRange: { date_to: '2026-11-12' },
  retentionFilter: {
    period: 'Day',
    totalIntervals: 3,
    targetEntity: { id: 'seen', type: 'events' },
    returningEntity: { id: 'seen', type: 'events' },
    retentionType,
  },
});

test('M9.9.1/retention recurring counts persons active in an interval, first time only those whose first event is in it', async () => {
  const app = await openWith([
    ['seen', 'old', '2026-09-01T10:00:00.000Z'],
    ['seen', 'old', at(10)],
    ['seen', 'old', at(12)],
    ['seen', 'new', at(10)],
    ['seen', 'new', at(11)],
  ]);
  const rows = async (type: string) =>
    (await answerTo(app, retention(type))).results.map(({ values }: any) =>
      values.map(({ count }: any) => count),
    );
  expect(await rows('retention_recurring')).toEqual([[2, 1, 1], [1, 0], [1]]);
  expect(await rows('retention_first_time')).toEqual([[1, 1, 0], [0, 0], [0]]);
});

test('M9.9.1/exact uniq and its relatives are exact, group by 1 and order by 1 are positions', async () => {
  const app = await openTestApp();
  const many = Array.from({ length: 3_000 }, (_, n) => ({ event: `e${n % 3}`, properties: { n } }));
  await sendEvents(app, many);
  for (const name of ['uniq', 'uniqExact', 'uniqHLL12', 'uniqCombined'])
    expect(
      (await answerTo(app, { kind: 'HogQLQuery', query: `select ${name}(properties.n) from events` }))
        .results,
    ).toEqual([[3_000]]);
  const query = 'select event, count() from events group by 1 order by 1 desc';
  expect((await answerTo(app, { kind: 'HogQLQuery', query })).results).toEqual([
    ['e2', 1_000],
    ['e1', 1_000],
    ['e0', 1_000],
  ]);
});

test('M9.9.1/merges a person counts once with several distinct ids; funnel, retention and unique count follow merges immediately', async () => {
  const app = await openWith([
    ['seen', 'anon', at(10)],
    ['seen', 'known', at(11)],
  ]);
  const dau = async () => {
    const series = [node('seen', { math: 'dau' })];
    const trendsFilter = { display: 'BoldNumber' };
    const dateRange = { date_from: '2026-11-01' };
    return (await answerTo(app, { kind: 'TrendsQuery', series, trendsFilter, dateRange })).results[0]
      .aggregated_value;
  };
  const all = async () => {
    const { results } = await answerTo(app, retention('retention_recurring'));
    const hogql = { kind: 'HogQLQuery', query: 'select uniq(person_id) from events' };
    return {
      dau: await dau(),
      uniq: (await answerTo(app, hogql)).results[0][0],
      retained: results[0].values.map(({ count }: any) => count),
      steps: await stepsOf(app, ['seen', 'seen']),
    };
  };
  expect(await all()).toEqual({ dau: 2, uniq: 2, retained: [1, 0, 0], steps: [2, 0] });
  const merge = { event: '$identify', distinct_id: 'known', properties: { $anon_distinct_id: 'anon' } };
  await sendEvents(app, [{ ...merge, timestamp: at(11) }]);
  expect(await all()).toEqual({ dau: 1, uniq: 1, retained: [1, 1, 0], steps: [1, 1] });
});
