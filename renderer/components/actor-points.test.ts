import { expect, test } from 'vitest';
import { circumstancesOf, eventsBehind, neighborsOf, otherHalfOf, sentenceOf } from './actor-points.ts';

const NOW = Date.parse('2026-11-19T13:32:00Z');
const series = ['user signed up', 'task created', 'task completed'].map((event) => ({
  kind: 'EventsNode' as const,
  event,
}));
const funnel = (funnelStep: number, more: object = {}) => ({
  title: 'Dropped off',
  source: {
    kind: 'FunnelsActorsQuery',
    source: { kind: 'FunnelsQuery', series, dateRange: { date_from: '-30d' } },
    funnelStep,
    ...more,
  },
});
const trend = (more: object = {}, query: object = {}) => ({
  title: 'user signed up, Thu, 5 Nov',
  source: {
    kind: 'InsightActorsQuery',
    source: { kind: 'TrendsQuery', series, interval: 'day', dateRange: { date_from: '-30d' }, ...query },
    series: 0,
    ...more,
  },
});

test('the title is a sentence with the total', () => {
  expect(sentenceOf(funnel(-2), 252, 'person')).toBe('252 persons who dropped off before “task created”');
  expect(sentenceOf(funnel(3), 1, 'person')).toBe('1 person who converted to “task completed”');
  expect(sentenceOf(funnel(1), 3, 'session')).toBe('3 sessions that entered with “user signed up”');
  expect(sentenceOf(trend(), 41, 'person')).toBe('41 persons who did “user signed up”');
  expect(sentenceOf(trend({ series: 7 }), 41, 'group')).toBe('41 groups: user signed up, Thu, 5 Nov');
});

test('below it are the dates, the value of the breakdown and the period', () => {
  expect(circumstancesOf(funnel(-2, { funnelStepBreakdown: ['Web'] }), NOW)).toBe('Last 30 days · Web');
  expect(circumstancesOf(trend({ day: '2026-11-05', compare: 'previous' }), NOW)).toBe(
    'Thu 5 Nov · previous period',
  );
  expect(circumstancesOf(trend({ breakdown: '$$_posthog_breakdown_null_$$' }), NOW)).toBe(
    'Last 30 days · (none)',
  );
});

test('beside a step of a funnel are the other steps, of who came to them or who did not', () => {
  const stepOf = (point: ReturnType<typeof neighborsOf>['before']) => point?.source['funnelStep'] ?? null;
  const around = (step: number) => Object.values(neighborsOf(funnel(step), [])).map(stepOf);
  expect([around(1), around(3), around(-2), around(-3)]).toEqual([
    [null, 2],
    [2, null],
    [null, -3],
    [-2, null],
  ]);
  expect(otherHalfOf(funnel(-2))?.source['funnelStep']).toBe(2);
  expect(otherHalfOf(funnel(1))).toBeNull();
});

test('beside an interval are the intervals of the chart', () => {
  const days = ['2026-11-04', '2026-11-05'];
  const { before, after } = neighborsOf(trend({ day: '2026-11-05' }), days);
  expect([before?.source['day'], after]).toEqual(['2026-11-04', null]);
  expect(neighborsOf(trend({ day: '2026-01-01' }), days)).toEqual({ before: null, after: null });
});

test('the events behind an interval are those that were counted in it', () => {
  const filter = { type: 'event' as const, key: 'plan', operator: 'exact', value: ['pro'] };
  expect(eventsBehind(trend({ day: '2026-11-05' }, { properties: [filter] }))).toEqual({
    after: '2026-11-05',
    before: '2026-11-05T23:59:59.999',
    events: ['user signed up'],
    properties: [filter],
  });
  expect(eventsBehind(trend({ day: '2026-11-05 10:00:00' }, { interval: 'hour' }))).toMatchObject({
    after: '2026-11-05 10:00:00',
    before: '2026-11-05 11:00:00',
  });
});

test('the events behind a step, and behind a part of a breakdown, are those of its actors', () => {
  const point = funnel(-2);
  expect(eventsBehind(point)).toEqual({ source: point.source, after: '-30d', before: null });
  const part = trend({ breakdown: 'Firefox' });
  expect(eventsBehind(part)).toEqual({ source: part.source, after: '-30d', before: null });
});

test('the points beside a cell of retention are those that the picture names', () => {
  const cell = (place: number): Parameters<typeof neighborsOf>[0] => ({
    title: `Week ${place}`,
    source: { kind: 'InsightActorsQuery', source: { kind: 'RetentionQuery' }, interval: 0, day: place },
    beside: (by) => (place + by < 0 ? null : cell(place + by)),
  });
  const { before, after } = neighborsOf(cell(0), []);
  expect([before, after?.title]).toEqual([null, 'Week 1']);
});
