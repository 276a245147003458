import { z, type output } from 'zod';
import {
  describe,
  breakdownFilter,
  compareFilter,
  display,
  INSIGHT_NOT_SUPPORTED,
  INSIGHT_WITHOUT_EFFECT,
  insightShape,
  interval,
  seriesNode,
  count,
  SHARED_DISPLAY,
  CUSTOMIZED,
} from '../../node-schema.ts';
import {
  breakdownFields,
  seriesFields,
  displayFields,
  compareFields,
  renamed,
  renamedPlain,
  within,
  type Fields,
} from '../../legacy-filters.ts';

const formulaNode = describe(z.looseObject({ formula: z.string(), custom_name: z.string().nullish() }), {
  name: 'formula',
});

export const trendsQuery = describe(
  z.looseObject({
    kind: z.literal('TrendsQuery'),
    ...insightShape,
    series: z.array(seriesNode).min(1),
    interval: interval.nullish(),
    trendsFilter: describe(
      z.looseObject({
        display: display.nullish(),
        formula: z.string().nullish(),
        formulas: z.array(z.string()).nullish(),
        formulaNodes: z.array(formulaNode).nullish(),
        smoothingIntervals: count,
      }),
      {
        name: 'trendsFilter',
        withoutEffect: [
          ...SHARED_DISPLAY,
          ...CUSTOMIZED,
          'aggregationAxisFormat',
          'aggregationAxisPrefix',
          'aggregationAxisPostfix',
          'decimalPlaces',
          'minDecimalPlaces',
          'xAxisLabel',
          'yAxisLabel',
          'showLabelsOnSeries',
          'showPercentStackView',
          'stackBreakdownValues',
          'yAxisScaleType',
          'showMultipleYAxes',
          'hiddenLegendIndexes',
          'hidden_legend_indexes',
          'showAlertThresholdLines',
          'excludeBoxPlotOutliers',
          'metricShowChange',
          'metricChangeIncreaseColor',
          'metricChangeDecreaseColor',
          'metricColorByDirection',
          'metricLineIncreaseColor',
          'metricLineDecreaseColor',
        ],
        notSupported: [
          'breakdown_histogram_bin_count',
          'excludeIncompletePeriods',
          'showConfidenceIntervals',
          'confidenceLevel',
          'showTrendLines',
          'showMovingAverage',
          'movingAverageIntervals',
          'detailedResultsAggregationType',
          'hideWeekends',
          'metricSummary',
        ],
      },
    ).nullish(),
    breakdownFilter: breakdownFilter.nullish(),
    compareFilter: compareFilter.nullish(),
    // Numbers that leave it out would be those of another question.
    conversionGoal: z.null({ error: 'It is not available, as a trend has no goal' }).optional(),
  }),
  {
    name: 'TrendsQuery',
    withoutEffect: INSIGHT_WITHOUT_EFFECT,
    notSupported: [...INSIGHT_NOT_SUPPORTED, 'aggregation_group_type_index'],
  },
);

export type TrendsQuery = output<typeof trendsQuery>;

export function trendsSource(filters: Fields): Fields {
  return {
    kind: 'TrendsQuery',
    ...seriesFields(filters, 'all'),
    ...within('trendsFilter', {
      ...displayFields(filters),
      ...renamed(filters, {
        formula: 'formula',
        aggregation_axis_format: 'aggregationAxisFormat',
        aggregation_axis_prefix: 'aggregationAxisPrefix',
        aggregation_axis_postfix: 'aggregationAxisPostfix',
      }),
      ...renamedPlain(filters, {
        smoothing_intervals: 'smoothingIntervals',
        show_legend: 'showLegend',
        show_values_on_series: 'showValuesOnSeries',
      }),
    }),
    ...breakdownFields(filters),
    ...compareFields(filters),
  };
}
