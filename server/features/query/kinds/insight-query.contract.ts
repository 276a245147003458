import { z } from 'zod';
import { propertyNodes } from './property-nodes.contract.ts';

export const INTERVALS = ['minute', 'hour', 'day', 'week', 'month'] as const;
export const interval = z.enum(INTERVALS);

/** How a chart shows its numbers. */
export const DISPLAYS = [
  'ActionsLineGraph',
  'ActionsLineGraphCumulative',
  'ActionsAreaGraph',
  'ActionsBar',
  'ActionsStackedBar',
  'ActionsUnstackedBar',
  'ActionsBarValue',
  'ActionsPie',
  'ActionsTable',
  'BoldNumber',
  'WorldMap',
  'CalendarHeatmap',
  'TwoDimensionalHeatmap',
  'BoxPlot',
  'Auto',
] as const;
export const display = z.enum(DISPLAYS);

/** ISO dates, relative ones such as `-7d`, or `all`; null as the end is now. */
export const dateRange = z.looseObject({
  date_from: z.string().nullish(),
  date_to: z.string().nullish(),
  explicitDate: z.boolean().nullish(),
});

const breakdownValue = z.union([z.string(), z.int(), z.array(z.union([z.string(), z.int()]))]);

export const breakdownFilter = z.looseObject({
  breakdown: breakdownValue.nullish(),
  breakdown_type: z.string().nullish(),
  breakdown_limit: z.int().min(1).nullish(),
  breakdown_group_type_index: z.int().min(0).max(4).nullish(),
  breakdown_normalize_url: z.boolean().nullish(),
  breakdown_histogram_bin_count: z.int().min(1).nullish(),
  breakdown_hide_other_aggregation: z.boolean().nullish(),
  breakdowns: z
    .array(z.looseObject({ property: z.union([z.string(), z.int()]), type: z.string().nullish() }))
    .nullish(),
});

export const compareFilter = z.looseObject({
  compare: z.boolean().nullish(),
  compare_to: z.string().nullish(),
});

/** What the queries that draw insights have in common (management contract 9.9). */
export const insightShape = {
  dateRange: dateRange.nullish(),
  properties: propertyNodes.nullish(),
  filterTestAccounts: z.boolean().nullish(),
  samplingFactor: z.number().nullish(),
  aggregation_group_type_index: z.int().min(0).max(4).nullish(),
  modifiers: z.looseObject({}).nullish(),
  version: z.number().nullish(),
};
