import { z } from 'zod';
import { laxBoolean, laxInteger } from '../../../http/lax-fields.contract.ts';
import {
  aggregationShape,
  breakdownFilter,
  compareFilter,
  display,
  INSIGHT_NOT_SUPPORTED,
  INSIGHT_WITHOUT_EFFECT,
  insightShape,
  interval,
} from './insight-query.contract.ts';
import { propertyList } from './property-nodes.contract.ts';
import { describe, propertyName } from './query-object.contract.ts';
import {
  exclusion,
  funnelSeries,
  heldProperties,
  lifecycleSeries,
  seriesNode,
  stickinessSeries,
} from './series.contract.ts';

const flag = laxBoolean().nullish();
const count = laxInteger(z.int()).nullish();
const positive = laxInteger(z.int().min(1)).nullish();

/** Display options that several kinds share. */
const SHARED_DISPLAY = ['showLegend', 'legendPosition', 'showValuesOnSeries', 'showAnnotations', 'goalLines'];
const CUSTOMIZED = ['resultCustomizationBy', 'resultCustomizations'];

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

export const funnelsQuery = describe(
  z.looseObject({
    kind: z.literal('FunnelsQuery'),
    ...insightShape,
    ...aggregationShape,
    series: z.array(funnelSeries).min(2),
    interval: interval.nullish(),
    funnelsFilter: describe(
      z.looseObject({
        funnelOrderType: z.enum(['ordered', 'unordered', 'strict']).nullish(),
        funnelVizType: z.enum(['steps', 'time_to_convert', 'trends']).nullish(),
        funnelWindowInterval: positive,
        funnelWindowIntervalUnit: z.enum(['second', 'minute', 'hour', 'day', 'week', 'month']).nullish(),
        exclusions: z.array(exclusion).nullish(),
        breakdownAttributionType: z.enum(['first_touch', 'last_touch', 'all_events', 'step']).nullish(),
        breakdownAttributionValue: count,
        funnelFromStep: count,
        funnelToStep: count,
        binCount: z.union([z.literal('auto'), laxInteger(z.int())]).nullish(),
        funnelAggregateByHogQL: propertyName().nullish(),
        /** Names of event properties that keep the value they had at the first step. */
        holdConstant: heldProperties.nullish(),
        // Read by the console, which shows the shares.
        funnelStepReference: z.enum(['total', 'previous']).nullish(),
        layout: z.enum(['horizontal', 'vertical']).nullish(),
      }),
      {
        name: 'funnelsFilter',
        withoutEffect: [
          ...SHARED_DISPLAY,
          ...CUSTOMIZED,
          'layout',
          'funnelStepReference',
          'hiddenLegendBreakdowns',
          'breakdownSorting',
          'useUdf',
        ],
        notSupported: ['customAggregationTarget', 'hideIncompleteConversionWindowPeriods', 'showTrendLines'],
      },
    ).nullish(),
    breakdownFilter: breakdownFilter.nullish(),
  }),
  {
    name: 'FunnelsQuery',
    withoutEffect: INSIGHT_WITHOUT_EFFECT,
    notSupported: [...INSIGHT_NOT_SUPPORTED, 'compareFilter'],
  },
);

/** The event or action that counts a person in, or back. */
const retentionEntity = describe(
  z.looseObject({
    id: z.union([z.string(), z.number()]).nullish(),
    type: z.enum(['events', 'actions', 'new_entity', 'data_warehouse']).nullish(),
    kind: z.enum(['EventsNode', 'ActionsNode']).nullish(),
    properties: propertyList.nullish(),
  }),
  {
    name: 'entity',
    // What its picker writes: places and names.
    withoutEffect: ['name', 'custom_name', 'order', 'uuid'],
    notSupported: ['table_name', 'timestamp_field', 'aggregation_target_field'],
  },
);

export const retentionQuery = describe(
  z.looseObject({
    kind: z.literal('RetentionQuery'),
    ...insightShape,
    ...aggregationShape,
    retentionFilter: describe(
      z.looseObject({
        period: z.enum(['Hour', 'Day', 'Week', 'Month']).nullish(),
        totalIntervals: positive,
        targetEntity: retentionEntity.nullish(),
        returningEntity: retentionEntity.nullish(),
        retentionType: z
          .enum(['retention_recurring', 'retention_first_time', 'retention_first_ever_occurrence'])
          .nullish(),
        cumulative: flag,
        minimumOccurrences: positive,
        timeWindowMode: z.enum(['strict_calendar_dates', '24_hour_windows']).nullish(),
        retentionCustomBrackets: z.array(laxInteger(z.int().min(1))).nullish(),
        aggregationType: z.enum(['count', 'sum', 'avg']).nullish(),
        aggregationProperty: propertyName().nullish(),
        aggregationPropertyType: z.enum(['event', 'person']).nullish(),
        // Shares are of the answer's counts: how they are shown.
        retentionReference: z.enum(['total', 'previous']).nullish(),
      }),
      {
        name: 'retentionFilter',
        withoutEffect: [
          'retentionReference',
          'meanRetentionCalculation',
          'display',
          'dashboardDisplay',
          'showTrendLines',
          'selectedInterval',
          'goalLines',
          'cohortLabelStartIndex',
        ],
        notSupported: ['customAggregationTarget'],
      },
    ),
    breakdownFilter: breakdownFilter.nullish(),
  }),
  {
    name: 'RetentionQuery',
    withoutEffect: INSIGHT_WITHOUT_EFFECT,
    notSupported: [...INSIGHT_NOT_SUPPORTED, 'compareFilter'],
  },
);
export type RetentionQuery = z.output<typeof retentionQuery>;

export const stickinessQuery = describe(
  z.looseObject({
    kind: z.literal('StickinessQuery'),
    ...insightShape,
    ...aggregationShape,
    series: z.array(stickinessSeries).min(1),
    interval: interval.nullish(),
    intervalCount: positive,
    stickinessFilter: describe(
      z.looseObject({
        computedAs: z.enum(['non_cumulative', 'cumulative']).nullish(),
        stickinessCriteria: describe(
          z.looseObject({ operator: z.enum(['gte', 'lte', 'exact']), value: laxInteger(z.int().min(0)) }),
          { name: 'stickinessCriteria' },
        ).nullish(),
        display: display.nullish(),
      }),
      {
        name: 'stickinessFilter',
        withoutEffect: [
          ...SHARED_DISPLAY,
          ...CUSTOMIZED,
          'display',
          'showMultipleYAxes',
          'hiddenLegendIndexes',
          'hidden_legend_indexes',
        ],
      },
    ).nullish(),
    compareFilter: compareFilter.nullish(),
  }),
  { name: 'StickinessQuery', withoutEffect: INSIGHT_WITHOUT_EFFECT, notSupported: INSIGHT_NOT_SUPPORTED },
);

export const lifecycleQuery = describe(
  z.looseObject({
    kind: z.literal('LifecycleQuery'),
    ...insightShape,
    ...aggregationShape,
    series: z.array(lifecycleSeries).length(1),
    interval: interval.nullish(),
    lifecycleFilter: describe(
      z.looseObject({
        toggledLifecycles: z.array(z.enum(['new', 'returning', 'resurrecting', 'dormant'])).nullish(),
      }),
      {
        name: 'lifecycleFilter',
        withoutEffect: [...SHARED_DISPLAY, 'showPercentagesOnSeries', 'stacked'],
      },
    ).nullish(),
  }),
  {
    name: 'LifecycleQuery',
    withoutEffect: INSIGHT_WITHOUT_EFFECT,
    notSupported: [...INSIGHT_NOT_SUPPORTED, 'customAggregationTarget'],
  },
);

const texts = z.array(z.string());
export const pathRegex = z.string({ error: 'A path cleaning rule requires a regex and an alias' });
/** A rule that cleans the names of pages: what the regular expression finds becomes the alias. */
export const pathRule = describe(
  z.looseObject({
    regex: pathRegex,
    alias: z.string({ error: 'A path cleaning rule requires a regex and an alias' }).nullish(),
    order: laxInteger(z.int()).nullish(),
  }),
  { name: 'path cleaning rule' },
);

export const pathsQuery = describe(
  z.looseObject({
    kind: z.literal('PathsQuery'),
    ...insightShape,
    ...aggregationShape,
    pathsFilter: describe(
      z.looseObject({
        includeEventTypes: texts.nullish(),
        startPoint: z.string().nullish(),
        endPoint: z.string().nullish(),
        excludeEvents: texts.nullish(),
        stepLimit: positive,
        edgeLimit: positive,
        minEdgeWeight: count,
        maxEdgeWeight: count,
        pathGroupings: texts.nullish(),
        localPathCleaningFilters: z.array(pathRule).nullish(),
        pathReplacements: z.union([laxBoolean(), z.array(pathRule)]).nullish(),
        pathsHogQLExpression: propertyName().nullish(),
        pathStartKey: z.string().nullish(),
        pathEndKey: z.string().nullish(),
        pathDropoffKey: z.string().nullish(),
      }),
      { name: 'pathsFilter', withoutEffect: ['showFullUrls'] },
    ).nullish(),
  }),
  {
    name: 'PathsQuery',
    withoutEffect: INSIGHT_WITHOUT_EFFECT,
    notSupported: [...INSIGHT_NOT_SUPPORTED, 'funnelPathsFilter'],
  },
);
export type PathsQuery = z.output<typeof pathsQuery>;
