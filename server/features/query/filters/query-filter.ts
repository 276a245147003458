import type { Operator, Scalar } from '../../../conditions/operators.contract.ts';
import { z } from 'zod';
import { cohortLeafOf, filterTree, leafOf, type FilterGroup } from '../../property-filters/index.ts';
import { LEAF_TYPES } from '../kinds/property-nodes.contract.ts';

/** Newer words for cohorts say how they are stored, which is of no importance to a filter. */
const COHORT_TYPES = ['static-cohort', 'dynamic-cohort', 'precalculated-cohort'] as const;
type CohortType = (typeof COHORT_TYPES)[number];

/** Leaves that queries take and lists of events do not (management contract 9.9). */
export type QueryOnlyLeaf =
  | {
      type: 'session' | 'event_metadata';
      key: string;
      operator: Operator;
      value?: Scalar | Scalar[] | null | undefined;
    }
  | { type: CohortType; value: number; operator: 'in' | 'not_in' | 'exact' | 'is_not'; negation: boolean }
  /** An expression of HogQL. */
  | { type: 'hogql'; key: string }
  /** What a flag said: true means anything but false, a text is a variant. */
  | { type: 'flag'; key: string; value: boolean | string }
  | { type: 'action'; value: number }
  /** A filter that somebody has begun to write. */
  | { type: 'empty' };
export type QueryFilter = FilterGroup<QueryOnlyLeaf>;

const LEAVES = [
  leafOf('session'),
  leafOf('event_metadata'),
  z.object({ type: z.literal('hogql'), key: z.string().min(1) }),
  z.object({
    type: z.literal('flag'),
    key: z.string().min(1),
    operator: z.enum(['flag_evaluates_to', 'exact']).nullish(),
    value: z.union([z.boolean(), z.string()]),
  }),
  z.object({ type: z.literal('action'), value: z.coerce.number().pipe(z.int32().min(1)) }),
  z.object({ type: z.literal('empty') }),
  ...COHORT_TYPES.map((type) => cohortLeafOf(type)),
] as unknown as z.ZodType<QueryOnlyLeaf>[];

const TAKEN: ReadonlySet<string> = new Set([
  'event',
  'person',
  'element',
  'cohort',
  'group',
  'feature',
  'session',
  'event_metadata',
  'hogql',
  'flag',
  'action',
  'empty',
  ...COHORT_TYPES,
]);
/** Filters of PostHog on what is not kept here, or that no query takes. */
const UNAVAILABLE = new Set(LEAF_TYPES.filter((type) => !TAKEN.has(type)));

const schemas = {
  event: z.object({ properties: filterTree('event', LEAVES, UNAVAILABLE) }),
  person: z.object({ properties: filterTree('person', LEAVES, UNAVAILABLE) }),
};

/** The schema of property filters of a query, in the field `properties`; leaves without a type are of `defaultType`. */
export function queryFilters(defaultType: 'event' | 'person') {
  return schemas[defaultType];
}
