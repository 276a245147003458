import { ChartLine } from '@lucide/vue';
import type { InsightKind } from '../insight-kind.ts';
import { nameOfSeries, type Question } from '../question.ts';
import { drawnAsLines, TREND_OPTIONS } from './lines.ts';
import { problemOfMath } from './maths.ts';
import { pictureOf } from './trend-lines.ts';
import { TREND_SHAPES, trendShapeOf, withTrendShape, type TrendShape } from './trend-shapes.ts';

export const trends: InsightKind = {
  id: 'TrendsQuery',
  name: 'trends',
  label: 'Trends',
  noun: 'Trend',
  icon: ChartLine,
  series: 'counted',
  breakdown: 'full',
  countsByMath: true,
  hasSmoothing: (question) => pictureOf(question) === 'chart',
  canCompare: true,
  hasInterval: () => true,
  chartTypes: {
    choices: TREND_SHAPES,
    of: trendShapeOf,
    with: (question, id) => withTrendShape(question, id as TrendShape),
  },
  hasTileSettings: true,
  problemOf: problemOfMath,
  // The number of a formula is made of several series.
  hasActors: ({ trendsFilter }) =>
    !trendsFilter?.formula && !(trendsFilter?.['formulas'] as unknown[] | undefined)?.length,
  turn: ({ shared, series, interval, breakdown }): Question => ({
    kind: 'TrendsQuery',
    ...shared,
    series,
    interval,
    ...breakdown,
  }),
  ...drawnAsLines((question) => nameOfSeries(question), TREND_OPTIONS),
};
