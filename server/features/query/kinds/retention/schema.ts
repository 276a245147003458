import { z } from 'zod';
import { laxInteger } from '../../../../http/lax-fields.contract.ts';
import {
  propertyList,
  describe,
  aggregationShape,
  breakdownFilter,
  INSIGHT_NOT_SUPPORTED,
  INSIGHT_WITHOUT_EFFECT,
  insightShape,
  flag,
  positive,
} from '../../node-schema.ts';
import {
  breakdownFields,
  sharedFields,
  isFields,
  isSet,
  renamed,
  renamedPlain,
  type Fields,
} from '../../legacy-filters.ts';

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
        aggregationProperty: z.string().nullish(),
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

export function retentionSource(filters: Fields): Fields {
  return {
    kind: 'RetentionQuery',
    ...sharedFields(filters),
    retentionFilter: {
      ...entityOf('targetEntity', filters['target_entity']),
      ...entityOf('returningEntity', filters['returning_entity']),
      ...renamed(filters, {
        period: 'period',
        retention_type: 'retentionType',
        retention_reference: 'retentionReference',
        time_window_mode: 'timeWindowMode',
      }),
      ...renamedPlain(filters, {
        total_intervals: 'totalIntervals',
        cumulative: 'cumulative',
        minimum_occurrences: 'minimumOccurrences',
      }),
    },
    ...breakdownFields(filters),
  };
}

/** The event or action of a retention; other fields of it say how its picker showed it. */
function entityOf(name: string, entity: unknown): Fields {
  if (!isFields(entity)) return isSet(entity) ? { [name]: entity } : {};
  const { id, type, kind, properties } = entity;
  const own = Object.entries({ id, type, kind, properties }).filter(([, value]) => value !== undefined);
  return { [name]: { ...Object.fromEntries(own), ...renamed(entity, { name: 'name' }) } };
}

/** Picks a row, by its place from 0; `day` picks the place in it. */
export const retentionPoint = { interval: laxInteger(z.int().min(0)).nullish() };
