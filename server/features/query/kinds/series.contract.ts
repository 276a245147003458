import { z } from 'zod';
import { propertyList } from './property-nodes.contract.ts';

const PROPERTY_MATHS = ['avg', 'sum', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;

/** How the events of a series are counted (management contract 9.9). */
export const MATHS = [
  'total',
  'dau',
  'weekly_active',
  'monthly_active',
  'unique_session',
  'first_time_for_user',
  'first_time_for_user_with_filters',
  'first_matching_event_for_user',
  'unique_group',
  'hogql',
  ...PROPERTY_MATHS,
  ...PROPERTY_MATHS.filter((name) => name !== 'sum').map((name) => `${name}_count_per_actor`),
] as const;

const seriesShape = {
  name: z.string().nullish(),
  custom_name: z.string().nullish(),
  math: z.enum(MATHS).nullish(),
  math_property: z.string().nullish(),
  math_hogql: z.string().nullish(),
  math_group_type_index: z.int().min(0).max(4).nullish(),
  properties: propertyList.nullish(),
  fixedProperties: propertyList.nullish(),
};

/** Events of one name; null: of any. */
export const eventsNode = z.looseObject({
  kind: z.literal('EventsNode'),
  event: z.string().nullish(),
  limit: z.int().nullish(),
  ...seriesShape,
});

/** Events that match an action. */
export const actionsNode = z.looseObject({
  kind: z.literal('ActionsNode'),
  id: z.int(),
  ...seriesShape,
});

export const seriesNode = z.discriminatedUnion('kind', [eventsNode, actionsNode]);
export type SeriesNode = z.output<typeof seriesNode>;
