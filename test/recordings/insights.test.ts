import { describe, expect, test } from 'vitest';
import { TEST_TOKEN, type TestResponse } from '../support/test-app.ts';
import { createRandom, type Random } from './random.ts';
import { openRecording, type Recording } from './recording.ts';

const P = '/api/projects/1/';
const HOUR = 3_600_000;
const NAMES = ['signup', '$pageview', 'paid', 'invited', 'never'];
const PLANS = ['free', 'pro', 'team', ''];
const PAGES = ['/', '/shop', '/shop/1', '/shop/2', '/about', '/about?x=1'];

/** Events of 45 days of 40 persons in three companies; some persons change their plan, some events lack properties. */
function eventsOf(random: Random, now: number): object[] {
  const events: object[] = ['acme', 'globex', 'zoo'].map((key, index) => ({
    event: '$groupidentify',
    distinct_id: 'p0',
    timestamp: '2026-09-01T00:00:00Z',
    properties: {
      $group_type: 'company',
      $group_key: key,
      $group_set: { size: index * 10, tier: PLANS[index] },
    },
  }));
  let [who, at] = [0, now - HOUR];
  for (let index = 0; index < 900; index++) {
    // Visits of some events, a few minutes apart.
    if (random.once(4)) [who, at] = [random.below(40), now - random.below(45 * 24) * HOUR];
    at = Math.min(now, at + random.below(900) * 1_000);
    const event = random.of(NAMES.slice(0, 4));
    const company = random.of(['acme', 'globex', 'zoo', null]);
    events.push({
      event,
      distinct_id: `p${who}`,
      timestamp: new Date(at).toISOString(),
      properties: {
        ...random.some(2, {
          plan: () => random.of(PLANS),
          // Quarters: sums of them are exact in any order.
          amount: () => random.below(800) / 4,
          $browser: () => random.of(['Firefox', 'Chrome', 'Safari', '']),
          odd: () => random.of([true, null, 1, '1', 1.5, ['a'], { a: 1 }]),
        }),
        $session_id: `s${who}-${random.below(6)}`,
        ...(event === '$pageview' ? { $current_url: `https://shop.example${random.of(PAGES)}` } : {}),
        ...(company === null ? {} : { $groups: { company } }),
        ...(random.once(5)
          ? { $set: { plan: random.of(PLANS), age: random.below(80), email: `p${who}@x.test` } }
          : {}),
      },
    });
  }
  return events.map((event, index) => ({
    ...event,
    uuid: `0190f0c1-0000-7000-8000-${String(index).padStart(12, '0')}`,
  }));
}

const dateRange = (random: Random): object =>
  random.of([
    { date_from: '-7d' },
    { date_from: '-14d', date_to: '-2d' },
    { date_from: '-30d' },
    { date_from: 'all' },
    { date_from: '2026-11-01', date_to: '2026-11-15' },
    { date_from: '-48h' },
    { date_from: 'mStart' },
    { date_from: '-3w', date_to: '-1w' },
    { date_from: '2026-11-10T05:00:00', date_to: '2026-11-12T07:30:00', explicitDate: true },
  ]);

const property = (random: Random): object =>
  random.of([
    { key: 'plan', type: 'event', value: ['pro', 'team'], operator: 'exact' },
    { key: 'plan', type: 'person', value: 'free', operator: 'is_not' },
    { key: 'age', type: 'person', value: random.below(80), operator: 'gt' },
    { key: 'amount', type: 'event', value: [10, 150], operator: 'between' },
    { key: '$browser', type: 'event', value: 'fire', operator: 'icontains' },
    { key: '$browser', type: 'event', operator: 'is_not_set' },
    { key: 'size', type: 'group', group_type_index: 0, value: 5, operator: 'gt' },
    { key: 'id', type: 'cohort', value: 1, operator: random.of(['in', 'not_in']) },
    { key: 'properties.amount > 50', type: 'hogql' },
    { key: 'email', type: 'person', value: 'p1.@', operator: 'regex' },
  ]);
const properties = (random: Random): object =>
  random.once(3)
    ? {
        type: 'AND',
        values: [{ type: random.of(['AND', 'OR']), values: [property(random), property(random)] }],
      }
    : [property(random)];

const shared = (random: Random): object => ({
  ...(random.once(8) ? {} : { dateRange: dateRange(random) }),
  ...random.some(4, { properties: () => properties(random), filterTestAccounts: () => true }),
});
const interval = (random: Random): object =>
  random.once(4) ? {} : { interval: random.of(['hour', 'day', 'day', 'week', 'month']) };

function step(random: Random): Record<string, unknown> {
  const own = random.once(6)
    ? { kind: 'ActionsNode', id: 1 }
    : { kind: 'EventsNode', event: random.of([...NAMES, null]) };
  return { ...own, ...random.some(5, { properties: () => [property(random)], custom_name: () => 'Mine' }) };
}
function countedStep(random: Random): object {
  const math = random.of([
    'total',
    'dau',
    'weekly_active',
    'monthly_active',
    'unique_session',
    'first_time_for_user',
    'unique_group',
    'hogql',
    'sum',
    'avg',
    'max',
    'median',
    'p90',
    'avg_count_per_actor',
    'total',
  ]);
  return {
    ...step(random),
    math,
    ...(/^(sum|avg|max|median|p90)$/.test(math) ? { math_property: 'amount' } : {}),
    ...(math === 'hogql' ? { math_hogql: 'count() / 2' } : {}),
    ...(math === 'unique_group' ? { math_group_type_index: 0 } : {}),
  };
}
const listOf = <T>(random: Random, most: number, make: (random: Random) => T, least = 1): T[] =>
  Array.from({ length: least + random.below(most - least + 1) }, () => make(random));

const breakdownFilter = (random: Random): object => ({
  ...random.of([
    { breakdown: 'plan', breakdown_type: 'event' },
    { breakdown: 'plan', breakdown_type: 'person' },
    { breakdown: 'odd', breakdown_type: 'event' },
    { breakdown: 'amount', breakdown_type: 'event', breakdown_histogram_bin_count: 4 },
    { breakdown: 'tier', breakdown_type: 'group', breakdown_group_type_index: 0 },
    { breakdown: [1, 'all'], breakdown_type: 'cohort' },
    { breakdown: 'event', breakdown_type: 'event_metadata' },
    { breakdown: 'lower(properties.$browser)', breakdown_type: 'hogql' },
    {
      breakdowns: [
        { property: 'plan', type: 'event' },
        { property: '$browser', type: 'event' },
      ],
    },
    { breakdown: '$current_url', breakdown_type: 'event', breakdown_normalize_url: true },
  ]),
  ...random.some(3, {
    breakdown_limit: () => 1 + random.below(4),
    breakdown_hide_other_aggregation: () => true,
  }),
});
const compareFilter = (random: Random): object =>
  random.of([{ compare: true }, { compare: true, compare_to: '-1w' }, { compare: true, compare_to: '-30d' }]);

/** A kind of insight: a node, and the data point whose persons are queried. */
interface Kind {
  nodes: number;
  node(random: Random): object;
  point(random: Random, answer: any): object | null;
}

const KINDS: Readonly<Record<string, Kind>> = {
  trends: {
    nodes: 300,
    node: (random) => ({
      kind: 'TrendsQuery',
      ...shared(random),
      ...interval(random),
      series: listOf(random, 3, countedStep),
      ...random.some(2, {
        trendsFilter: () => ({
          display: random.of([
            'ActionsLineGraph',
            'ActionsLineGraphCumulative',
            'ActionsBar',
            'ActionsBarValue',
            'ActionsPie',
            'ActionsTable',
            'BoldNumber',
            'WorldMap',
            'Auto',
          ]),
          ...random.some(3, { formula: () => 'A * 2', smoothingIntervals: () => 3 }),
        }),
        breakdownFilter: () => breakdownFilter(random),
      }),
      ...random.some(4, { compareFilter: () => compareFilter(random) }),
    }),
    point: (random, { results }) => {
      if (!Array.isArray(results) || results.length === 0) return null;
      const result = random.of<any>(results);
      const day =
        Array.isArray(result.days) && result.days.length > 0 ? random.of<string>(result.days) : undefined;
      return {
        kind: 'InsightActorsQuery',
        series: result.action?.order ?? 0,
        ...(day === undefined ? {} : { day }),
        ...(result.breakdown_value === undefined ? {} : { breakdown: result.breakdown_value }),
        ...(result.compare_label === undefined ? {} : { compare: result.compare_label }),
      };
    },
  },
  funnels: {
    nodes: 300,
    node: (random) => ({
      kind: 'FunnelsQuery',
      ...shared(random),
      ...interval(random),
      ...random.some(8, { aggregation_group_type_index: () => 0 }),
      series: listOf(random, 4, step, 2).map((one, index) =>
        index > 0 && random.once(8) ? { ...one, optionalInFunnel: true } : one,
      ),
      ...random.some(2, { breakdownFilter: () => breakdownFilter(random) }),
      funnelsFilter: {
        funnelVizType: random.of(['steps', 'steps', 'steps', 'trends', 'time_to_convert']),
        ...random.some(2, {
          funnelOrderType: () => random.of(['ordered', 'strict', 'unordered']),
          breakdownAttributionType: () => random.of(['first_touch', 'last_touch', 'all_events', 'step']),
        }),
        ...(random.once(2)
          ? {
              funnelWindowInterval: 1 + random.below(10),
              funnelWindowIntervalUnit: random.of(['hour', 'day', 'week']),
            }
          : {}),
        ...random.some(8, {
          exclusions: () => [
            { kind: 'EventsNode', event: random.of(NAMES), funnelFromStep: 0, funnelToStep: 1 },
          ],
          funnelAggregateByHogQL: () => 'properties.$session_id',
          holdConstant: () => ['plan'],
          binCount: () => 3,
        }),
      },
    }),
    point: (random, { results }) =>
      !Array.isArray(results) || results.length === 0
        ? null
        : {
            kind: 'FunnelsActorsQuery',
            funnelStep: random.of([1, 2, 2, -2]),
            ...(Array.isArray(results[0]) && results[0][0]?.breakdown_value !== undefined
              ? { funnelStepBreakdown: results[0][0].breakdown_value }
              : {}),
            ...(results[0].days === undefined ? {} : { funnelTrendsEntrancePeriodStart: results[0].days[0] }),
          },
  },
  retention: {
    nodes: 300,
    node: (random) => ({
      kind: 'RetentionQuery',
      ...shared(random),
      ...random.some(8, { aggregation_group_type_index: () => 0 }),
      retentionFilter: {
        period: random.of(['Day', 'Day', 'Week', 'Month', 'Hour']),
        totalIntervals: 2 + random.below(9),
        targetEntity: random.of([
          { id: 'signup', type: 'events' },
          { id: 1, type: 'actions' },
          { id: null, type: 'events' },
          { id: 'paid', type: 'events', properties: [property(random)] },
        ]),
        returningEntity: random.of([
          { id: '$pageview', type: 'events' },
          { id: 'paid', type: 'events' },
          { id: null, type: 'events' },
        ]),
        ...random.some(3, {
          retentionType: () =>
            random.of(['retention_recurring', 'retention_first_time', 'retention_first_ever_occurrence']),
          cumulative: () => true,
          timeWindowMode: () => random.of(['strict_calendar_dates', '24_hour_windows']),
        }),
        ...random.some(6, {
          minimumOccurrences: () => 2,
          retentionCustomBrackets: () => [1, 2, 3],
          aggregationType: () => 'count',
        }),
        ...(random.once(6)
          ? { aggregationType: random.of(['sum', 'avg']), aggregationProperty: 'amount' }
          : {}),
      },
      ...random.some(3, { breakdownFilter: () => breakdownFilter(random) }),
    }),
    point: (random, { results }) =>
      !Array.isArray(results) || results.length === 0
        ? null
        : {
            kind: 'InsightActorsQuery',
            interval: random.below(results.length),
            ...(results[0].breakdown_value === undefined ? {} : { breakdown: results[0].breakdown_value }),
          },
  },
  paths: {
    nodes: 120,
    node: (random) => ({
      kind: 'PathsQuery',
      ...shared(random),
      ...random.some(10, { aggregation_group_type_index: () => 0 }),
      pathsFilter: {
        includeEventTypes: random.of([['$pageview'], ['custom_event'], ['$pageview', 'custom_event'], []]),
        ...random.some(3, {
          stepLimit: () => 2 + random.below(6),
          startPoint: () => random.of(['/', '/shop', 'signup']),
          endPoint: () => random.of(['/about', 'paid']),
          edgeLimit: () => 3 + random.below(10),
        }),
        ...random.some(5, {
          excludeEvents: () => ['/shop/1', 'invited'],
          pathGroupings: () => ['/shop*'],
          minEdgeWeight: () => 2,
          maxEdgeWeight: () => 9,
          localPathCleaningFilters: () => [{ regex: '\\?.*', alias: '' }],
        }),
      },
    }),
    point: (random, { results }) =>
      !Array.isArray(results) || results.length === 0
        ? null
        : {
            kind: 'InsightActorsQuery',
            ...random.of([
              { pathEndKey: results[0].target },
              { pathStartKey: results[0].source },
              { pathDropoffKey: results[0].target },
            ]),
          },
  },
  stickiness: {
    nodes: 150,
    node: (random) => ({
      kind: 'StickinessQuery',
      ...shared(random),
      ...interval(random),
      ...random.some(5, { intervalCount: () => 2 }),
      series: listOf(random, 2, (chance) => ({
        ...step(chance),
        ...(chance.once(6) ? { math: 'unique_group', math_group_type_index: 0 } : {}),
      })),
      ...random.some(2, {
        stickinessFilter: () =>
          random.some(2, {
            computedAs: () => 'cumulative',
            stickinessCriteria: () => ({ operator: random.of(['gte', 'lte', 'exact']), value: 2 }),
          }),
      }),
      ...random.some(4, { compareFilter: () => compareFilter(random) }),
    }),
    point: (random, { results }) =>
      !Array.isArray(results) || results.length === 0
        ? null
        : {
            kind: random.of(['InsightActorsQuery', 'StickinessActorsQuery']),
            series: 0,
            day: 1 + random.below(3),
          },
  },
  lifecycle: {
    nodes: 150,
    node: (random) => ({
      kind: 'LifecycleQuery',
      ...shared(random),
      ...interval(random),
      ...random.some(8, { aggregation_group_type_index: () => 0 }),
      series: [step(random)],
      ...random.some(3, { lifecycleFilter: () => ({ toggledLifecycles: ['new', 'dormant'] }) }),
    }),
    point: (random, { results }) =>
      !Array.isArray(results) || results.length === 0
        ? null
        : {
            kind: 'InsightActorsQuery',
            day: random.of<string>(results[0].days ?? ['2026-11-19']),
            status: random.of(['new', 'returning', 'resurrecting', 'dormant']),
          },
  },
};

async function begin(name: string): Promise<Recording> {
  const recording = await openRecording(`insights-${name}`);
  const { app, ask } = recording;
  const batch = eventsOf(createRandom(25), app.clock.now);
  await app.ask('/batch/', { method: 'POST', key: null, body: { api_key: TEST_TOKEN, batch } });
  await post(recording, 'cohorts/', {
    name: 'Pro',
    filters: { properties: { type: 'AND', values: [{ key: 'plan', type: 'person', value: 'pro' }] } },
  });
  await post(recording, 'actions/', {
    name: 'Bought',
    steps: [
      { event: 'paid', properties: [{ key: 'amount', value: 20, operator: 'gt', type: 'event' }] },
      { event: 'invited' },
    ],
  });
  const settings = {
    test_account_filters: [{ key: 'age', type: 'person', operator: 'lt', value: 15 }],
    timezone: 'America/New_York',
  };
  await ask(P, { method: 'PATCH', body: settings });
  return recording;
}

function post({ ask }: Recording, path: string, body: object): Promise<TestResponse> {
  return ask(P + path, { method: 'POST', body });
}

describe('results of each kind of insight equal the recordings', () => {
  test.each(Object.entries(KINDS))('%s', async (name, { nodes, node, point }) => {
    const recording = await begin(name);
    const random = createRandom(name.length * 7_919);
    for (let index = 0; index < nodes; index++) {
      const query = node(random);
      const answer = await post(recording, 'query/', { query });
      if (answer.status !== 200) continue;
      const picked = index % 2 === 0 ? point(random, answer.json) : null;
      if (picked !== null) {
        const actors = {
          kind: 'ActorsQuery',
          source: { ...picked, source: query },
          select: ['actor'],
          limit: 100,
        };
        await post(recording, 'query/', { query: actors });
      }
      if (index % 6 === 1) await post(recording, 'burrow/query/export/', { query, format: 'csv' });
    }
    expect(recording.finish()).toBe('');
  });

  test('dashboards with filters', async () => {
    const recording = await begin('dashboards');
    const random = createRandom(4);
    const { ask } = recording;
    const nodes = Object.values(KINDS).flatMap(({ node }) => [node(random), node(random)]);
    for (const [index, source] of nodes.entries()) {
      if (index % 4 === 0) await post(recording, 'dashboards/', { name: `Board ${index}` });
      await post(recording, 'insights/', {
        name: `Insight ${index}`,
        dashboards: [Math.floor(index / 4) + 1],
        query: { kind: 'InsightVizNode', source },
      });
    }
    const sql = 'SELECT event, count() FROM events WHERE {filters} GROUP BY event ORDER BY event';
    await post(recording, 'insights/', {
      name: 'SQL',
      dashboards: [1],
      query: { kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: sql, filters: {} } },
    });
    const filters = [
      {},
      { date_from: '-3d' },
      { date_from: '-30d', date_to: '-10d' },
      { properties: [{ key: 'plan', type: 'person', value: 'pro' }] },
      { breakdown_filter: { breakdown: 'plan', breakdown_type: 'event' } },
      { date_from: '-7d', filterTestAccounts: true },
    ];
    for (const board of [1, 2, 3]) {
      for (const one of filters) {
        const override = encodeURIComponent(JSON.stringify(one));
        await ask(`${P}dashboards/${board}/?refresh=force_blocking&filters_override=${override}`);
        await ask(`${P}dashboards/${board}/?refresh=force_blocking`, {
          method: 'PATCH',
          body: { filters: one },
        });
      }
    }
    expect(recording.finish()).toBe('');
  });
});
