import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { actorsOf, answerOf, openKindContext } from '../../../test/support/kind-context.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { describe as describeFields, queryObjects, dashboardFilters } from './node-schema.ts';
import { LEAF_NOTES } from '../cohorts/kinds/cohort-tree.contract.ts';
import { queryOfFilters } from './filters-to-query.ts';
import { overrideQuery } from './override-query.ts';
import type { KindContext } from './query-kind.ts';
import { actorsPoint, findKind, NODE_SCHEMAS } from './query-kinds.ts';
import { answerSource, readActors } from './read-actors.ts';
import {
  createReadRecord,
  namesWithoutEffect,
  unreadFields,
  type ReadRecord,
} from '../../../test/support/read-record.ts';

const VISIT = { kind: 'EventsNode', event: 'visit' };
const ACTION = { kind: 'ActionsNode', id: '7', name: 'Bought' };
const LEAF = { key: 'plan', type: 'event', operator: 'exact', value: 'pro' };
const GROUP_LEAF = { key: 'size', type: 'group', group_type_index: 0, operator: 'gt', value: 5 };
const COHORT_LEAF = { key: 'id', type: 'cohort', value: 3, operator: 'in', negation: true };
const FILTERS = { type: 'OR', values: [LEAF, { type: 'AND', values: [GROUP_LEAF, COHORT_LEAF] }] };
const SCOPE = {
  dateRange: { date_from: '-7d', date_to: '-1d', explicitDate: true, excludeIncompletePeriods: true },
  properties: FILTERS,
  filterTestAccounts: true,
  samplingFactor: 0.5,
};
const GROUPS = { aggregation_group_type_index: 0 };
const COMPARED = { compareFilter: { compare: true, compare_to: '-1w' } };
const OWN = { properties: [LEAF], fixedProperties: [LEAF], custom_name: 'Own' };
const GROUP = {
  kind: 'GroupNode',
  operator: 'OR',
  name: 'Either',
  nodes: [
    { ...VISIT, properties: [LEAF], fixedProperties: [LEAF] },
    { ...ACTION, properties: [LEAF], fixedProperties: [LEAF] },
  ],
  ...OWN,
};
const BREAKDOWN = {
  breakdown: 'url',
  breakdown_type: 'event',
  breakdown_limit: 3,
  breakdown_group_type_index: 0,
  breakdown_normalize_url: true,
  breakdown_hide_other_aggregation: true,
  breakdown_path_cleaning: true,
};
const BREAKDOWNS = {
  breakdowns: [
    { property: 'size', type: 'group', group_type_index: 0, normalize_url: true, histogram_bin_count: 4 },
  ],
};
const RETENTION = {
  period: 'Week',
  totalIntervals: 3,
  targetEntity: { id: 'visit', type: 'events', properties: [LEAF] },
  returningEntity: { id: 7, kind: 'ActionsNode', type: 'actions' },
  retentionType: 'retention_first_time',
  cumulative: true,
  minimumOccurrences: 2,
  timeWindowMode: 'strict_calendar_dates',
  retentionCustomBrackets: [1, 2],
  aggregationType: 'sum',
  aggregationProperty: 'price',
  aggregationPropertyType: 'person',
};
const FUNNEL_ACTORS = {
  kind: 'FunnelsActorsQuery',
  funnelStep: 1,
  source: { kind: 'FunnelsQuery', series: [VISIT, ACTION] },
};
const WEB = {
  dateRange: SCOPE.dateRange,
  properties: [LEAF, GROUP_LEAF, COHORT_LEAF],
  filterTestAccounts: true,
  interval: 'day',
};
const RULE = { regex: '/\\d+', alias: '/:id', order: 1 };

const WEB_QUERIES = [
  {
    kind: 'WebOverviewQuery',
    ...WEB,
    ...COMPARED,
    conversionGoal: { customEventName: 'visit', properties: [LEAF] },
  },
  { kind: 'WebOverviewQuery', ...WEB, conversionGoal: { actionId: 7 } },
  {
    kind: 'WebStatsTableQuery',
    ...WEB,
    ...COMPARED,
    breakdownBy: 'Page',
    conversionGoal: { customEventName: 'visit', properties: [LEAF] },
    doPathCleaning: true,
    includeHost: true,
    orderBy: ['Views', 'ASC'],
    limit: 5,
    offset: 1,
  },
  {
    kind: 'WebStatsTableQuery',
    ...WEB,
    breakdownBy: 'Page',
    conversionGoal: { actionId: 7 },
    doPathCleaning: true,
  },
  {
    kind: 'WebStatsTableQuery',
    breakdownBy: 'Page',
    includeBounceRate: true,
    includeScrollDepth: true,
    includeAvgTimeOnPage: true,
  },
  { kind: 'WebGoalsQuery', ...WEB, ...COMPARED, orderBy: ['ConvertingUsers', 'ASC'], limit: 3 },
  {
    kind: 'WebExternalClicksTableQuery',
    ...WEB,
    ...COMPARED,
    orderBy: ['Clicks', 'ASC'],
    stripQueryParams: true,
    limit: 5,
    offset: 1,
  },
  { kind: 'WebPageURLSearchQuery', ...WEB, searchTerm: 'a', stripQueryParams: true, limit: 5 },
  { kind: 'WebVitalsQuery', source: { kind: 'TrendsQuery', series: [VISIT] } },
  {
    kind: 'WebVitalsPathBreakdownQuery',
    ...WEB,
    doPathCleaning: true,
    metric: 'LCP',
    percentile: 'p75',
    thresholds: [1, 2],
  },
];

/** Queries that together use every field; a field that is added to a schema needs a place in one of them, and a reader. */
const SAMPLES: readonly object[] = [
  {
    kind: 'TrendsQuery',
    ...SCOPE,
    ...COMPARED,
    series: [
      { ...VISIT, ...OWN, math: 'sum', math_property: 'price', math_property_type: 'person_properties' },
      { ...ACTION, ...OWN, math: 'unique_group', math_group_type_index: 0 },
      { ...VISIT, math: 'hogql', math_hogql: 'count()' },
      { ...ACTION, math: 'hogql', math_hogql: 'count()' },
      { ...ACTION, math: 'sum', math_property: 'price', math_property_type: 'person_properties' },
      { ...VISIT, math: 'unique_group', math_group_type_index: 0 },
      { ...VISIT, math: 'sum', math_property: 'price', math_multiplier: 2 },
      { ...ACTION, math: 'sum', math_property: 'price', math_multiplier: 2 },
      {
        ...GROUP,
        math: 'sum',
        math_property: 'price',
        math_property_type: 'person_properties',
        math_multiplier: 2,
      },
      { ...GROUP, math: 'unique_group', math_group_type_index: 0 },
      { ...GROUP, math: 'hogql', math_hogql: 'count()' },
    ],
    interval: 'week',
    trendsFilter: { display: 'ActionsBar', formula: 'A + B', formulas: [], smoothingIntervals: 2 },
    conversionGoal: undefined,
  },
  {
    kind: 'TrendsQuery',
    series: [{ ...VISIT, ...OWN }, { ...ACTION, ...OWN }, GROUP],
  },
  {
    kind: 'TrendsQuery',
    series: [VISIT],
    trendsFilter: { formulaNodes: [{ formula: 'A * 2', custom_name: 'Twice' }] },
    breakdownFilter: BREAKDOWN,
  },
  { kind: 'TrendsQuery', series: [VISIT], breakdownFilter: BREAKDOWNS },
  {
    kind: 'TrendsQuery',
    series: [VISIT],
    breakdownFilter: { breakdown: 'price', breakdown_type: 'event', breakdown_histogram_bin_count: 3 },
  },
  {
    kind: 'FunnelsQuery',
    ...SCOPE,
    ...GROUPS,
    ...COMPARED,
    dateRange: { ...SCOPE.dateRange, daysOfWeek: [1] },
    series: [
      { ...VISIT, ...OWN, holdConstant: ['plan'] },
      { ...ACTION, ...OWN, holdConstant: ['plan'] },
      VISIT,
      VISIT,
    ],
    interval: 'day',
    funnelsFilter: {
      funnelOrderType: 'ordered',
      funnelVizType: 'trends',
      funnelWindowInterval: 3,
      funnelWindowIntervalUnit: 'day',
      exclusions: [
        { ...VISIT, ...OWN, event: 'leave', custom_name: undefined, funnelFromStep: 0, funnelToStep: 1 },
        { ...ACTION, ...OWN, custom_name: undefined, funnelFromStep: 2, funnelToStep: 3 },
      ],
      breakdownAttributionType: 'step',
      breakdownAttributionValue: 1,
      funnelFromStep: 0,
      funnelToStep: 3,
      holdConstant: ['plan'],
      hideIncompleteConversionWindowPeriods: true,
    },
    breakdownFilter: BREAKDOWNS,
  },
  {
    kind: 'FunnelsQuery',
    series: [
      { ...VISIT, name: 'Arrival' },
      { ...ACTION, custom_name: 'Own', optionalInFunnel: true },
      { ...GROUP, holdConstant: ['plan'], optionalInFunnel: true },
      { ...VISIT, event: 'leave', optionalInFunnel: true },
    ],
  },
  {
    kind: 'FunnelsQuery',
    series: [VISIT, VISIT],
    funnelsFilter: { funnelVizType: 'time_to_convert', binCount: 4, funnelAggregateByHogQL: 'distinct_id' },
  },
  {
    kind: 'RetentionQuery',
    ...SCOPE,
    ...GROUPS,
    retentionFilter: RETENTION,
    breakdownFilter: { breakdown: 'plan', breakdown_type: 'event', breakdown_limit: 3 },
  },
  { kind: 'RetentionQuery', retentionFilter: { minimumOccurrences: 2 } },
  {
    kind: 'FunnelCorrelationQuery',
    source: FUNNEL_ACTORS,
    funnelCorrelationType: 'events',
    funnelCorrelationExcludeEventNames: ['leave'],
  },
  {
    kind: 'FunnelCorrelationQuery',
    source: FUNNEL_ACTORS,
    funnelCorrelationType: 'properties',
    funnelCorrelationNames: ['$all'],
    funnelCorrelationExcludeNames: ['plan'],
  },
  {
    kind: 'FunnelCorrelationQuery',
    source: FUNNEL_ACTORS,
    funnelCorrelationType: 'event_with_properties',
    funnelCorrelationEventNames: ['click'],
    funnelCorrelationEventExcludePropertyNames: ['url'],
  },
  ...WEB_QUERIES,
  {
    kind: 'InsightActorsQueryOptions',
    source: { kind: 'InsightActorsQuery', source: { kind: 'TrendsQuery', series: [VISIT] } },
  },
  {
    kind: 'StickinessQuery',
    ...SCOPE,
    ...GROUPS,
    ...COMPARED,
    series: [
      { ...VISIT, ...OWN, math: 'unique_group', math_group_type_index: 0 },
      { ...ACTION, ...OWN, math: 'unique_group', math_group_type_index: 0 },
      { ...GROUP, math: 'unique_group', math_group_type_index: 0 },
      { ...VISIT, math: 'hogql', math_hogql: 'e.properties.plan' },
      { ...ACTION, math: 'hogql', math_hogql: 'properties.plan' },
      { ...GROUP, math: 'hogql', math_hogql: 'properties.plan' },
    ],
    interval: 'day',
    intervalCount: 2,
    stickinessFilter: { computedAs: 'cumulative', stickinessCriteria: { operator: 'gte', value: 2 } },
  },
  { kind: 'StickinessQuery', ...GROUPS, series: [VISIT] },
  {
    kind: 'LifecycleQuery',
    ...SCOPE,
    ...GROUPS,
    series: [{ ...VISIT, ...OWN }],
    interval: 'day',
    lifecycleFilter: { toggledLifecycles: ['new'] },
  },
  { kind: 'LifecycleQuery', series: [{ ...ACTION, ...OWN }] },
  { kind: 'LifecycleQuery', series: [GROUP] },
  {
    kind: 'PathsQuery',
    ...SCOPE,
    ...GROUPS,
    pathsFilter: {
      includeEventTypes: ['hogql'],
      startPoint: '/a',
      endPoint: '/b',
      excludeEvents: ['/c'],
      stepLimit: 4,
      edgeLimit: 9,
      minEdgeWeight: 1,
      maxEdgeWeight: 5,
      pathGroupings: ['/d/*'],
      localPathCleaningFilters: [RULE],
      pathReplacements: [RULE],
      pathsHogQLExpression: 'event',
      pathStartKey: '1_/a',
      pathEndKey: '2_/b',
      pathDropoffKey: '3_/c',
    },
    funnelPathsFilter: {
      funnelPathType: 'funnel_path_between_steps',
      funnelSource: FUNNEL_ACTORS.source,
      funnelStep: 2,
    },
  },
  {
    kind: 'HogQLQuery',
    query: 'select {variables.word}, {value} from events where {filters}',
    filters: { properties: FILTERS, dateRange: SCOPE.dateRange, filterTestAccounts: true },
    values: { value: 1 },
    variables: {
      'variable-1': { variableId: 'variable-1', code_name: 'word', value: 'x' },
      other: { variableId: 'other', code_name: 'more', value: 'x', isNull: true },
    },
    explain: true,
  },
  {
    kind: 'HogQLMetadata',
    language: 'hogQL',
    query: 'select {value} from events where {filters}',
    filters: {},
    values: { value: 1 },
    variables: {},
  },
  { kind: 'DatabaseSchemaQuery' },
  {
    kind: 'EventsQuery',
    select: ['event'],
    where: ['1 = 1'],
    event: 'visit',
    events: ['visit'],
    properties: FILTERS,
    fixedProperties: [LEAF],
    after: '-2d',
    before: '-1d',
    orderBy: ['timestamp'],
    limit: 5,
    offset: 1,
    personId: '01900000-0000-7000-8000-000000000000',
    actionId: 7,
    actionSteps: [
      {
        event: 'visit',
        properties: [LEAF],
        selector: 'a',
        tag_name: 'a',
        text: 'Buy',
        text_matching: 'contains',
        href: '/buy',
        href_matching: 'exact',
        url: '/shop',
        url_matching: 'regex',
      },
    ],
    filterTestAccounts: true,
    source: { kind: 'InsightActorsQuery', source: { kind: 'TrendsQuery', series: [VISIT] } },
  },
  {
    kind: 'ActorsQuery',
    select: ['id'],
    search: 'ann',
    properties: [COHORT_LEAF],
    fixedProperties: [COHORT_LEAF],
    filterTestAccounts: true,
    orderBy: ['id'],
    limit: 5,
    offset: 1,
    source: { kind: 'InsightActorsQuery', source: { kind: 'TrendsQuery', series: [VISIT] } },
  },
];

/** Points of the insights among the samples, by the kind of the insight. */
const POINTS: readonly [kind: string, query: object, point: object][] = [
  ['TrendsQuery', { series: [VISIT], ...COMPARED }, { series: 0, day: '2026-11-12', compare: 'previous' }],
  ['TrendsQuery', { series: [VISIT], breakdownFilter: BREAKDOWN }, { breakdown: 'x' }],
  ['LifecycleQuery', { series: [VISIT] }, { day: '2026-11-19', status: 'new' }],
  ['StickinessQuery', { series: [VISIT] }, { day: 1, operator: 'gte' }],
  ['RetentionQuery', { retentionFilter: {} }, { interval: 1, day: 0 }],
  ['FunnelsQuery', { series: [VISIT, VISIT] }, { funnelStep: 2, funnelStepBreakdown: 'x' }],
  ['FunnelsQuery', { series: [VISIT, VISIT] }, { funnelCustomSteps: [1] }],
  [
    'FunnelsQuery',
    { series: [VISIT, VISIT], funnelsFilter: { funnelVizType: 'trends' } },
    { funnelTrendsEntrancePeriodStart: '2026-11-19', funnelTrendsDropOff: true },
  ],
  [
    'FunnelCorrelationQuery',
    { source: FUNNEL_ACTORS, funnelCorrelationType: 'events' },
    {
      funnelCorrelationPersonConverted: true,
      funnelCorrelationPersonEntity: { ...VISIT, ...OWN, custom_name: undefined },
    },
  ],
  [
    'FunnelCorrelationQuery',
    { source: FUNNEL_ACTORS, funnelCorrelationType: 'events' },
    { funnelCorrelationPersonEntity: { ...ACTION, ...OWN, custom_name: undefined } },
  ],
  [
    'FunnelCorrelationQuery',
    { source: FUNNEL_ACTORS, funnelCorrelationType: 'properties', funnelCorrelationNames: ['plan'] },
    { funnelCorrelationPropertyValues: [{ key: 'plan', value: 'pro', type: 'person', operator: 'exact' }] },
  ],
  ['PathsQuery', { pathsFilter: { pathStartKey: '1_/a', pathEndKey: '2_/b', pathDropoffKey: '3_/c' } }, {}],
  ['PathsQuery', {}, { pathStartKey: '1_/a', pathEndKey: '2_/b', pathDropoffKey: '3_/c' }],
];

async function openContext(): Promise<KindContext> {
  const app = await openTestApp();
  await app.ask('/api/projects/1/actions/', {
    method: 'POST',
    body: { name: 'Bought', steps: [{ event: 'bought' }] },
  });
  const bare = await openKindContext(app, {
    cohorts: [{ id: 3, name: 'Payers', isStatic: false }],
    cohort: () => null,
    testAccountFilters: [COHORT_LEAF as never],
  });
  const context: KindContext = {
    ...bare,
    groupTypes: ['company'],
    action: async () => await bare.action(1),
    // What is read before the statement is run counts; cohorts of this project have no rule that could be run.
    runQuery: (query, options) =>
      bare
        .runQuery(query, options)
        .catch(() => ({ columns: [], rows: [], hasMore: false, limit: 0, offset: 0 })),
    check: async () => undefined,
    explain: async () => [],
    actorsOf: (source) => readActors(source, context),
    answerOf: (source) => answerSource(source, context),
    variables: async () => [
      { id: 'variable-1', codeName: 'word', defaultValue: null },
      { id: 'other', codeName: 'more', defaultValue: null },
    ],
  };
  return context;
}

async function readBy(schemas: Readonly<Record<string, z.core.$ZodType>>): Promise<ReadRecord> {
  const record = createReadRecord();
  const context = await openContext();
  for (const sample of SAMPLES) {
    const { kind } = sample as { kind: string };
    const parsed = z.parse(schemas[kind]!, sample);
    await answerOf(findKind(kind), record.watch(parsed, schemas[kind]!), context);
  }
  for (const [kind, query, point] of POINTS) {
    const schema = schemas[kind]!;
    const parsed = record.watch(z.parse(schema, { kind, ...query }), schema) as never;
    const watched = record.watch(actorsPoint.parse(point), actorsPoint) as object;
    await actorsOf(findKind(kind), parsed, watched, context);
  }
  return record;
}

describe('A-1 every field that a schema accepts is read', () => {
  const { InsightVizNode: _, DataTableNode: __, DataVisualizationNode: ___, ...answered } = NODE_SCHEMAS;

  test('of every kind of query, with its filters, series and breakdowns, and of points', async () => {
    const record = await readBy(answered);
    const { PersonsQuery: _persons, InsightActorsQuery: _insight, ...rest } = answered;
    const { FunnelsActorsQuery: _funnels, StickinessActorsQuery: _stickiness, ...others } = rest;
    const { FunnelCorrelationActorsQuery: _correlation, ...schemas } = others;
    expect(unreadFields({ ...schemas, point: actorsPoint }, record)).toEqual([]);
  }, 120_000);

  test('an added field without a reader is detected', async () => {
    const schema = answered['StickinessQuery'] as z.ZodObject;
    const wider = describeFields(
      schema.extend({ rollingDays: z.int().nullish() }),
      queryObjects.get(schema)!,
    );
    const record = await readBy({ ...answered, StickinessQuery: wider });
    expect(unreadFields({ StickinessQuery: wider }, record)).toEqual(['StickinessQuery.rollingDays']);
  }, 120_000);

  test('of the filters of a dashboard', () => {
    const record = createReadRecord();
    const filters = {
      date_from: '-7d',
      date_to: '-1d',
      explicitDate: true,
      properties: [LEAF],
      breakdown_filter: BREAKDOWN,
    };
    const query = { kind: 'TrendsQuery', series: [VISIT], properties: [LEAF] };
    const watched = record.watch(dashboardFilters.parse(filters), dashboardFilters) as typeof filters;
    overrideQuery(query, { filters: watched });
    expect(unreadFields({ filters: dashboardFilters }, record, { within: false })).toEqual([]);
  });
});

test('A-1 the document lists exactly the fields accepted without effect', () => {
  const text = readFileSync(
    new URL('../../../docs/contract/accepted-without-effect.md', import.meta.url),
    'utf8',
  );
  const listed = new Set(
    text
      .split('\n## ')
      .slice(1)
      .join('\n')
      .match(/(?<=`)\w+(?=`)/g),
  );
  const accepted = new Set([...LEAF_NOTES, ...namesWithoutEffect(NODE_SCHEMAS)]);
  const HOLDERS = [
    'trendsFilter',
    'funnelsFilter',
    'stickinessFilter',
    'lifecycleFilter',
    'retentionFilter',
    'pathsFilter',
  ];
  const others = new Set([...HOLDERS, 'total', 'dau']);
  expect([...accepted].filter((name) => !listed.has(name))).toEqual([]);
  expect([...listed].filter((name) => !accepted.has(name) && !others.has(name))).toEqual([]);
});

describe('A-1 old filters', () => {
  /** Fields of PostHog's old filters that say what is counted. */
  const SHARED = [
    'insight',
    'date_from',
    'date_to',
    'properties',
    'filter_test_accounts',
    'sampling_factor',
    'aggregation_group_type_index',
  ];
  const SERIES = ['events', 'actions', 'interval'];
  const BREAKDOWN_FIELDS = [
    'breakdown',
    'breakdown_type',
    'breakdown_limit',
    'breakdowns',
    'breakdown_group_type_index',
    'breakdown_normalize_url',
    'breakdown_histogram_bin_count',
    'breakdown_hide_other_aggregation',
  ];
  const FIELDS: Readonly<Record<string, readonly string[]>> = {
    TRENDS: [
      ...SERIES,
      ...BREAKDOWN_FIELDS,
      'display',
      'formula',
      'smoothing_intervals',
      'compare',
      'compare_to',
    ],
    FUNNELS: [
      ...SERIES,
      ...BREAKDOWN_FIELDS,
      'funnel_viz_type',
      'funnel_order_type',
      'funnel_window_interval',
      'funnel_window_interval_unit',
      'funnel_window_days',
      'funnel_from_step',
      'funnel_to_step',
      'funnel_aggregate_by_hogql',
      'bin_count',
      'breakdown_attribution_type',
      'breakdown_attribution_value',
      'exclusions',
    ],
    RETENTION: [
      ...BREAKDOWN_FIELDS,
      'target_entity',
      'returning_entity',
      'period',
      'total_intervals',
      'retention_type',
      'cumulative',
      'minimum_occurrences',
      'time_window_mode',
    ],
    PATHS: [
      'include_event_types',
      'start_point',
      'end_point',
      'exclude_events',
      'path_groupings',
      'local_path_cleaning_filters',
      'path_replacements',
      'paths_hogql_expression',
      'step_limit',
      'edge_limit',
      'min_edge_weight',
      'max_edge_weight',
    ],
    STICKINESS: [...SERIES, 'compare', 'compare_to'],
    LIFECYCLE: [...SERIES, 'toggledLifecycles'],
  };

  test.each(Object.entries(FIELDS))('of %s: each field is read', (insight, fields) => {
    const read = new Set<PropertyKey>();
    const filters = new Proxy<Record<string, unknown>>(
      { insight, events: [{ id: 'visit' }, { id: 'bought' }], breakdown: 'plan' },
      { get: (target, key) => (read.add(key), Reflect.get(target, key) as unknown) },
    );
    queryOfFilters(filters);
    expect([...SHARED, ...fields].filter((name) => !read.has(name))).toEqual([]);
  });

  test('are refused by the name of a field without an equivalent', () => {
    const events = [{ id: 'visit' }];
    expect(() => queryOfFilters({ insight: 'TRENDS', events, hide_weekends: true })).toThrow(
      'filters: "hide_weekends" is not supported yet.',
    );
    const paths = { insight: 'PATHS', funnel_paths: 'funnel_path_after_step' };
    expect(() => queryOfFilters(paths)).toThrow('filters: "funnel_paths" is not supported yet.');
  });
});
