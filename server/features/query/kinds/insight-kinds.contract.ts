import { z } from 'zod';
import { breakdownFilter, compareFilter, display, insightShape, interval } from './insight-query.contract.ts';
import { propertyList } from './property-nodes.contract.ts';
import { seriesNode } from './series.contract.ts';

const series = z.array(seriesNode).min(1);
const flag = z.boolean().nullish();
const count = z.int().nullish();

export const trendsQuery = z.looseObject({
  kind: z.literal('TrendsQuery'),
  ...insightShape,
  series,
  interval: interval.nullish(),
  trendsFilter: z
    .looseObject({
      display: display.nullish(),
      formula: z.string().nullish(),
      formulas: z.array(z.string()).nullish(),
      showLegend: flag,
      smoothingIntervals: count,
    })
    .nullish(),
  breakdownFilter: breakdownFilter.nullish(),
  compareFilter: compareFilter.nullish(),
  // Numbers that leave it out would be those of another question.
  conversionGoal: z.null({ error: 'It is not available, as a trend has no goal' }).optional(),
});

/** A step whose events between two steps of a funnel void the attempt. */
const exclusion = z.intersection(
  seriesNode,
  z.looseObject({ funnelFromStep: z.int().min(0), funnelToStep: z.int().min(0) }),
);

export const funnelsQuery = z.looseObject({
  kind: z.literal('FunnelsQuery'),
  ...insightShape,
  series: z.array(seriesNode).min(2),
  interval: interval.nullish(),
  funnelsFilter: z
    .looseObject({
      funnelOrderType: z.enum(['ordered', 'unordered', 'strict']).nullish(),
      funnelVizType: z.enum(['steps', 'time_to_convert', 'trends']).nullish(),
      funnelWindowInterval: z.int().min(1).nullish(),
      funnelWindowIntervalUnit: z.enum(['second', 'minute', 'hour', 'day', 'week', 'month']).nullish(),
      funnelStepReference: z.enum(['total', 'previous']).nullish(),
      exclusions: z.array(exclusion).nullish(),
      breakdownAttributionType: z.enum(['first_touch', 'last_touch', 'all_events', 'step']).nullish(),
      breakdownAttributionValue: count,
      layout: z.enum(['horizontal', 'vertical']).nullish(),
      funnelFromStep: count,
      funnelToStep: count,
    })
    .nullish(),
  breakdownFilter: breakdownFilter.nullish(),
});

/** The event or action that counts a person in, or back. */
const retentionEntity = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  type: z.enum(['events', 'actions', 'new_entity', 'data_warehouse']).nullish(),
  name: z.string().nullish(),
  kind: z.enum(['EventsNode', 'ActionsNode']).nullish(),
  properties: propertyList.nullish(),
});

export const retentionQuery = z.looseObject({
  kind: z.literal('RetentionQuery'),
  ...insightShape,
  retentionFilter: z.looseObject({
    period: z.enum(['Hour', 'Day', 'Week', 'Month']).nullish(),
    totalIntervals: z.int().min(1).nullish(),
    targetEntity: retentionEntity.nullish(),
    returningEntity: retentionEntity.nullish(),
    retentionType: z
      .enum(['retention_recurring', 'retention_first_time', 'retention_first_ever_occurrence'])
      .nullish(),
    retentionReference: z.enum(['total', 'previous']).nullish(),
    cumulative: flag,
    minimumOccurrences: z.int().min(1).nullish(),
    timeWindowMode: z.enum(['strict_calendar_dates', '24_hour_windows']).nullish(),
    retentionCustomBrackets: z.array(z.int().min(1)).nullish(),
    aggregationType: z.enum(['count', 'sum', 'avg']).nullish(),
    aggregationProperty: z.string().nullish(),
    aggregationPropertyType: z.enum(['event', 'person']).nullish(),
    showTrendLines: flag,
  }),
  breakdownFilter: breakdownFilter.nullish(),
});
export type RetentionQuery = z.output<typeof retentionQuery>;

export const stickinessQuery = z.looseObject({
  kind: z.literal('StickinessQuery'),
  ...insightShape,
  series,
  interval: interval.nullish(),
  intervalCount: z.int().min(1).nullish(),
  stickinessFilter: z
    .looseObject({
      display: display.nullish(),
      computedAs: z.enum(['non_cumulative', 'cumulative']).nullish(),
      stickinessCriteria: z
        .looseObject({ operator: z.enum(['gte', 'lte', 'exact']), value: z.int().min(0) })
        .nullish(),
    })
    .nullish(),
  compareFilter: compareFilter.nullish(),
});

export const lifecycleQuery = z.looseObject({
  kind: z.literal('LifecycleQuery'),
  ...insightShape,
  series: z.array(seriesNode).length(1),
  interval: interval.nullish(),
  lifecycleFilter: z
    .looseObject({
      toggledLifecycles: z.array(z.enum(['new', 'returning', 'resurrecting', 'dormant'])).nullish(),
    })
    .nullish(),
});

const texts = z.array(z.string());

export const pathsQuery = z.looseObject({
  kind: z.literal('PathsQuery'),
  ...insightShape,
  pathsFilter: z
    .looseObject({
      includeEventTypes: texts.nullish(),
      startPoint: z.string().nullish(),
      endPoint: z.string().nullish(),
      excludeEvents: texts.nullish(),
      stepLimit: z.int().min(1).nullish(),
      edgeLimit: z.int().min(1).nullish(),
      minEdgeWeight: count,
      maxEdgeWeight: count,
      pathGroupings: texts.nullish(),
      localPathCleaningFilters: z.array(z.looseObject({})).nullish(),
    })
    .nullish(),
});
export type PathsQuery = z.output<typeof pathsQuery>;
