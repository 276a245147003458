import { z } from 'zod';
import { laxBoolean, laxInteger } from '../../../http/lax-fields.contract.ts';
import { OPERATORS } from '../../../conditions/operators.contract.ts';
import { describe, propertyName } from './query-object.contract.ts';

/** What a filter looks at (management contract 9.9). Which of them can be computed is another question. */
export const LEAF_TYPES = [
  'event',
  'event_metadata',
  'internal_event',
  'person',
  'person_metadata',
  'element',
  'session',
  'cohort',
  'static-cohort',
  'dynamic-cohort',
  'precalculated-cohort',
  'behavioral',
  'group',
  'feature',
  'flag',
  'action',
  'hogql',
  'recording',
  'log',
  'log_entry',
  'log_attribute',
  'log_resource_attribute',
  'span',
  'span_attribute',
  'data_warehouse',
  'data_warehouse_person_property',
  'error_tracking_issue',
  'revenue_analytics',
  'workflow_variable',
  'meta',
  'empty',
] as const;

/** Operators of filters of queries; the last one is of flags alone. */
export const QUERY_OPERATORS = [...OPERATORS, 'flag_evaluates_to'] as const;

const scalar = z.union([z.string(), z.number(), z.boolean()]);

export const propertyLeaf = describe(
  z.looseObject({
    key: z.union([propertyName(), z.number()]),
    type: z.enum(LEAF_TYPES).nullish(),
    operator: z.enum(QUERY_OPERATORS).nullish(),
    value: z.union([scalar, z.array(scalar), z.null()]).optional(),
    group_type_index: laxInteger(z.int().min(0).max(4)).nullish(),
    /** Of cohorts. */
    negation: laxBoolean().nullish(),
  }),
  // PostHog's console writes them beside what it compares; they are shown.
  { name: 'filter', withoutEffect: ['label', 'cohort_name', 'group_key_names'] },
);

const leaves = z.array(propertyLeaf);

/** All or one of its values must hold; a value is a leaf or another group. */
const propertyGroup = z.looseObject({
  type: z.enum(['AND', 'OR']),
  get values(): z.ZodArray<z.ZodUnion<[typeof propertyGroup, typeof propertyLeaf]>> {
    return z.array(z.union([propertyGroup, propertyLeaf]));
  },
});
describe(propertyGroup, { name: 'group of filters' });

/** Filters of a series or of an actor list: all must hold. */
export const propertyList = leaves;
/** Filters that stand fixed in a table: leaves and groups, all of which must hold. */
export const filterList = z.array(z.union([propertyGroup, propertyLeaf]));
/** Filters of a whole query: a list, all of which must hold, or a group. */
export const propertyNodes = z.union([leaves, propertyGroup]);
export type PropertyNodes = z.output<typeof propertyNodes>;
export type PropertyLeafNode = z.output<typeof propertyLeaf>;
