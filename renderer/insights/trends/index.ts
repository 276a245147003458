import { ChartLine } from '@lucide/vue';
import type { InsightKind } from '../insight-kind.ts';
import { nameOfSeries, type InsightQuery } from '../insight-query.ts';
import { drawnAsLines, TREND_OPTIONS } from './lines.ts';
import { problemOfMath } from './maths.ts';
import { pictureOf } from './trend-lines.ts';
import {
  canCompareTrend,
  TREND_SHAPES,
  trendShapeOf,
  withTrendShape,
  type TrendShape,
} from './trend-shapes.ts';

export const trends: InsightKind = {
  id: 'TrendsQuery',
  name: 'trends',
  label: 'Trends',
  noun: 'Trend',
  icon: ChartLine,
  series: 'counted',
  breakdown: 'full',
  countsByMath: true,
  hasSmoothing: (insightQuery) => pictureOf(insightQuery) === 'chart',
  canCompare: canCompareTrend,
  hasInterval: (insightQuery) => pictureOf(insightQuery) !== 'heatmap',
  chartTypes: {
    choices: TREND_SHAPES,
    of: trendShapeOf,
    with: (insightQuery, id) => withTrendShape(insightQuery, id as TrendShape),
  },
  hasTileSettings: true,
  problemOf: problemOfMath,
  // The number of a formula is computed from several series.
  hasActors: ({ trendsFilter, ...rest }) =>
    !['heatmap', 'boxes'].includes(pictureOf({ ...rest, trendsFilter })) &&
    !trendsFilter?.formula &&
    !(trendsFilter?.['formulas'] as unknown[] | undefined)?.length,
  turn: ({ shared, series, interval, breakdown }): InsightQuery => ({
    kind: 'TrendsQuery',
    ...shared,
    series,
    interval,
    ...breakdown,
  }),
  ...drawnAsLines((insightQuery) => nameOfSeries(insightQuery), TREND_OPTIONS),
};
