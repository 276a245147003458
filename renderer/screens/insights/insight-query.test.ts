import { describe, expect, test } from 'vitest';
import { KINDS, problemOfQuery } from '../../insights/kinds.ts';
import { emptyInsightQuery, insightQueryOfText, turnedInto, withSpan, zoomedInto } from './insight-query.ts';

const looked = { kind: 'EventsNode', event: 'looked' } as const;

describe('a query', () => {
  test.each(['', '{', 'null', '[]', '{"kind":"HogQLQuery"}', '{"kind":"TrendsQuery","series":1}', undefined])(
    'is not read from a URL with %j',
    (text) => expect(insightQueryOfText(text)).toBeNull(),
  );

  test.each(KINDS.map(({ id }) => id))('keeps its filters and dates when changed to a %s', (kind) => {
    const properties = [{ type: 'event' as const, key: 'plan', operator: 'exact', value: 'Solo' }];
    const dateRange = { date_from: '-90d' };
    const turned = turnedInto(kind, { ...emptyInsightQuery(), properties, dateRange });
    expect(turned).toMatchObject({ kind, properties, dateRange });
  });

  test('of a funnel loses its days of the week and held properties when changed to another kind', () => {
    const funnel = {
      kind: 'FunnelsQuery',
      series: [{ ...looked, holdConstant: ['plan'], optionalInFunnel: true }, looked],
      dateRange: { date_from: '-90d', daysOfWeek: [1, 2] },
      funnelsFilter: { holdConstant: ['plan'] },
    };
    for (const { id } of KINDS.filter(({ id }) => id !== 'FunnelsQuery')) {
      const turned = turnedInto(id, funnel);
      expect(turned.dateRange).toEqual({ date_from: '-90d' });
      expect(JSON.stringify(turned)).not.toMatch(/holdConstant|optionalInFunnel/);
    }
  });

  test('keeps the other fields of its date range when dates are chosen, without exact moments', () => {
    const kept = { daysOfWeek: [1, 2], excludeIncompletePeriods: true };
    const dateRange = {
      date_from: '2026-11-01T10:00',
      date_to: '2026-11-02T10:00',
      explicitDate: true,
      ...kept,
    };
    const stored = { kind: 'FunnelsQuery', interval: 'day', dateRange };
    expect(withSpan(stored, { from: '-7d', to: null }).dateRange).toEqual({ ...kept, date_from: '-7d' });
    const ended = withSpan(stored, { from: '2026-11-01', to: '2026-11-15' });
    expect(ended.dateRange).toEqual({ ...kept, date_from: '2026-11-01', date_to: '2026-11-15' });
    expect(withSpan({ kind: 'TrendsQuery' }, { from: '-7d', to: null }).dateRange).toEqual({
      date_from: '-7d',
    });
  });

  test('reports what is missing', () => {
    expect(problemOfQuery({ kind: 'FunnelsQuery', series: [looked] })).toMatch(/two steps/);
    expect(problemOfQuery({ kind: 'TrendsQuery', series: [{ ...looked, math: 'sum' }] })).toMatch(/looked/);
    expect(problemOfQuery(emptyInsightQuery())).toBe('');
  });
});

test.each([
  ['day', '2026-11-09', '2026-11-12', { date_from: '2026-11-09', date_to: '2026-11-12' }],
  ['week', '2026-11-01', '2026-11-08', { date_from: '2026-11-01', date_to: '2026-11-14' }],
  ['month', '2026-10-01', '2026-11-01', { date_from: '2026-10-01', date_to: '2026-11-30' }],
  [
    'hour',
    '2026-11-09 08:00:00',
    '2026-11-09 23:00:00',
    { date_from: '2026-11-09T08:00:00', date_to: '2026-11-09T23:59:59', explicitDate: true },
  ],
])('a range of a chart by %s from %s to %s has both intervals whole', (interval, from, to, dateRange) => {
  const query = { ...emptyInsightQuery(), interval, dateRange: { date_from: '-30d', explicitDate: false } };
  expect(zoomedInto(query, from, to).dateRange).toEqual(dateRange);
});
