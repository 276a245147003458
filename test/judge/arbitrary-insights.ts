import fc from 'fast-check';

/** Nodes of insights over the events of `judged-events.ts`, with their options. */

const event = fc.constantFrom('$pageview', 'bought', 'signed up', '$autocapture', null);
const interval = fc.constantFrom('hour', 'day', 'week', 'month');
const dateRange = fc.constantFrom(
  { date_from: '-7d' },
  { date_from: '-14d' },
  { date_from: '-30d' },
  { date_from: 'mStart' },
  { date_from: 'all' },
  { date_from: '2026-11-03', date_to: '2026-11-12' },
  { date_from: '2026-11-03T06:00:00', date_to: '2026-11-12T18:00:00', explicitDate: true },
);
const plainProperty = fc.constantFrom(
  { type: 'event', key: 'plan', value: ['pro', 'free'], operator: 'exact' },
  { type: 'event', key: 'plan', value: 'a', operator: 'icontains' },
  { type: 'event', key: 'n', value: 4, operator: 'gt' },
  { type: 'event', key: '$browser', value: 'is_set', operator: 'is_set' },
  { type: 'event', key: 'price', value: 'is_not_set', operator: 'is_not_set' },
  { type: 'event', key: 'paid', value: ['true'], operator: 'exact' },
  { type: 'person', key: 'email', value: '^u1', operator: 'regex' },
  { type: 'person', key: 'age', value: 25, operator: 'lte' },
  { type: 'hogql', key: "length(distinct_id) > 6 OR event = 'bought'", value: null },
);
const virtualProperty = fc.constantFrom(
  { type: 'event', key: '$virt_is_bot', value: ['false'], operator: 'exact' },
  { type: 'person', key: '$virt_initial_channel_type', value: 'search', operator: 'icontains' },
  { type: 'session', key: '$channel_type', value: ['Direct', 'AI'], operator: 'is_not' },
);
/** Virtual ones are half as frequent as each of the others, since DuckDB plans the rule of channels in 60 ms. */
const property = fc.oneof({ weight: 6, arbitrary: plainProperty }, { weight: 1, arbitrary: virtualProperty });
const properties = fc.option(fc.array(property, { minLength: 1, maxLength: 2 }), { nil: undefined });
const math = fc.constantFrom<Record<string, unknown>[]>(
  {},
  { math: 'dau' },
  { math: 'weekly_active' },
  { math: 'first_time_for_user' },
  { math: 'unique_session' },
  { math: 'sum', math_property: 'n' },
  { math: 'avg', math_property: 'price' },
  { math: 'min', math_property: 'n' },
  { math: 'max', math_property: 'price' },
  { math: 'median', math_property: 'n' },
  { math: 'p90', math_property: 'price' },
  { math: 'hogql', math_hogql: 'sum(properties.n) / count()' },
);
const plainNode = fc
  .tuple(event, properties)
  .map(([name, filters]) => ({ kind: 'EventsNode', event: name, ...(filters && { properties: filters }) }));
const countedNode = fc.tuple(plainNode, math).map(([node, how]) => ({ ...node, ...how }));
const plainBreakdown = fc.constantFrom(
  undefined,
  { breakdown: 'plan', breakdown_type: 'event' },
  { breakdown: '$browser', breakdown_type: 'event', breakdown_limit: 2 },
  { breakdown: 'age', breakdown_type: 'person' },
  {
    breakdowns: [
      { property: 'plan', type: 'event' },
      { property: '$browser', type: 'event' },
    ],
  },
  { breakdowns: [{ property: 'n', type: 'event', histogram_bin_count: 3 }] },
);
const virtualBreakdown = fc.constantFrom(
  { breakdown: '$virt_traffic_type', breakdown_type: 'event' },
  { breakdown: '$virt_initial_channel_type', breakdown_type: 'person', breakdown_limit: 3 },
);
const breakdown = fc.oneof(
  { weight: 6, arbitrary: plainBreakdown },
  { weight: 1, arbitrary: virtualBreakdown },
);
const common = { dateRange, properties, filterTestAccounts: fc.constant(false) };

const trends = fc.record({
  kind: fc.constant('TrendsQuery'),
  ...common,
  interval,
  series: fc.array(countedNode, { minLength: 1, maxLength: 2 }),
  breakdownFilter: breakdown,
  compareFilter: fc.constantFrom(undefined, { compare: true }),
  trendsFilter: fc.constantFrom(
    {},
    { display: 'BoldNumber' },
    { display: 'ActionsLineGraphCumulative' },
    { smoothingIntervals: 3 },
  ),
});
const boxPlot = fc.record({
  kind: fc.constant('TrendsQuery'),
  ...common,
  interval,
  series: fc.array(
    plainNode.chain((node) =>
      fc.constantFrom('n', 'price').map((name) => ({ ...node, math_property: name })),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  trendsFilter: fc.constant({ display: 'BoxPlot' }),
});
const heatmap = fc.record({
  kind: fc.constant('TrendsQuery'),
  ...common,
  series: fc
    .tuple(plainNode, fc.constantFrom({}, { math: 'dau' }))
    .map(([node, how]) => [{ ...node, ...how }]),
  trendsFilter: fc.constant({ display: 'CalendarHeatmap' }),
});
const funnels = fc.record({
  kind: fc.constant('FunnelsQuery'),
  ...common,
  series: fc.array(plainNode, { minLength: 2, maxLength: 3 }),
  breakdownFilter: fc.constantFrom(undefined, { breakdown: 'plan', breakdown_type: 'event' }),
  funnelsFilter: fc.record({
    funnelOrderType: fc.constantFrom('ordered', 'strict', 'unordered'),
    funnelVizType: fc.constantFrom('steps', 'time_to_convert', 'trends'),
    funnelWindowInterval: fc.constantFrom(1, 7, 14),
    funnelWindowIntervalUnit: fc.constant('day'),
  }),
});
const retention = fc.record({
  kind: fc.constant('RetentionQuery'),
  ...common,
  retentionFilter: fc.record({
    period: fc.constantFrom('Day', 'Week'),
    totalIntervals: fc.constantFrom(4, 8),
    retentionType: fc.constantFrom('retention_first_time', 'retention_recurring'),
    targetEntity: fc.constantFrom({ id: '$pageview', type: 'events' }, { id: 'bought', type: 'events' }),
    returningEntity: fc.constantFrom(
      { id: '$pageview', type: 'events' },
      { id: 'signed up', type: 'events' },
    ),
  }),
});
const lifecycle = fc.record({
  kind: fc.constant('LifecycleQuery'),
  ...common,
  interval: fc.constantFrom('day', 'week'),
  series: plainNode.map((node) => [node]),
});
const stickiness = fc.record({
  kind: fc.constant('StickinessQuery'),
  ...common,
  interval: fc.constantFrom('day', 'week'),
  series: plainNode.map((node) => [node]),
});
const paths = fc.record({
  kind: fc.constant('PathsQuery'),
  ...common,
  pathsFilter: fc.record({
    includeEventTypes: fc.constantFrom(['$pageview'], ['$pageview', 'custom_event']),
    stepLimit: fc.constantFrom(3, 5),
  }),
});

const onWeb = {
  dateRange,
  properties,
  compareFilter: fc.constantFrom(undefined, { compare: true }),
  conversionGoal: fc.constantFrom(undefined, { customEventName: 'bought' }),
};
const webOverview = fc.record({ kind: fc.constant('WebOverviewQuery'), ...onWeb });
const webTable = fc.record({
  kind: fc.constant('WebStatsTableQuery'),
  ...onWeb,
  breakdownBy: fc.constantFrom(
    'Page',
    'InitialPage',
    'ExitPage',
    'PreviousPage',
    'Browser',
    'InitialReferringDomain',
    'InitialUTMSourceMediumCampaign',
    'InitialChannelType',
    'Country',
    'Timezone',
    'FrustrationMetrics',
  ),
  includeBounceRate: fc.boolean(),
  includeAvgTimeOnPage: fc.boolean(),
  orderBy: fc.constantFrom(undefined, ['Views', 'ASC'], ['BounceRate', 'DESC']),
});
const webVitals = fc.record({
  kind: fc.constant('WebVitalsPathBreakdownQuery'),
  dateRange,
  properties,
  metric: fc.constant('LCP'),
  percentile: fc.constantFrom('p75', 'p90', 'p99'),
  thresholds: fc.constant([2_500, 4_000]),
});

/** Insights of every kind with their options. */
export const arbitraryInsights: fc.Arbitrary<{ kind: string }> = fc
  .oneof(
    { weight: 4, arbitrary: trends },
    { weight: 2, arbitrary: funnels },
    retention,
    lifecycle,
    stickiness,
    paths,
    boxPlot,
    heatmap,
    { weight: 2, arbitrary: webTable },
    webOverview,
    webVitals,
  )
  .map((node) => JSON.parse(JSON.stringify(node)) as { kind: string });
