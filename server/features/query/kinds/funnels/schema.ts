import { z, type output } from 'zod';
import { laxBoolean, laxInteger } from '../../../../http/lax-fields.contract.ts';
import {
  seriesOf,
  seriesOrGroupOf,
  PERSONS,
  compareFilter,
  dateRangeOfDays,
  UNUSED,
  describe,
  aggregationShape,
  breakdownFilter,
  INSIGHT_NOT_SUPPORTED,
  INSIGHT_WITHOUT_EFFECT,
  insightShape,
  interval,
  count,
  positive,
  SHARED_DISPLAY,
  CUSTOMIZED,
  breakdownValue,
} from '../../node-schema.ts';
import {
  breakdownFields,
  seriesNodeOf,
  seriesFields,
  isFields,
  listOf,
  renamed,
  renamedPlain,
  within,
  type Fields,
} from '../../legacy-filters.ts';

/** Names of event properties that keep the value they had at the first step. */
const heldProperties = z.array(z.string(), { error: 'It must be a list of event property names' });
/** A person's first event ever, of the step's event or action, or of those that fit its filters too. */
export const FIRST_TIMES = ['first_time_for_user', 'first_time_for_user_with_filters'] as const;
const funnelSeries = seriesOrGroupOf([...PERSONS, ...FIRST_TIMES], {
  unused: UNUSED,
  alone: { optionalInFunnel: laxBoolean().nullish(), holdConstant: heldProperties.nullish() },
});
/** A step whose events between two steps of a funnel void the attempt. */
const exclusion = seriesOf(PERSONS, {
  unused: [...UNUSED, 'custom_name'],
  alone: { funnelFromStep: laxInteger(z.int().min(0)), funnelToStep: laxInteger(z.int().min(0)) },
});

export const funnelsQuery = describe(
  z.looseObject({
    kind: z.literal('FunnelsQuery'),
    ...insightShape,
    dateRange: dateRangeOfDays.nullish(),
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
        funnelAggregateByHogQL: z.string().nullish(),
        /** Names of event properties that keep the value they had at the first step. */
        holdConstant: heldProperties.nullish(),
        /** Over time, leaves out intervals in which attempts began that may still convert. */
        hideIncompleteConversionWindowPeriods: laxBoolean().nullish(),
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
        notSupported: ['customAggregationTarget', 'showTrendLines'],
      },
    ).nullish(),
    breakdownFilter: breakdownFilter.nullish(),
    compareFilter: compareFilter.nullish(),
  }),
  {
    name: 'FunnelsQuery',
    withoutEffect: INSIGHT_WITHOUT_EFFECT,
    notSupported: INSIGHT_NOT_SUPPORTED,
  },
);

export type FunnelsQuery = output<typeof funnelsQuery>;

export function funnelsSource(filters: Fields): Fields {
  const exclusions = listOf(filters['exclusions']).filter(isFields).map(exclusionOf);
  return {
    kind: 'FunnelsQuery',
    ...seriesFields(filters, { maths: new Set<string>(FIRST_TIMES), other: null }),
    ...within('funnelsFilter', {
      ...renamed(filters, {
        funnel_viz_type: 'funnelVizType',
        funnel_order_type: 'funnelOrderType',
        funnel_window_interval_unit: 'funnelWindowIntervalUnit',
        funnel_step_reference: 'funnelStepReference',
        breakdown_attribution_type: 'breakdownAttributionType',
        layout: 'layout',
        funnel_aggregate_by_hogql: 'funnelAggregateByHogQL',
      }),
      ...renamedPlain(filters, {
        // The older name, whose unit is always days; the newer one wins.
        funnel_window_days: 'funnelWindowInterval',
        funnel_window_interval: 'funnelWindowInterval',
        breakdown_attribution_value: 'breakdownAttributionValue',
        funnel_from_step: 'funnelFromStep',
        funnel_to_step: 'funnelToStep',
        bin_count: 'binCount',
      }),
      ...(exclusions.length === 0 ? {} : { exclusions }),
    }),
    ...breakdownFields(filters),
  };
}

function exclusionOf(exclusion: Fields): Fields {
  const steps = { funnel_from_step: 'funnelFromStep', funnel_to_step: 'funnelToStep' };
  return {
    ...seriesNodeOf(exclusion, exclusion['type'] === 'actions', null),
    ...renamedPlain(exclusion, steps),
  };
}

/**
 * Picks actors who took a step, from 1; negative: who took the one before and not this one. Over time, those who began in the
 * interval and converted, or (`funnelTrendsDropOff`) did not.
 */
export const funnelsPoint = {
  funnelStep: laxInteger(z.int()).nullish(),
  /** The last steps that persons took, in place of `funnelStep`. */
  funnelCustomSteps: z.array(laxInteger(z.int())).nullish(),
  funnelStepBreakdown: breakdownValue(),
  funnelTrendsEntrancePeriodStart: z.string().nullish(),
  funnelTrendsDropOff: laxBoolean().nullish(),
};
