import {
  seriesOrGroupOf,
  OF_PROPERTIES,
  describe,
  aggregationShape,
  compareFilter,
  display,
  INSIGHT_NOT_SUPPORTED,
  INSIGHT_WITHOUT_EFFECT,
  insightShape,
  interval,
  SHARED_DISPLAY,
  CUSTOMIZED,
} from '../../node-schema.ts';
import { z, type output } from 'zod';
import { laxInteger } from '../../../../http/lax-fields.contract.ts';
import {
  type CountedBy,
  seriesFields,
  displayFields,
  compareFields,
  renamedPlain,
  within,
  type Fields,
} from '../../legacy-filters.ts';

/** Stickiness counts persons, groups or the values of an expression, however their events are counted elsewhere. */
const stickinessSeries = seriesOrGroupOf(
  ['total', 'dau', 'weekly_active', 'monthly_active', 'unique_group', 'hogql'],
  { unused: OF_PROPERTIES.filter((name) => name !== 'math_hogql'), alone: {} },
);

/** Units of an interval. */
const MOST_INTERVALS = 365;

export const stickinessQuery = describe(
  z.looseObject({
    kind: z.literal('StickinessQuery'),
    ...insightShape,
    ...aggregationShape,
    series: z.array(stickinessSeries).min(1, { error: 'Stickiness insights require at least one series.' }),
    interval: interval.nullish(),
    intervalCount: laxInteger(
      z
        .int()
        .min(1, { error: 'intervalCount must be a positive integer.' })
        .max(MOST_INTERVALS, { error: `intervalCount cannot exceed ${MOST_INTERVALS}.` }),
    ).nullish(),
    stickinessFilter: describe(
      z.looseObject({
        computedAs: z.enum(['non_cumulative', 'cumulative']).nullish(),
        stickinessCriteria: describe(
          z.looseObject({
            operator: z.enum(['gte', 'lte', 'exact']),
            value: laxInteger(z.int().min(0, { error: 'Stickiness criteria value must be non-negative.' })),
          }),
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

export type StickinessQuery = output<typeof stickinessQuery>;

/** Stickiness counts these ways, as PostHog translates it; any other means persons. */
const ACTORS: CountedBy = {
  maths: new Set(['dau', 'weekly_active', 'monthly_active', 'unique_group', 'hogql']),
  other: 'dau',
};

export function stickinessSource(filters: Fields): Fields {
  return {
    kind: 'StickinessQuery',
    ...seriesFields(filters, ACTORS),
    ...within('stickinessFilter', {
      ...displayFields(filters),
      ...renamedPlain(filters, { show_legend: 'showLegend', show_values_on_series: 'showValuesOnSeries' }),
    }),
    ...compareFields(filters),
  };
}

/** Whether a point means so many intervals, at least or at most. */
export const stickinessPoint = { operator: z.enum(['gte', 'lte', 'exact']).nullish() };
