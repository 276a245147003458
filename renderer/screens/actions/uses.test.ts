import { expect, test } from 'vitest';
import type { BasicInsightJson as Insight } from '../../../server/features/insights/insights.contract.ts';
import { insightsUsing } from './uses.ts';

const insight = (id: number, source: object) =>
  ({ id, query: { kind: 'InsightVizNode', source } }) as unknown as Insight;

test('an insight uses an action as a series, as a funnel step, or as a retention entity', () => {
  const insights = [
    insight(1, { kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 4 }] }),
    insight(2, { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: '4', id: 4 }] }),
    insight(3, { kind: 'RetentionQuery', retentionFilter: { targetEntity: { type: 'actions', id: '4' } } }),
    insight(5, { kind: 'TrendsQuery', series: [{ kind: 'ActionsNode', id: 5 }] }),
    { id: 6, query: null } as unknown as Insight,
  ];
  expect(insightsUsing(4, insights).map(({ id }) => id)).toEqual([1, 3]);
});
