import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { queryOfFilters } from './filters-to-query.ts';
import { INTERVALS } from './node-schema.ts';
import { isQuery } from './read-query.ts';

const SIGNUP = { id: 'signup', name: 'signup', type: 'events', order: 0 };

/** What is refused with a reason is no query. */
function unlessRefused<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (error instanceof ApiError && error.errorName === 'invalid_input') return null;
    throw error;
  }
}

function sourceOf(filters: Record<string, unknown>): unknown {
  return queryOfFilters(filters)?.['source'] ?? null;
}

describe('old filters become the query of the same meaning', () => {
  test('trends', () => {
    expect(
      sourceOf({
        insight: 'TRENDS',
        events: [
          { ...SIGNUP, math: 'dau', order: 1 },
          { id: '$pageview', order: 0 },
        ],
        actions: [{ id: '7', order: 2, math: 'sum', math_property: 'price' }],
        interval: 'week',
        date_from: '-30d',
        date_to: '',
        properties: [{ key: 'plan', value: 'pro', type: 'person' }],
        breakdown: '$browser',
        breakdown_type: 'event',
        display: 'ActionsBar',
        formula: 'A / B',
        compare: true,
        filter_test_accounts: 'true',
        smoothing_intervals: '3',
      }),
    ).toEqual({
      kind: 'TrendsQuery',
      series: [
        { kind: 'EventsNode', event: '$pageview' },
        { kind: 'EventsNode', event: 'signup', name: 'signup', math: 'dau' },
        { kind: 'ActionsNode', id: 7, math: 'sum', math_property: 'price' },
      ],
      interval: 'week',
      dateRange: { date_from: '-30d' },
      properties: [{ key: 'plan', value: 'pro', type: 'person' }],
      filterTestAccounts: true,
      trendsFilter: { display: 'ActionsBar', formula: 'A / B', smoothingIntervals: 3 },
      breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
      compareFilter: { compare: true },
    });
  });

  test('funnels', () => {
    expect(
      sourceOf({
        insight: 'FUNNELS',
        events: [{ id: '$pageview' }, SIGNUP].map((event, order) => ({ ...event, order })),
        display: 'FunnelViz',
        funnel_viz_type: 'steps',
        funnel_order_type: 'strict',
        funnel_window_interval: 7,
        funnel_window_interval_unit: 'day',
        exclusions: [{ id: 'bounce', type: 'events', funnel_from_step: 0, funnel_to_step: 1 }],
      }),
    ).toEqual({
      kind: 'FunnelsQuery',
      series: [
        { kind: 'EventsNode', event: '$pageview' },
        { kind: 'EventsNode', event: 'signup', name: 'signup' },
      ],
      funnelsFilter: {
        funnelVizType: 'steps',
        funnelOrderType: 'strict',
        funnelWindowInterval: 7,
        funnelWindowIntervalUnit: 'day',
        exclusions: [{ kind: 'EventsNode', event: 'bounce', funnelFromStep: 0, funnelToStep: 1 }],
      },
    });
  });

  test('retention', () => {
    const target = { id: '$pageview', type: 'events' };
    expect(
      sourceOf({
        insight: 'RETENTION',
        target_entity: target,
        returning_entity: target,
        period: 'Week',
        total_intervals: '8',
        retention_type: 'retention_first_time',
      }),
    ).toEqual({
      kind: 'RetentionQuery',
      retentionFilter: {
        targetEntity: target,
        returningEntity: target,
        period: 'Week',
        totalIntervals: 8,
        retentionType: 'retention_first_time',
      },
    });
  });

  test('paths', () => {
    expect(
      sourceOf({ insight: 'PATHS', include_event_types: ['$pageview'], start_point: '/', step_limit: 4 }),
    ).toEqual({
      kind: 'PathsQuery',
      pathsFilter: { includeEventTypes: ['$pageview'], startPoint: '/', stepLimit: 4 },
    });
  });

  test('stickiness and lifecycle, also by shown_as', () => {
    const events = [SIGNUP];
    const series = [{ kind: 'EventsNode', event: 'signup', name: 'signup' }];
    expect(sourceOf({ insight: 'STICKINESS', events, interval: 'day' })).toEqual({
      kind: 'StickinessQuery',
      series,
      interval: 'day',
    });
    expect(sourceOf({ insight: 'LIFECYCLE', events, toggledLifecycles: ['new'] })).toEqual({
      kind: 'LifecycleQuery',
      series,
      lifecycleFilter: { toggledLifecycles: ['new'] },
    });
    expect(sourceOf({ insight: 'TRENDS', shown_as: 'Lifecycle', events })).toMatchObject({
      kind: 'LifecycleQuery',
    });
    // A lifecycle has one series; filters carry those of other kinds along.
    const several = [{ id: 'view', order: 1 }, SIGNUP];
    expect(sourceOf({ insight: 'LIFECYCLE', events: several })).toEqual({ kind: 'LifecycleQuery', series });
  });
});

describe('older forms of filters', () => {
  test('lists as text', () => {
    expect(sourceOf({ events: JSON.stringify([SIGNUP]) })).toEqual(null);
    expect(sourceOf({ insight: 'TRENDS', events: JSON.stringify([SIGNUP]) })).toMatchObject({
      series: [{ event: 'signup' }],
    });
  });

  test('properties by name, with the operator as a suffix', () => {
    expect(
      sourceOf({
        insight: 'TRENDS',
        events: [SIGNUP],
        properties: { $browser: 'Chrome', $current_url__icontains: '/docs' },
      }),
    ).toMatchObject({
      properties: [
        { key: '$browser', operator: 'exact', value: 'Chrome', type: 'event' },
        { key: '$current_url', operator: 'icontains', value: '/docs', type: 'event' },
      ],
    });
  });

  test('properties by long names of underscores', () => {
    const name = `${'_'.repeat(500_000)}!`;
    expect(sourceOf({ insight: 'TRENDS', events: [SIGNUP], properties: { [name]: 1 } })).toMatchObject({
      properties: [{ key: name, operator: 'exact' }],
    });
  });

  test('an event of any name, and a window in days', () => {
    expect(sourceOf({ insight: 'TRENDS', events: [{ id: null, type: 'events' }] })).toMatchObject({
      series: [{ kind: 'EventsNode', event: null }],
    });
    const events = [SIGNUP, SIGNUP];
    expect(sourceOf({ insight: 'FUNNELS', events, funnel_window_days: 3 })).toMatchObject({
      funnelsFilter: { funnelWindowInterval: 3 },
    });
  });
});

describe('filters without an equivalent are not converted', () => {
  test.each([
    [{}],
    [{ insight: 'TRENDS' }],
    [{ insight: 'TRENDS', events: [] }],
    [{ insight: 'SESSIONS', events: [SIGNUP] }],
    [{ insight: 'FUNNELS', events: [SIGNUP] }],
    [{ insight: 'TRENDS', events: [{ ...SIGNUP, math: 'of course' }] }],
    [{ insight: 7 }],
  ])('%j', (filters) => {
    expect(queryOfFilters(filters)).toBeNull();
  });
});

describe('arbitrary filters', () => {
  const anyEvent = fc.record(
    {
      id: fc.oneof(fc.constant(null), fc.string()),
      order: fc.oneof(fc.nat(9), fc.nat(9).map(String)),
      math: fc.constantFrom('total', 'dau', 'sum', '', null),
      math_property: fc.string(),
      name: fc.oneof(fc.string(), fc.constant(null)),
      properties: fc.constantFrom([], {}, [{ key: 'a', value: 1 }], { a__gt: 3 }, null),
    },
    { requiredKeys: ['id'] },
  );
  // A sum without its property is refused when it is written.
  const event = anyEvent.map((one) =>
    one.math === 'sum' ? { ...one, math_property: one.math_property || 'amount' } : one,
  );
  const usual = fc.record(
    {
      insight: fc.constantFrom('TRENDS', 'STICKINESS', 'trends'),
      events: fc.array(event, { minLength: 1, maxLength: 4 }),
      interval: fc.constantFrom(...INTERVALS, null, ''),
      date_from: fc.constantFrom('-7d', 'all', null, '2026-01-01'),
      breakdown: fc.constantFrom('plan', null, ''),
      breakdown_type: fc.constantFrom('event', 'person', null),
      display: fc.constantFrom('ActionsLineGraph', 'FunnelViz', 'BoldNumber', null),
      compare: fc.oneof(fc.boolean(), fc.constantFrom('true', 'false', null)),
      smoothing_intervals: fc.oneof(fc.nat(), fc.nat().map(String)),
    },
    { requiredKeys: ['insight', 'events'] },
  );

  test('usual ones become a valid query, with a series for each event', () => {
    fc.assert(
      fc.property(usual, (filters) => {
        const query = queryOfFilters(filters);
        expect(isQuery(query)).toBe(true);
        const { series } = query!['source'] as { series: { event: unknown }[] };
        expect(series.map(({ event: name }) => String(name)).toSorted()).toEqual(
          filters.events.map(({ id }) => String(id)).toSorted(),
        );
      }),
    );
  });

  test('any others become a valid query, or none, or are refused', () => {
    const kinds = fc.constantFrom('TRENDS', 'FUNNELS', 'RETENTION', 'PATHS', 'STICKINESS', 'LIFECYCLE');
    const names = ['events', 'actions', 'properties', 'exclusions', 'breakdown', 'breakdowns', 'interval'];
    const more = [
      'date_from',
      'target_entity',
      'period',
      'compare',
      'step_limit',
      'toggledLifecycles',
      'shown_as',
    ];
    const fields = fc.dictionary(fc.constantFrom(...names, ...more), fc.anything({ maxDepth: 3 }));
    fc.assert(
      fc.property(kinds, fields, (insight, filters) => {
        const query = unlessRefused(() => queryOfFilters({ ...filters, insight }));
        expect(query === null || isQuery(query)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('the same filters become the same query, and are not modified', () => {
    fc.assert(
      fc.property(usual, (filters) => {
        const before = JSON.stringify(filters);
        expect(queryOfFilters(filters)).toEqual(queryOfFilters(filters));
        expect(JSON.stringify(filters)).toBe(before);
      }),
    );
  });
});
