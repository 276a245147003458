import { describe, expect, test } from 'vitest';
import { KINDS, problemOfQuery } from '../../insights/kinds.ts';
import { emptyInsightQuery, insightQueryOfText, turnedInto } from './insight-query.ts';

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

  test('reports what is missing', () => {
    expect(problemOfQuery({ kind: 'FunnelsQuery', series: [looked] })).toMatch(/two steps/);
    expect(problemOfQuery({ kind: 'TrendsQuery', series: [{ ...looked, math: 'sum' }] })).toMatch(/looked/);
    expect(problemOfQuery(emptyInsightQuery())).toBe('');
  });
});
