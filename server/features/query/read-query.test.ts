import { describe, expect, test } from 'vitest';
import { ApiError } from '../../errors.ts';
import { readQuery, sourceOf } from './read-query.ts';

const SIGNUP = { kind: 'EventsNode', event: 'signup' };
const TRENDS = { kind: 'TrendsQuery', series: [SIGNUP] };
const LEAF = { key: '$browser', type: 'event', operator: 'exact', value: ['Chrome', 'Firefox'] };

function refusalOf(query: unknown): ApiError {
  try {
    readQuery(query);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('The query was accepted.');
}

describe('a query of each kind is read', () => {
  test.each([
    [TRENDS],
    [
      {
        kind: 'TrendsQuery',
        series: [{ kind: 'EventsNode' }],
        dateRange: { date_from: '-7d', date_to: null },
      },
    ],
    [{ ...TRENDS, interval: 'week', breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } }],
    [{ ...TRENDS, properties: [LEAF] }],
    [{ ...TRENDS, properties: { type: 'AND', values: [{ type: 'OR', values: [LEAF, LEAF] }] } }],
    [
      {
        ...TRENDS,
        series: [{ kind: 'ActionsNode', id: 4, math: 'dau' }, SIGNUP],
        compareFilter: { compare: true },
      },
    ],
    [
      {
        ...TRENDS,
        series: [{ ...SIGNUP, math: 'p90_count_per_actor', custom_name: 'Many' }],
        trendsFilter: null,
      },
    ],
    [{ kind: 'FunnelsQuery', series: [SIGNUP, SIGNUP], funnelsFilter: { funnelWindowInterval: 14 } }],
    [
      {
        kind: 'FunnelsQuery',
        series: [SIGNUP, SIGNUP],
        funnelsFilter: { exclusions: [{ ...SIGNUP, funnelFromStep: 0, funnelToStep: 1 }] },
      },
    ],
    [{ kind: 'RetentionQuery', retentionFilter: { targetEntity: { id: 'signup', type: 'events' } } }],
    [{ kind: 'RetentionQuery', retentionFilter: {} }],
    [{ kind: 'StickinessQuery', series: [SIGNUP] }],
    [
      {
        kind: 'LifecycleQuery',
        series: [SIGNUP],
        lifecycleFilter: { toggledLifecycles: ['new', 'dormant'] },
      },
    ],
    [{ kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['$pageview'], stepLimit: 5 } }],
    [{ kind: 'HogQLQuery', query: 'select 1' }],
    [{ kind: 'EventsQuery', select: ['*', 'timestamp'], after: '-7d' }],
    [{ kind: 'ActorsQuery', source: { kind: 'InsightActorsQuery', source: TRENDS } }],
    [{ kind: 'PersonsQuery' }],
    [{ kind: 'InsightVizNode', source: TRENDS }],
    [{ kind: 'DataTableNode', source: { kind: 'EventsQuery', select: ['event'] }, columns: ['event'] }],
    [{ kind: 'DataVisualizationNode', source: { kind: 'HogQLQuery', query: 'select 1' } }],
  ])('%j', (query) => {
    expect(readQuery(query)).toBe(query);
  });
});

test('A-1 keys that change no number are kept in the query, and others are refused', () => {
  const query = { ...TRENDS, trendsFilter: { goalLines: [] }, tags: { productKey: 'web' } };
  expect(readQuery(query)).toEqual(query);
  expect(() => readQuery({ ...TRENDS, series: [{ ...SIGNUP, optionalInFunnel: true }] })).toThrow(
    'series.0: "optionalInFunnel" is not supported yet.',
  );
});

test('a wrapper is distinguished from its source query', () => {
  expect(sourceOf(readQuery({ kind: 'InsightVizNode', source: TRENDS }))).toBe(TRENDS);
  expect(sourceOf(readQuery(TRENDS))).toBe(TRENDS);
});

describe('an invalid query is a parse error without a field', () => {
  test.each([
    ['select 1', `It:`],
    [[TRENDS], 'It:'],
    [{}, `'kind': This must be one of: InsightVizNode`],
    [{ kind: 'TrendQuery' }, `'kind': This must be one of`],
    [{ kind: ['TrendsQuery'] }, `'kind'`],
    [{ kind: 'InsightVizNode' }, `'source'`],
    [{ kind: 'InsightVizNode', source: { kind: 'HogQLQuery', query: 'select 1' } }, `'source.kind'`],
    [{ kind: 'InsightVizNode', source: { kind: 'InsightVizNode', source: TRENDS } }, `'source.kind'`],
    [{ kind: 'TrendsQuery' }, `'series'`],
    [{ kind: 'TrendsQuery', series: [] }, `'series'`],
    [{ kind: 'TrendsQuery', series: [{ event: 'signup' }] }, `'series.0.kind'`],
    [{ ...TRENDS, series: [{ ...SIGNUP, math: 'mean' }] }, `'series.0.math'`],
    [{ ...TRENDS, interval: 'fortnight' }, `'interval'`],
    [{ ...TRENDS, properties: [{ ...LEAF, operator: 'like' }] }, `'properties.0.operator'`],
    [
      {
        ...TRENDS,
        properties: { type: 'AND', values: [{ type: 'AND', values: [{ ...LEAF, operator: 'like' }] }] },
      },
      `'properties.values.0.values.0.operator'`,
    ],
    [{ kind: 'FunnelsQuery', series: [SIGNUP] }, `'series'`],
    [{ kind: 'LifecycleQuery', series: [SIGNUP, SIGNUP] }, `'series'`],
    [{ kind: 'RetentionQuery' }, `'retentionFilter'`],
    [{ kind: 'HogQLQuery' }, `'query'`],
    [{ kind: 'EventsQuery', select: [] }, `'select'`],
  ])('%j', (query, place) => {
    const refusal = refusalOf(query);
    expect(refusal.body).toMatchObject({ type: 'invalid_request', code: 'parse_error', attr: null });
    expect(refusal.status).toBe(400);
    expect(refusal.body.detail).toContain(`Invalid query. ${place}`);
  });

  test('at any depth of nesting', () => {
    let properties: object = { ...LEAF, operator: 'like' };
    for (let depth = 0; depth < 450; depth++) properties = { type: 'AND', values: [properties] };
    expect(refusalOf({ ...TRENDS, properties }).body.code).toBe('parse_error');
  });
});
