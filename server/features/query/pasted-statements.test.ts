import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import * as printed from '../../../test/support/printed-insights.ts';
import { SHOP, type ShopEvent } from '../../../test/support/query-shop.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { ASKS_CLICKHOUSE, shareTestApp } from '../../../test/support/test-app.ts';

const QUERY = '/api/projects/1/query/';
const RANGE = { dateRange: { date_from: '2026-11-16', date_to: '2026-11-20' } };
const PAGEVIEWS = { ...RANGE, series: [{ kind: 'EventsNode', event: '$pageview' }] };
const STEPS = ['$pageview', 'signup'];

/** Between the last page and the signup of a person. */
const HELP: ShopEvent = ['help', 'bob', '2026-11-17T00:00:40.000Z'];

const sharedApp = shareTestApp();
beforeAll(async () => {
  await sendEvents(
    await sharedApp.forAll(),
    [...SHOP, HELP].map(([event, distinct_id, timestamp, properties = {}]) => ({
      event,
      distinct_id,
      timestamp,
      properties: { ...properties, $session_id: `session of ${distinct_id}` },
    })),
  );
});

type Row = (string | number | null | unknown[])[];

async function ask<T>(query: object): Promise<T> {
  const { status, json } = await (await sharedApp()).ask(QUERY, { method: 'POST', body: { query } });
  expect(json, JSON.stringify(json)).not.toHaveProperty('detail');
  expect(status).toBe(200);
  return json.results as T;
}

const paste = (query: string): Promise<Row[]> => ask<Row[]>({ kind: 'HogQLQuery', query });

interface Series {
  data: number[];
  aggregated_value?: number;
  breakdown_value?: string | string[];
  status?: string;
  days: string[];
}

const insight = (kind: string, more: object): Promise<Series[]> => ask({ kind, ...PAGEVIEWS, ...more });
const dayOf = (moment: unknown): string => String(moment).slice(0, 10);

describe('A-7 the statement that PostHog prints for an insight, pasted, answers what the insight answers', () => {
  test('trends', async () => {
    const [series] = await insight('TrendsQuery', {
      series: [{ kind: 'EventsNode', event: '$pageview', math: 'dau' }],
    });
    const [[days, total] = []] = await paste(printed.printedTrends('count(DISTINCT e.person_id)'));
    expect((days as string[]).map(dayOf)).toEqual(series!.days);
    expect(total).toEqual(series!.data);
  });

  test('a total', async () => {
    const [series] = await insight('TrendsQuery', { trendsFilter: { display: 'BoldNumber' } });
    expect(await paste(printed.printedTotal)).toEqual([[series!.aggregated_value]]);
  });

  test.each([false, true])('trends with a breakdown, its value in a list: %s', async (isList) => {
    const series = await insight('TrendsQuery', {
      breakdownFilter: isList
        ? { breakdowns: [{ property: '$browser', type: 'event' }] }
        : { breakdown: '$browser', breakdown_type: 'event' },
    });
    const rows = await paste(printed.printedBreakdown('properties.$browser', isList));
    expect(rows.map(([, total, value]) => [total, value])).toEqual(
      series.map(({ data, breakdown_value }) => [data, breakdown_value]),
    );
  });

  test('trends with bins', async () => {
    expect(await paste(printed.printedBins('properties.seats', 4))).toEqual([
      [1, ['[1,2.75]']],
      [1, ['[2.75,4.5]']],
      [1, ['[6.25,8.01]']],
    ]);
  });

  test('lifecycle', async () => {
    const series = await insight('LifecycleQuery', {});
    const rows = await paste(printed.printedLifecycle);
    const byStatus = new Map(series.map(({ status, data }) => [status, data]));
    expect(new Map(rows.map(([, total, status]) => [status, total]))).toEqual(byStatus);
  });

  test('stickiness', async () => {
    const [series] = await insight('StickinessQuery', {});
    expect(await paste(printed.printedStickiness)).toEqual([[series!.data, [1, 2, 3, 4, 5]]]);
  });

  test('retention', async () => {
    const cohorts = await ask<{ values: { count: number }[] }[]>({
      kind: 'RetentionQuery',
      retentionFilter: {
        period: 'Day',
        totalIntervals: 5,
        targetEntity: { id: '$pageview', type: 'events' },
        returningEntity: { id: '$pageview', type: 'events' },
      },
      ...RANGE,
    });
    const expected = cohorts.flatMap(({ values }, day) =>
      values.flatMap(({ count }, later) => (count === 0 ? [] : [[day, later, count]])),
    );
    expect(await paste(printed.printedRetention)).toEqual(expected);
  });

  test('paths', async () => {
    const edges = await ask<
      { source: string; target: string; value: number; average_conversion_time: number }[]
    >({
      kind: 'PathsQuery',
      pathsFilter: { includeEventTypes: ['$pageview', 'custom_event'], stepLimit: 5 },
      ...RANGE,
    });
    const rows = await paste(printed.printedPaths);
    expect(rows.length).toBeGreaterThan(1);
    expect(rows.map(([source, target, count]) => [source, target, count])).toEqual(
      edges.map(({ source, target, value }) => [source, target, value]),
    );
  });

  test('persons behind a point of trends, with their events', async () => {
    const rows = await paste(printed.printedTrendsActors);
    expect(rows.map(([, , count, events]) => [count, (events as unknown[][])[0]![2]])).toEqual(
      expect.arrayContaining([
        [1, 'session of ada'],
        [1, 'session of bob'],
      ]),
    );
  });
});

interface Step {
  count: number;
  average_conversion_time: number | null;
  median_conversion_time: number | null;
  breakdown_value?: string[];
}

describe('A-7 the statement that PostHog prints for a funnel, pasted, answers what the insight answers', () => {
  beforeEach((context) =>
    context.skip(ASKS_CLICKHOUSE, 'ClickHouse has no functions of PostHog: leave out BURROW_TEST_WAREHOUSE.'),
  );

  const series = STEPS.map((event) => ({ kind: 'EventsNode', event }));
  const funnel = <T>(filter: object, more: object = {}): Promise<T> =>
    ask({ kind: 'FunnelsQuery', ...RANGE, series, funnelsFilter: filter, ...more });

  /** A row of the statement with two steps: counts, the average and the median. */
  const shown = ([first, second]: readonly Step[]): unknown[] => [
    first!.count,
    second!.count,
    second!.average_conversion_time,
    second!.median_conversion_time,
  ];

  test.each(['ordered', 'strict', 'unordered'] as const)('%s', async (order) => {
    const steps = await funnel<Step[]>({ funnelOrderType: order });
    const [row] = await paste(printed.printedFunnel({ order, steps: STEPS }));
    expect(row!.slice(0, 4)).toEqual(shown(steps));
  });

  test('as older versions print it, without optional steps', async () => {
    const [row] = await paste(printed.printedFunnel({ order: 'ordered', steps: STEPS, isOlder: true }));
    expect(row!.slice(0, 4)).toEqual(shown(await funnel({ funnelOrderType: 'ordered' })));
  });

  test('with an exclusion', async () => {
    const exclusions = [{ kind: 'EventsNode', event: 'help', funnelFromStep: 0, funnelToStep: 1 }];
    const steps = await funnel<Step[]>({ exclusions });
    expect(steps.map(({ count }) => count)).toEqual([3, 2]);
    const [row] = await paste(
      printed.printedFunnel({ order: 'ordered', steps: STEPS, exclusion: `equals(event, 'help')` }),
    );
    expect(row!.slice(0, 4)).toEqual(shown(steps));
  });

  test('with a breakdown', async () => {
    const groups = await funnel<Step[][]>(
      {},
      { breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' } },
    );
    const rows = await paste(
      printed.printedFunnel({ order: 'ordered', steps: STEPS, breakdown: 'properties.$browser' }),
    );
    const byValue = (all: unknown[][]): unknown[][] =>
      all.toSorted((a, b) => (String(a[4]) < String(b[4]) ? -1 : 1));
    expect(byValue(rows.map((row) => [...row.slice(0, 4), row[5]]))).toEqual(
      byValue(groups.map((steps) => [...shown(steps), steps[0]!.breakdown_value])),
    );
  });

  test.each(['ordered', 'strict', 'unordered'] as const)('over time, %s', async (order) => {
    const [line] = await funnel<{ data: number[]; days: string[] }[]>({
      funnelOrderType: order,
      funnelVizType: 'trends',
    });
    const rows = await paste(printed.printedFunnelTrends({ order, steps: STEPS }));
    expect(rows.map(([day]) => dayOf(day))).toEqual(line!.days.map(dayOf));
    expect(rows.map(([, , , rate]) => rate)).toEqual(line!.data);
  });

  test('persons who converted, with the event of the step', async () => {
    const rows = await paste(printed.printedFunnelActors({ order: 'ordered', steps: STEPS }, 2));
    const sessions = rows.map(([, , events]) =>
      (events as unknown[][]).map(([moment, , session]) => [moment, session]),
    );
    expect(sessions).toHaveLength(3);
    expect(sessions).toContainEqual([['2026-11-17T00:01:20.000000Z', 'session of bob']]);
  });
});
