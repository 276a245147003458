import { z } from 'zod';
import { laxBoolean, laxInteger } from '../../../http/lax-fields.contract.ts';
import { describe, nestedQuery, ON_EVERY_NODE } from './query-object.contract.ts';

const value = z.union([z.string(), z.number()]);

/** The point of an insight whose persons to list; which fields matter depends on the kind of the insight. */
export const actorsPoint = z.looseObject({
  /** Trends, stickiness: the series, by its place from 0. */
  series: laxInteger(z.int().min(0)).nullish(),
  /** Trends, lifecycle: the beginning of the interval; stickiness: the number of intervals; retention: the place in the row, from 0. */
  day: value.nullish(),
  /** Value of the breakdown, or values of several. */
  breakdown: z.union([value, z.array(value)]).nullish(),
  compare: z.enum(['current', 'previous']).nullish(),
  /** Lifecycle. */
  status: z.enum(['new', 'returning', 'resurrecting', 'dormant']).nullish(),
  /** Retention: the row, by its place from 0. */
  interval: laxInteger(z.int().min(0)).nullish(),
  /** Funnels: persons who came to this step, from 1; negative: who came to the one before and not to this. */
  funnelStep: laxInteger(z.int()).nullish(),
  funnelStepBreakdown: z.union([value, z.array(value)]).nullish(),
  /** Funnels over time: who began in the interval that begins here, and went all the way or (true) did not. */
  funnelTrendsEntrancePeriodStart: z.string().nullish(),
  funnelTrendsDropOff: laxBoolean().nullish(),
  /** Paths: steps by their keys, such as `1_/a`; the last one means where paths end. */
  pathStartKey: z.string().nullish(),
  pathEndKey: z.string().nullish(),
  pathDropoffKey: z.string().nullish(),
});
export type ActorsPoint = z.output<typeof actorsPoint>;

/** Kinds that pick a point of the insight that they carry in `source`. */
export const POINT_KINDS = ['InsightActorsQuery', 'FunnelsActorsQuery', 'StickinessActorsQuery'] as const;

/** A point with its insight, as the source of a list of actors. */
export const actorsPointQuery = describe(
  actorsPoint.extend({ kind: z.enum(POINT_KINDS), source: nestedQuery({ withPoint: false }) }),
  {
    name: 'InsightActorsQuery',
    withoutEffect: ON_EVERY_NODE,
    notSupported: ['operator', 'includeRecordings', 'funnelCustomSteps'],
  },
);
