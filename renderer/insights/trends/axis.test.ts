import { expect, test } from 'vitest';
import type { InsightQuery } from '../insight-query.ts';
import { axisOf, withAxisField } from './axis.ts';
import { canCompareTrend, withTrendShape } from './trend-shapes.ts';

const trend = (trendsFilter: InsightQuery['trendsFilter'] = {}): InsightQuery => ({
  kind: 'TrendsQuery',
  trendsFilter,
});

test('the axis of a trend is read from its stored fields, whatever type they have', () => {
  const { format, isLog, goals } = axisOf(
    trend({
      aggregationAxisFormat: 'currency',
      aggregationAxisPrefix: '€',
      yAxisScaleType: 'log10',
      goalLines: [{ label: '', value: 60_000 }, { label: 'no value' }, null],
    }),
  );
  expect([format.tick(60_000), isLog, goals]).toEqual(['€60k', true, [{ label: 'Goal', value: 60_000 }]]);
  const odd = axisOf(trend({ aggregationAxisPrefix: 3, goalLines: 'none', decimalPlaces: 'x' }));
  expect([odd.format.full(1.234), odd.isLog, odd.goals]).toEqual(['1.23', false, []]);
});

test('an empty field of an axis is removed from the query, and others stay', () => {
  const query = withAxisField(trend({ display: 'ActionsBar' }), 'aggregationAxisPostfix', ' ms');
  expect(query.trendsFilter).toEqual({ display: 'ActionsBar', aggregationAxisPostfix: ' ms' });
  expect(withAxisField(query, 'aggregationAxisPostfix', '').trendsFilter).toEqual({ display: 'ActionsBar' });
  expect(withAxisField(trend({ goalLines: [] }), 'goalLines', []).trendsFilter).toEqual({});
});

test.each(['BoxPlot', 'CalendarHeatmap'] as const)('a %s offers no comparison and drops one', (display) => {
  const compared = { ...trend(), compareFilter: { compare: true } };
  expect(withTrendShape(compared, display)).not.toHaveProperty('compareFilter');
  expect(canCompareTrend(trend({ display }))).toBe(false);
  // A stored one can be removed.
  expect(canCompareTrend({ ...compared, trendsFilter: { display } })).toBe(true);
  expect(withTrendShape(compared, 'ActionsBar')).toHaveProperty('compareFilter');
});
