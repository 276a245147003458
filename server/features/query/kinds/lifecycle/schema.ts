import {
  seriesOrGroupOf,
  PERSONS,
  UNUSED,
  describe,
  aggregationShape,
  INSIGHT_NOT_SUPPORTED,
  INSIGHT_WITHOUT_EFFECT,
  insightShape,
  interval,
  SHARED_DISPLAY,
} from '../../node-schema.ts';
import { z, type output } from 'zod';
import { seriesFields, listOf, renamedPlain, within, type Fields } from '../../legacy-filters.ts';

const lifecycleSeries = seriesOrGroupOf(PERSONS, { unused: UNUSED, alone: {} });

export const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const;

export const lifecycleQuery = describe(
  z.looseObject({
    kind: z.literal('LifecycleQuery'),
    ...insightShape,
    ...aggregationShape,
    series: z
      .array(lifecycleSeries)
      .min(1, { error: 'Lifecycle insights require at least one series.' })
      .max(1),
    interval: interval.nullish(),
    lifecycleFilter: describe(
      z.looseObject({
        toggledLifecycles: z.array(z.enum(STATUSES)).nullish(),
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

export type LifecycleQuery = output<typeof lifecycleQuery>;

export function lifecycleSource(filters: Fields): Fields {
  const toggled = listOf(filters['toggledLifecycles']);
  return {
    kind: 'LifecycleQuery',
    // It has one; filters carry the series of other kinds along.
    ...seriesFields(filters, null, 1),
    ...within('lifecycleFilter', {
      ...(toggled.length === 0 ? {} : { toggledLifecycles: toggled }),
      ...renamedPlain(filters, { show_values_on_series: 'showValuesOnSeries' }),
    }),
  };
}

/** Picks the actors of one status. */
export const lifecyclePoint = { status: z.enum(STATUSES).nullish() };
