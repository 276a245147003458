import { expect, test } from 'vitest';
import { answerTo, post, sendBySdk, SHOP, tally, type ShopEvent } from '../support/query-shop.ts';
import { openTestApp, type TestApp } from '../support/test-app.ts';

async function openShop(events: readonly ShopEvent[] = SHOP): Promise<TestApp> {
  const app = await openTestApp();
  await sendBySdk(app, events);
  return app;
}

const DAYS = ['2026-11-16', '2026-11-17', '2026-11-18', '2026-11-19', '2026-11-20'];
const WEEK = { date_from: DAYS[0], date_to: DAYS[4] };
const node = (event: string | null, more: object = {}) => ({ kind: 'EventsNode', event, ...more });
const trend = (more: object = {}, series: object[] = [node('signup')]) => ({
  kind: 'TrendsQuery',
  series,
  dateRange: WEEK,
  ...more,
});
const named = (name: string) => SHOP.filter(([event]) => event === name);
const byDay = (events: readonly ShopEvent[]) =>
  DAYS.map((day) => events.filter(([, , at]) => at.startsWith(day)).length);
const persons = (events: readonly ShopEvent[]) => new Set(events.map(([, who]) => who)).size;

test('M9.9/trends a series object has every field of the contract, days and labels in the style of PostHog', async () => {
  const app = await openShop();
  const {
    results,
    hasMore,
    resolved_date_range: range,
  } = await answerTo(
    app,
    trend({ interval: 'day' }, [node('signup', { math: 'dau', custom_name: 'Joined' })]),
  );
  const data = DAYS.map((day) => persons(named('signup').filter(([, , at]) => at.startsWith(day))));
  expect(results).toMatchObject([
    {
      data,
      labels: DAYS.map((day) => `${day.slice(8)}-Nov-2026`),
      days: DAYS,
      count: data.reduce((sum, one) => sum + one, 0),
      filter: {},
      action: {
        days: DAYS,
        id: 'signup',
        type: 'events',
        order: 0,
        name: 'signup',
        custom_name: 'Joined',
        math: 'dau',
        math_property: null,
        math_hogql: null,
        math_group_type_index: null,
        properties: {},
      },
    },
  ]);
  expect(hasMore).toBe(false);
  expect(range).toMatchObject({ date_from: expect.stringMatching(/^2026-11-16/) });
});

test('M9.9/trends labels have no leading zero, days of hours and minutes have a time', async () => {
  const app = await openShop([['signup', 'ada', '2026-11-03T10:30:00.000Z']]);
  const of = async (interval: string, dateRange: object) =>
    (await answerTo(app, trend({ interval, dateRange }))).results[0];
  const day = await of('day', { date_from: '2026-11-03', date_to: '2026-11-03' });
  expect([day.labels, day.days]).toEqual([['3-Nov-2026'], ['2026-11-03']]);
  const hour = await of('hour', { date_from: '2026-11-03', date_to: '2026-11-03T23:59:59' });
  expect(hour.days).toHaveLength(24);
  expect([hour.days[10], hour.labels[10], hour.data[10]]).toEqual(['2026-11-03 10:00:00', '3-Nov 10:00', 1]);
  const minute = await of('minute', { date_from: '2026-11-03T10:29:00Z', date_to: '2026-11-03T10:31:00Z' });
  expect(minute.days).toContain('2026-11-03 10:30:00');
});

test('M9.9/trends the default is the last seven days, by day', async () => {
  const app = await openShop();
  const { results } = await answerTo(app, { kind: 'TrendsQuery', series: [node('$pageview')] });
  expect(results[0].days).toEqual(['2026-11-13', '2026-11-14', '2026-11-15', ...DAYS]);
  expect(results[0].count).toBe(named('$pageview').length);
});

test('M9.9/trends event null is every event, with the label All events', async () => {
  const app = await openShop();
  const { results } = await answerTo(app, trend({}, [node(null)]));
  expect(results[0]).toMatchObject({ label: 'All events', data: byDay(SHOP), count: SHOP.length });
});

test('M9.9/trends single-value displays have no data and an aggregated value', async () => {
  const app = await openShop();
  for (const display of ['BoldNumber', 'ActionsPie', 'ActionsBarValue', 'ActionsTable', 'WorldMap']) {
    const { results } = await answerTo(app, trend({ trendsFilter: { display } }));
    expect([display, results[0]]).toMatchObject([
      display,
      { data: [], count: 0, aggregated_value: named('signup').length },
    ]);
  }
});

test('M9.9/trends cumulative: each day adds to those before, and count is the last value', async () => {
  const app = await openShop();
  const { results } = await answerTo(app, trend({ trendsFilter: { display: 'ActionsLineGraphCumulative' } }));
  let sum = 0;
  const data = byDay(named('signup')).map((one) => (sum += one));
  expect(results[0]).toMatchObject({ data, count: sum });
});

test('M9.9/trends compare: previous series after all current ones', async () => {
  const app = await openShop();
  const dateRange = { date_from: '2026-11-18', date_to: '2026-11-20' };
  const series = [node('signup'), node('$pageview')];
  const { results } = await answerTo(app, trend({ dateRange, compareFilter: { compare: true } }, series));
  const at = (name: string, days: string[]) =>
    days.map((day) => named(name).filter(([, , time]) => time.startsWith(day)).length);
  const before = ['2026-11-15', '2026-11-16', '2026-11-17'];
  expect(results.map((one: any) => [one.compare, one.compare_label, one.action.id, one.data])).toEqual([
    [true, 'current', 'signup', at('signup', DAYS.slice(2))],
    [true, 'current', '$pageview', at('$pageview', DAYS.slice(2))],
    [true, 'previous', 'signup', at('signup', before)],
    [true, 'previous', '$pageview', at('$pageview', before)],
  ]);
});

test('M9.9/trends a breakdown names its value, and the series too when there are several', async () => {
  const app = await openShop();
  const breakdownFilter = { breakdown: '$browser', breakdown_type: 'event' };
  const one = await answerTo(app, trend({ breakdownFilter }, [node('$pageview')]));
  const counts = tally(
    named('$pageview').map(([, , , p]) => String(p?.['$browser'] ?? '$$_posthog_breakdown_null_$$')),
  );
  const found = Object.fromEntries(one.results.map((r: any) => [r.breakdown_value, r.count]));
  expect(found).toEqual(counts);
  const label = (results: any[], value: string) => results.find((r) => r.breakdown_value === value).label;
  expect([label(one.results, 'Chrome'), label(one.results, '$$_posthog_breakdown_null_$$')]).toEqual([
    'Chrome',
    '$$_posthog_breakdown_null_$$',
  ]);
  const two = await answerTo(app, trend({ breakdownFilter }, [node('$pageview'), node('signup')]));
  expect(label(two.results, 'Chrome')).toBe('$pageview - Chrome');
});

test('M9.9/trends a breakdown by cohort has all users as cohort 0', async () => {
  const app = await openShop();
  const breakdownFilter = { breakdown: ['all'], breakdown_type: 'cohort' };
  const { results } = await answerTo(app, trend({ breakdownFilter }));
  expect(results).toMatchObject([{ breakdown_value: 'all', count: named('signup').length }]);
});

test('M9.9.1/breakdown-limit values beyond the limit are other, missing values are null', async () => {
  const values = Array.from({ length: 28 }, (_, n) => `v${String(n).padStart(2, '0')}`);
  const events = values.flatMap((value, n) =>
    Array.from({ length: n < 24 ? 3 : 1 }, (): ShopEvent => [
      'used',
      'ada',
      '2026-11-18T10:00:00.000Z',
      { value },
    ]),
  );
  const nothing: ShopEvent[] = Array.from({ length: 4 }, () => ['used', 'ada', '2026-11-18T11:00:00.000Z']);
  const app = await openShop([...events, ...nothing]);
  const counts = async (more: object) => {
    const breakdownFilter = { breakdown: 'value', breakdown_type: 'event', ...more };
    const { results, hasMore } = await answerTo(app, trend({ breakdownFilter }, [node('used')]));
    return { hasMore, found: Object.fromEntries(results.map((r: any) => [r.breakdown_value, r.count])) };
  };
  const usual = await counts({});
  // What has no value ranks last in a chart, and is among the others.
  expect(Object.keys(usual.found)).toHaveLength(26);
  expect(usual.found).toMatchObject({ $$_posthog_breakdown_other_$$: 3 + 4, v00: 3 });
  const more = await counts({ breakdown_limit: 29 });
  expect(more.found).toMatchObject({ $$_posthog_breakdown_null_$$: 4 });
  expect([Object.keys(more.found).length, more.hasMore]).toEqual([29, false]);
  expect(usual.hasMore).toBe(true);
  const two = await counts({ breakdown_limit: 2 });
  expect(Object.keys(two.found)).toHaveLength(3);
  const total = events.length + nothing.length;
  expect(Object.values(two.found).reduce((a: number, b) => a + (b as number), 0)).toBe(total);
  const hidden = await counts({ breakdown_limit: 2, breakdown_hide_other_aggregation: true });
  expect(Object.keys(hidden.found)).toHaveLength(2);
});

test('M9.9/funnel a step has every field of the contract, and conversion times in seconds', async () => {
  const app = await openShop();
  const query = {
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('signup')],
    funnelsFilter: { funnelWindowInterval: 14, funnelWindowIntervalUnit: 'day' },
  };
  const { results, isUdf } = await answerTo(app, query);
  // ada 40 s, bob 80 s after his latest view (his best attempt), dan 120 s; cy never.
  const step = (id: string, order: number, count: number, seconds: [number, number] | null) => ({
    action_id: id,
    name: id,
    custom_name: null,
    order,
    people: [],
    count,
    type: 'events',
    average_conversion_time: seconds?.[0] ?? null,
    median_conversion_time: seconds?.[1] ?? null,
  });
  const bySteps = results.map(({ action_id: id, order, count }: any) => [id, order, count]);
  expect(bySteps).toEqual([
    ['$pageview', 0, persons(named('$pageview'))],
    ['signup', 1, 3],
  ]);
  expect(Object.keys(results[0])).toEqual(expect.arrayContaining(Object.keys(step('a', 0, 0, null))));
  expect(results[0]).toMatchObject(step('$pageview', 0, 4, null));
  expect(results[1]).toMatchObject(step('signup', 1, 3, [(40 + 80 + 120) / 3, 80]));
  expect(isUdf).toBe(false);
});

test('M9.9/funnel a breakdown returns an array of such arrays, time_to_convert bins, trends a rate by day', async () => {
  const app = await openShop();
  const funnel = (more: object) => ({
    kind: 'FunnelsQuery',
    series: [node('$pageview'), node('signup')],
    dateRange: WEEK,
    ...more,
  });
  const broken = await answerTo(
    app,
    funnel({ breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' } }),
  );
  const chrome = broken.results.find(([first]: any[]) => [first.breakdown].flat().includes('Chrome'));
  expect(chrome).toMatchObject([
    { count: 1, breakdown_value: ['Chrome'], breakdown: expect.anything() },
    { count: 1, breakdown_value: ['Chrome'] },
  ]);
  const times = await answerTo(app, funnel({ funnelsFilter: { funnelVizType: 'time_to_convert' } }));
  const { bins, average_conversion_time: average } = times.results;
  expect(bins.reduce((sum: number, [, count]: [number, number]) => sum + count, 0)).toBe(3);
  expect(average).toBeGreaterThan(0);
  const trends = await answerTo(app, funnel({ funnelsFilter: { funnelVizType: 'trends' } }));
  expect(trends.results).toMatchObject([
    { count: expect.any(Number), days: DAYS, labels: expect.any(Array) },
  ]);
  expect(trends.results[0].data).toHaveLength(DAYS.length);
});

test('M9.9/retention rows by date, labels, and fewer values in each later row', async () => {
  const app = await openShop();
  const target = { id: '$pageview', type: 'events' };
  const answer = await answerTo(app, {
    kind: 'RetentionQuery',
    dateRange: { date_to: DAYS[2] },
    retentionFilter: {
      period: 'Day',
      totalIntervals: 3,
      targetEntity: target,
      returningEntity: target,
      retentionType: 'retention_recurring',
    },
  });
  const on = (day: string) =>
    new Set(
      named('$pageview')
        .filter(([, , at]) => at.startsWith(day))
        .map(([, who]) => who),
    );
  const rows = DAYS.slice(0, 3).map((day, row, days) => ({
    date: `${day}T00:00:00Z`,
    label: `Day ${row}`,
    values: days.slice(row).map((later, n) => ({
      count: [...on(day)].filter((who) => on(later).has(who)).length,
      label: `Day ${n}`,
    })),
  }));
  expect(answer.results).toMatchObject(rows);
  expect(answer.results.map(({ values }: any) => values.length)).toEqual([3, 2, 1]);
  expect(answer).toMatchObject({ hasMore: false, hogql: expect.stringMatching(/SELECT/) });
});

test('M9.9.2/StickinessQuery data[i] are persons active on exactly i+1 days', async () => {
  const app = await openShop();
  const query = { kind: 'StickinessQuery', series: [node('$pageview')], dateRange: WEEK, interval: 'day' };
  const { results } = await answerTo(app, query);
  const days = new Map<string, Set<string>>();
  for (const [, who, at] of named('$pageview'))
    days.set(who, (days.get(who) ?? new Set()).add(at.slice(0, 10)));
  const data = DAYS.map((_, i) => [...days.values()].filter((active) => active.size === i + 1).length);
  expect(results[0]).toMatchObject({ data, labels: ['1 day', '2 days', '3 days', '4 days', '5 days'] });
});

test('M9.9.2/LifecycleQuery four series with their status, dormant below zero', async () => {
  const app = await openShop();
  const query = { kind: 'LifecycleQuery', series: [node('$pageview')], dateRange: WEEK, interval: 'day' };
  const { results } = await answerTo(app, query);
  const at = (status: string) => results.find((one: any) => one.status === status).data;
  expect(results.map((one: any) => one.status).toSorted()).toEqual([
    'dormant',
    'new',
    'resurrecting',
    'returning',
  ]);
  // ada and bob are new on the 16th, cy on the 18th, dan on the 20th; bob returns on the next day, ada after a day without events.
  expect(at('new')).toEqual([2, 0, 1, 0, 1]);
  expect(at('returning')).toEqual([0, 1, 0, 0, 0]);
  expect(at('resurrecting')).toEqual([0, 0, 1, 0, 0]);
  expect(at('dormant')).toEqual([0, -1, -1, -2, 0]);
  const two = await answerTo(app, { ...query, lifecycleFilter: { toggledLifecycles: ['new', 'dormant'] } });
  expect(two.results.map((one: any) => one.status).toSorted()).toEqual(['dormant', 'new']);
});

test('M9.9.2/PathsQuery edges from step to step, with the time between in milliseconds', async () => {
  const app = await openShop();
  const query = { kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['$pageview'] }, dateRange: WEEK };
  const { results } = await answerTo(app, query);
  // Only bob sees two pages in one session, a second apart.
  expect(results).toEqual([
    {
      source: '1_https://shop.test',
      target: '2_https://shop.test/plans',
      value: 1,
      average_conversion_time: 1_000,
    },
  ]);
});

test('M9.9.2/ActorsQuery source: lists the persons of a data point of each insight', async () => {
  const app = await openShop();
  const source = trend({}, [node('$pageview')]);
  const actors = (more: object) => ({
    kind: 'ActorsQuery',
    select: ['person'],
    source: { kind: 'InsightActorsQuery', ...more },
  });
  const who = async (query: object) =>
    (await answerTo(app, query)).results.map(([person]: any[]) => person.distinct_ids[0]).toSorted();
  const onDay = named('$pageview').filter(([, , at]) => at.startsWith(DAYS[2]!));
  expect(await who(actors({ source, series: 0, day: DAYS[2] }))).toEqual(
    onDay.map(([, id]) => id).toSorted(),
  );
  // The insight itself as the source carries the point; without one, who is in it at all.
  const bare = (more: object) => ({
    kind: 'ActorsQuery',
    select: ['person'],
    source: { ...source, ...more },
  });
  expect(await who(bare({ day: DAYS[2] }))).toEqual(onDay.map(([, id]) => id).toSorted());
  expect(await who(bare({ interval: 'day' }))).toEqual(['ada', 'bob', 'cy', 'dan']);
  const funnel = { kind: 'FunnelsQuery', series: [node('$pageview'), node('signup')], dateRange: WEEK };
  const step = (funnelStep: number) => ({
    ...actors({}),
    source: { kind: 'FunnelsActorsQuery', source: funnel, funnelStep },
  });
  expect(await who(step(2))).toEqual(['ada', 'bob', 'dan']);
  expect(await who(step(-2))).toEqual(['cy']);
  expect(await who({ ...bare({}), source: { ...funnel, funnelStep: 2 } })).toEqual(['ada', 'bob', 'dan']);
});

test('M9.9.2/legacy filters of an insight are translated to the node of the same meaning, and echoed', async () => {
  const app = await openShop();
  const signup = { id: 'signup', name: 'signup', type: 'events', order: 1 };
  const viewed = { id: '$pageview', name: '$pageview', type: 'events', order: 0 };
  const dates = { date_from: DAYS[0], date_to: DAYS[4] };
  const rows: [object, string, (result: any) => unknown, unknown][] = [
    [{ insight: 'TRENDS', events: [signup] }, 'TrendsQuery', (r) => r[0].data, byDay(named('signup'))],
    [
      { insight: 'FUNNELS', events: [viewed, signup] },
      'FunnelsQuery',
      (r) => r.map((s: any) => s.count),
      [4, 3],
    ],
    [{ insight: 'STICKINESS', events: [viewed] }, 'StickinessQuery', (r) => r[0].data.slice(0, 2), [2, 2]],
    [{ insight: 'LIFECYCLE', events: [viewed] }, 'LifecycleQuery', (r) => r.length, 4],
    [{ insight: 'PATHS', include_event_types: ['$pageview'] }, 'PathsQuery', (r) => r.length, 1],
    [
      {
        insight: 'RETENTION',
        target_entity: viewed,
        returning_entity: viewed,
        period: 'Day',
        total_intervals: 3,
        date_from: null,
      },
      'RetentionQuery',
      (r) => r.length,
      3,
    ],
  ];
  for (const [filters, kind, pick, expected] of rows) {
    const made = await post(app, 'insights/', { name: kind, filters: { ...dates, ...filters } });
    expect([made.status, made.text.slice(0, 300)]).toEqual([201, expect.anything()]);
    const insight = (await app.ask(`/api/projects/1/insights/${made.json.id}/`)).json;
    expect(insight.filters).toMatchObject(filters);
    expect(insight.query.source?.kind ?? insight.query.kind).toBe(kind);
    expect([kind, pick(insight.result)]).toEqual([kind, expected]);
  }
});
