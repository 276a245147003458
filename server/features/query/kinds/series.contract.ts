import { z } from 'zod';
import { laxBoolean, laxInteger } from '../../../http/lax-fields.contract.ts';
import { propertyList } from './property-nodes.contract.ts';
import { describe, ON_EVERY_NODE, propertyName, refusing } from './query-object.contract.ts';

/** They are computed of the values of a property. */
export const PROPERTY_MATHS = ['avg', 'sum', 'min', 'max', 'median', 'p75', 'p90', 'p95', 'p99'] as const;

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

type Math = (typeof MATHS)[number];

/** `counted`: the ways of counting that the kind of the query computes; others are refused. */
function seriesShape(counted: readonly Math[]) {
  const isCounted = new Set<unknown>(counted);
  return {
    custom_name: z.string().nullish(),
    math: refusing(z.enum(MATHS), (math) => !isCounted.has(math)).nullish(),
    math_property: propertyName().nullish(),
    math_property_type: z.string().nullish(),
    math_hogql: propertyName().nullish(),
    math_group_type_index: laxInteger(z.int().min(0).max(4)).nullish(),
    properties: propertyList.nullish(),
    fixedProperties: propertyList.nullish(),
    name: z.string().nullish(),
  };
}

const OF_PROPERTIES = ['math_property', 'math_property_type', 'math_hogql'];
const OF_GROUPS = ['math_group_type_index'];
const NOT_SUPPORTED = ['math_multiplier', 'math_property_revenue_currency', 'orderBy', 'limit'];

/**
 * Schemas of the series of a kind of query; `unused`: fields that would change nothing there, and `alone`: such that only this
 * kind has.
 */
export function seriesOf<M extends z.ZodRawShape>(
  counted: readonly Math[],
  { unused, alone }: { unused: readonly string[]; alone: M },
) {
  const shape = { ...seriesShape(counted), ...alone };
  const fields = {
    // Without one of several ways of counting, there is nothing to choose.
    withoutEffect: [...ON_EVERY_NODE, ...(unused.includes('math_group_type_index') ? ['math'] : [])],
    notSupported: [...NOT_SUPPORTED, ...unused, 'optionalInFunnel', 'holdConstant'].filter(
      (name) => !Object.hasOwn(alone, name),
    ),
  };
  return z.discriminatedUnion('kind', [
    /** Events of one name; null: of any. */
    describe(z.looseObject({ kind: z.literal('EventsNode'), event: z.string().nullish(), ...shape }), {
      name: 'EventsNode',
      ...fields,
    }),
    /** Events that match an action. */
    describe(z.looseObject({ kind: z.literal('ActionsNode'), id: laxInteger(z.int()), ...shape }), {
      name: 'ActionsNode',
      ...fields,
    }),
  ]);
}

export const seriesNode = seriesOf(MATHS, { unused: [], alone: {} });
export type SeriesNode = z.output<typeof seriesNode>;

/** Stickiness counts persons or groups, however their events are counted elsewhere. */
export const stickinessSeries = seriesOf(
  ['total', 'dau', 'weekly_active', 'monthly_active', 'unique_group'],
  { unused: OF_PROPERTIES, alone: {} },
);

const PERSONS = ['total', 'dau'] as const;
const UNUSED = [...OF_PROPERTIES, ...OF_GROUPS];
export const lifecycleSeries = seriesOf(PERSONS, { unused: UNUSED, alone: {} });

/** Names of event properties that keep the value they had at the first step. */
export const heldProperties = z.array(z.string(), { error: 'It must be a list of event property names' });
export const funnelSeries = seriesOf(PERSONS, {
  unused: UNUSED,
  alone: { optionalInFunnel: laxBoolean().nullish(), holdConstant: heldProperties.nullish() },
});
/** A step whose events between two steps of a funnel void the attempt. */
export const exclusion = seriesOf(PERSONS, {
  unused: [...UNUSED, 'custom_name'],
  alone: { funnelFromStep: laxInteger(z.int().min(0)), funnelToStep: laxInteger(z.int().min(0)) },
});
