import { z } from 'zod';
import { laxBoolean, laxInteger, laxNumber } from '../../../http/lax-fields.contract.ts';
import { propertyNodes } from './property-nodes.contract.ts';
import { describe, ON_EVERY_NODE, propertyName, refusing } from './query-object.contract.ts';

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
/** Displays of PostHog that need an answer of their own, or that belong to SQL. */
const DISPLAYS_NOT_SUPPORTED: ReadonlySet<unknown> = new Set([
  'CalendarHeatmap',
  'TwoDimensionalHeatmap',
  'BoxPlot',
]);
export const display = refusing(z.enum(DISPLAYS), (value) => DISPLAYS_NOT_SUPPORTED.has(value));

/** Texts of dates; who reads them says which are none. */
export const dateFrom = z.string();
export const dateTo = z.string();
export const compareTo = z.string();

/** ISO dates, relative ones such as `-7d`, or `all`; null as the end is now. */
export const dateRange = describe(
  z.looseObject({
    date_from: dateFrom.nullish(),
    date_to: dateTo.nullish(),
    explicitDate: laxBoolean().nullish(),
  }),
  { name: 'dateRange', notSupported: ['excludeIncompletePeriods', 'interval'] },
);

const groupTypeIndex = laxInteger(z.int().min(0).max(4)).nullish();
const breakdownKey = z.union([propertyName(), z.int()]);

const breakdownItem = describe(
  z.looseObject({
    property: breakdownKey,
    type: z.string().nullish(),
    group_type_index: groupTypeIndex,
    normalize_url: laxBoolean().nullish(),
    histogram_bin_count: laxInteger(z.int()).nullish(),
  }),
  { name: 'breakdown' },
);

export const breakdownFilter = describe(
  z.looseObject({
    breakdown: z.union([breakdownKey, z.array(breakdownKey)]).nullish(),
    breakdown_type: z.string().nullish(),
    breakdown_limit: laxInteger(z.int().min(1)).nullish(),
    breakdown_group_type_index: groupTypeIndex,
    breakdown_normalize_url: laxBoolean().nullish(),
    breakdown_histogram_bin_count: laxInteger(z.int().min(1)).nullish(),
    breakdown_hide_other_aggregation: laxBoolean().nullish(),
    breakdowns: z.array(breakdownItem).nullish(),
  }),
  { name: 'breakdownFilter', notSupported: ['breakdown_path_cleaning', 'breakdown_value'] },
);

export const compareFilter = describe(
  z.looseObject({ compare: laxBoolean().nullish(), compare_to: compareTo.nullish() }),
  { name: 'compareFilter' },
);

/** What the queries that draw insights have in common (management contract 9.9). */
export const insightShape = {
  dateRange: dateRange.nullish(),
  properties: propertyNodes.nullish(),
  filterTestAccounts: laxBoolean().nullish(),
  samplingFactor: laxNumber(z.number()).nullish(),
};

/** Whom those count that do not say it by their math. */
export const aggregationShape = { aggregation_group_type_index: groupTypeIndex };

/** Fields that all of them accept without effect: colours are those of the console. */
export const INSIGHT_WITHOUT_EFFECT = [...ON_EVERY_NODE, 'dataColorTheme'];
/** What PostHog has for all of them, or for others of them. */
export const INSIGHT_NOT_SUPPORTED = ['excludeIncompletePeriods', 'conversionGoal', 'calendarHeatmapFilter'];
