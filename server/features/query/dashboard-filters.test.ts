import { describe, expect, test } from 'vitest';
import { overrideQuery } from './override-query.ts';
import { readQuery } from './read-query.ts';

const TRENDS = { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup' }] };
const OWN = { key: '$browser', value: 'Chrome', operator: 'exact', type: 'event' };
const OURS = { key: 'plan', value: 'pro', operator: 'exact', type: 'person' };

function applied(query: object, filters: Record<string, unknown>): unknown {
  const result = overrideQuery(readQuery(query), { filters });
  readQuery(result);
  return result;
}

test('without filters the query is unchanged', () => {
  for (const filters of [
    {},
    { date_from: null },
    { properties: [] },
    { properties: { type: 'AND', values: [] } },
  ]) {
    const query = readQuery({ kind: 'InsightVizNode', source: TRENDS });
    expect(overrideQuery(query, { filters })).toBe(query);
  }
});

test('dates replace the dates of the query', () => {
  const source = { ...TRENDS, dateRange: { date_from: '-7d', date_to: '-1d', explicitDate: true } };
  expect(applied(source, { date_from: '-30d' })).toEqual({
    ...TRENDS,
    dateRange: { date_from: '-30d', explicitDate: true },
  });
});

describe('properties are added by AND', () => {
  test('of lists', () => {
    expect(applied({ ...TRENDS, properties: [OWN] }, { properties: [OURS] })).toMatchObject({
      properties: [OWN, OURS],
    });
  });

  test('of groups', () => {
    const group = { type: 'OR', values: [OWN, OWN] };
    expect(applied({ ...TRENDS, properties: group }, { properties: [OURS] })).toMatchObject({
      properties: { type: 'AND', values: [group, { type: 'AND', values: [OURS] }] },
    });
  });

  test('of a query without any', () => {
    expect(applied(TRENDS, { properties: [OURS] })).toMatchObject({ properties: [OURS] });
  });
});

test('a breakdown replaces that of trends', () => {
  const breakdown = { breakdown: 'plan', breakdown_type: 'event' };
  expect(applied(TRENDS, { breakdown_filter: breakdown })).toMatchObject({ breakdownFilter: breakdown });
  const stickiness = { ...TRENDS, kind: 'StickinessQuery' };
  expect(applied(stickiness, { breakdown_filter: breakdown })).toEqual(stickiness);
});

test('SQL gets them as its filters, and a list of events as its times', () => {
  const sql = { kind: 'HogQLQuery', query: 'select 1 where {filters}' };
  expect(
    applied({ kind: 'DataVisualizationNode', source: sql }, { date_from: '-1d', properties: [OURS] }),
  ).toEqual({
    kind: 'DataVisualizationNode',
    source: { ...sql, filters: { dateRange: { date_from: '-1d' }, properties: [OURS] } },
  });
  expect(applied({ kind: 'EventsQuery', select: ['*'] }, { date_from: '-1d' })).toMatchObject({
    after: '-1d',
  });
});
