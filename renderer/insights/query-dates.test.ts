import { expect, test } from 'vitest';
import { startOf, datesOfQuery, datesText } from './query-dates.ts';

const NOW = Date.parse('2026-11-19T14:32:00Z');
const textOf = (query: object) => {
  const dates = datesOfQuery(query, NOW);
  return dates && datesText(dates, 'UTC');
};
const wrapped = (source: object) => ({ kind: 'InsightVizNode', source });
const series = [{ kind: 'EventsNode', event: 'bought' }];

test('trends by interval have the interval and the range; a number has no interval', () => {
  const trends = { kind: 'TrendsQuery', series, interval: 'week', dateRange: { date_from: '-30d' } };
  expect(textOf(wrapped(trends))).toBe('per week, last 30 days, UTC');
  expect(textOf(wrapped({ ...trends, trendsFilter: { display: 'BoldNumber' } }))).toBe('last 30 days, UTC');
});

test('a query without a date range has the default one', () => {
  expect(textOf(wrapped({ kind: 'TrendsQuery', series }))).toBe('per day, last 7 days, UTC');
});

test('a range between two days has both', () => {
  const dateRange = { date_from: '2026-11-01', date_to: '2026-11-15' };
  expect(textOf(wrapped({ kind: 'PathsQuery', dateRange }))).toBe('1 Nov to 15 Nov, UTC');
});

test('a funnel has its conversion window', () => {
  const funnel = { kind: 'FunnelsQuery', series, dateRange: { date_from: '-30d' } };
  expect(textOf(wrapped(funnel))).toBe('last 30 days, within 14 days, UTC');
  const hour = { funnelWindowInterval: 1, funnelWindowIntervalUnit: 'hour' };
  expect(textOf(wrapped({ ...funnel, funnelsFilter: hour }))).toBe('last 30 days, within 1 hour, UTC');
});

test('retention has its periods instead of its date range', () => {
  const retentionFilter = { period: 'Week', totalIntervals: 8 };
  expect(textOf(wrapped({ kind: 'RetentionQuery', retentionFilter }))).toBe('per week, last 8 weeks, UTC');
  const dateRange = { date_to: '2026-11-15' };
  expect(textOf(wrapped({ kind: 'RetentionQuery', retentionFilter, dateRange }))).toBe(
    'per week, 8 weeks to 15 Nov, UTC',
  );
});

test('SQL has the dates of its filters where it reads them, else says that they are in its text', () => {
  const sql = (query: string, filters?: object) => ({
    kind: 'DataTableNode',
    source: { kind: 'HogQLQuery', query, filters },
  });
  expect(textOf(sql('SELECT 1'))).toBe('dates set in SQL, UTC');
  expect(textOf(sql('SELECT count() FROM events WHERE {filters}'))).toBe('all time, UTC');
  expect(textOf(sql('SELECT count() FROM events WHERE {filters}', { dateRange: { date_from: '-7d' } }))).toBe(
    'last 7 days, UTC',
  );
});

test('a query of another kind has no dates', () => {
  expect(textOf({ kind: 'EventsQuery' })).toBeNull();
});

test('retention begins as many periods ago as it has, whatever its date range begins with', () => {
  const retentionFilter = { period: 'Week', totalIntervals: 8 };
  expect(startOf({ kind: 'RetentionQuery', retentionFilter } as never)).toBe('-8w');
  expect(startOf({ kind: 'RetentionQuery', dateRange: { date_from: '-30d' } } as never)).toBe('-11d');
  expect(startOf({ kind: 'TrendsQuery' } as never)).toBe('-7d');
});
