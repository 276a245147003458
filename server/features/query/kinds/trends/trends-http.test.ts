import { expect, test } from 'vitest';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import type { TestApp } from '../../../../../test/support/test-app.ts';
import { byDay, daysFrom, MODEL_EVENTS, openModelApp } from '../../../../../test/support/trends-model.ts';

const DAYS = daysFrom('2026-11-13', '2026-11-20');
const BOUGHT = { kind: 'EventsNode', event: 'bought' };
const bought = MODEL_EVENTS.filter(({ event }) => event === 'bought');

async function post(app: TestApp, query: object, status = 200) {
  const answer = await app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
  expect([answer.status, answer.text.slice(0, 300)]).toEqual([status, expect.anything()]);
  return answer.json;
}

test('A13 a trend over HTTP has the shape of the contract, and SQL with the same result', async () => {
  const app = await openModelApp();
  const answer = await post(app, {
    kind: 'TrendsQuery',
    series: [{ ...BOUGHT, math: 'dau' }],
    dateRange: { date_from: '-1d' },
    interval: 'day',
  });
  expect(answer.results).toEqual([
    {
      data: [1, 1],
      labels: ['19-Nov-2026', '20-Nov-2026'],
      days: ['2026-11-19', '2026-11-20'],
      count: 2,
      label: 'bought',
      filter: {},
      action: {
        days: ['2026-11-19', '2026-11-20'],
        id: 'bought',
        type: 'events',
        order: 0,
        name: 'bought',
        custom_name: null,
        math: 'dau',
        math_property: null,
        math_hogql: null,
        math_group_type_index: null,
        properties: {},
      },
    },
  ]);
  expect(answer).toMatchObject({ hasMore: false, error: null });
  const same = await post(app, { kind: 'HogQLQuery', query: answer.hogql });
  expect(same.results.toSorted()).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

test('M9.9 a breakdown, a formula and the persons of a data point are returned over HTTP', async () => {
  const app = await openModelApp();
  const source = {
    kind: 'TrendsQuery',
    series: [BOUGHT],
    breakdownFilter: { breakdown: '$feature/checkout-v2', breakdown_type: 'event', breakdown_limit: 1 },
  };
  const trend = await post(app, { kind: 'InsightVizNode', source });
  expect(trend.results.map(({ label, count }: { label: string; count: number }) => [label, count])).toEqual([
    ['test', 4],
    // Also what has no value.
    ['$$_posthog_breakdown_other_$$', 3],
  ]);
  expect(trend.hasMore).toBe(true);
  const point = { kind: 'InsightActorsQuery', source, day: '2026-11-14', series: 0, breakdown: 'test' };
  const actors = await post(app, {
    kind: 'ActorsQuery',
    source: point,
    select: ['properties.plan', 'event_count'],
  });
  expect(actors.results).toEqual([['pro', 2]]);
  const formula = await post(app, {
    kind: 'TrendsQuery',
    series: [BOUGHT, { kind: 'EventsNode', event: '$pageview' }],
    trendsFilter: { formula: 'A - B' },
  });
  const of = (name: string) =>
    byDay(
      MODEL_EVENTS.filter(({ event }) => event === name),
      DAYS,
      'UTC',
    ).map((list) => list.length);
  const views = of('$pageview');
  expect(formula.results[0].data).toEqual(of('bought').map((count, at) => count - views[at]!));
  const refused = await post(
    app,
    { kind: 'TrendsQuery', series: [BOUGHT], trendsFilter: { formula: 'A + D' } },
    400,
  );
  expect(refused).toMatchObject({ type: 'validation_error', attr: null });
});

test('M9.9 cohorts by behavior filter a trend, and break it down', async () => {
  const app = await openModelApp();
  const made = await app.ask('/api/projects/1/cohorts/', {
    method: 'POST',
    body: {
      name: 'Buyers of more than one',
      filters: {
        properties: {
          type: 'OR',
          values: [
            {
              type: 'AND',
              values: [
                {
                  type: 'behavioral',
                  key: 'bought',
                  event_type: 'events',
                  value: 'performed_event_multiple',
                  operator: 'gte',
                  operator_value: 3,
                  time_value: 30,
                  time_interval: 'day',
                },
              ],
            },
          ],
        },
      },
    },
  });
  expect(made.status).toBe(201);
  const often = byDay(
    bought.filter(({ who }) => who === 'lin'),
    DAYS,
    'UTC',
  ).map((list) => list.length);
  const all = byDay(bought, DAYS, 'UTC').map((list) => list.length);
  const cohort = { key: 'id', type: 'cohort', value: made.json.id };
  const inIt = await post(app, { kind: 'TrendsQuery', series: [BOUGHT], properties: [cohort] });
  expect(inIt.results[0].data).toEqual(often);
  const notInIt = await post(app, {
    kind: 'TrendsQuery',
    series: [BOUGHT],
    properties: [{ ...cohort, operator: 'not_in' }],
  });
  expect(notInIt.results[0].data).toEqual(all.map((count, at) => count - often[at]!));
  const parts = await post(app, {
    kind: 'TrendsQuery',
    series: [BOUGHT],
    breakdownFilter: { breakdown: [made.json.id, 'all'], breakdown_type: 'cohort' },
  });
  expect(
    parts.results.map((one: { label: string; breakdown_value: unknown; data: number[] }) => [
      one.label,
      one.breakdown_value,
      one.data,
    ]),
  ).toEqual([
    ['bought - all users', 'all', all],
    ['bought - Buyers of more than one', made.json.id, often],
  ]);
});

test('M9.9.1 a person with several distinct ids counts once, as soon as they are merged', async () => {
  const app = await openModelApp();
  const ask = async (math: string) => {
    const series = [{ ...BOUGHT, math }];
    const { results } = await post(app, {
      kind: 'TrendsQuery',
      series,
      trendsFilter: { display: 'BoldNumber' },
    });
    return results[0].aggregated_value;
  };
  expect([await ask('dau'), await ask('total'), await ask('first_time_for_user')]).toEqual([4, 7, 2]);
  await sendEvents(app, [
    { event: '$create_alias', distinct_id: 'lin', properties: { alias: 'eve', distinct_id: 'lin' } },
    { event: '$merge_dangerously', distinct_id: 'lin', properties: { alias: 'eve' } },
  ]);
  expect([await ask('dau'), await ask('total'), await ask('first_time_for_user')]).toEqual([3, 7, 1]);
});

test('M9.9 a property has the same result with any known type: filters, math and breakdowns', async () => {
  const app = await openModelApp();
  const query = {
    kind: 'TrendsQuery',
    series: [
      {
        ...BOUGHT,
        math: 'sum',
        math_property: 'amount',
        properties: [{ key: 'amount', operator: 'gt', value: 12 }],
      },
    ],
  };
  const sums = byDay(bought, DAYS, 'UTC').map((list) =>
    list.reduce(
      (sum, { properties }) => sum + (Number(properties['amount']) > 12 ? Number(properties['amount']) : 0),
      0,
    ),
  );
  expect((await post(app, query)).results[0].data).toEqual(sums);
  const parts = await post(app, { ...query, breakdownFilter: { breakdown: 'amount' } });
  expect(parts.results.map((one: { breakdown_value: string }) => one.breakdown_value)).toEqual([
    '40',
    '30',
    '20',
    '15',
  ]);
});

test('M9.9 the SQL of a trend can be run unchanged, and returns the same numbers', async () => {
  const app = await openModelApp();
  const filters = [
    { key: '$browser', operator: 'not_icontains', value: ['fire', "o'x"] },
    { type: 'person', key: 'plan', operator: 'is_not', value: 'pro' },
    { type: 'element', key: 'selector', operator: 'is_not', value: 'a > b' },
    { key: 'version', operator: 'semver_lt', value: '2.0.0' },
  ];
  const queries: object[] = [
    { series: [{ ...BOUGHT, math: 'weekly_active' }], interval: 'week' },
    { series: [{ ...BOUGHT, math: 'first_time_for_user', properties: filters.slice(0, 2) }] },
    { series: [BOUGHT], breakdownFilter: { breakdown: '$feature/checkout-v2', breakdown_limit: 1 } },
    { series: [{ ...BOUGHT, math: 'p90_count_per_actor' }], breakdownFilter: { breakdown: '$browser' } },
    { series: [{ kind: 'EventsNode', math: 'p90', math_property: 'load' }], properties: filters.slice(1) },
  ];
  for (const query of queries) {
    const answer = await post(app, { kind: 'TrendsQuery', ...query });
    const same = await post(app, { kind: 'HogQLQuery', query: answer.hogql });
    const counts = (answer.results as { count: number }[]).map(({ count }) => count);
    const isBroken = 'breakdownFilter' in query;
    const found = (same.results as unknown[][]).map((row) => row.at(-1));
    const sums = isBroken
      ? (found as number[][]).map((numbers) => numbers.reduce((sum, number) => sum + number, 0))
      : [(found as number[]).reduce((sum, number) => sum + Number(number), 0)];
    const ordered = (numbers: number[]): number[] => numbers.toSorted((a, b) => a - b);
    expect(ordered(sums), answer.hogql).toEqual(ordered(counts));
  }
});
