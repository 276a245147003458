import { z } from 'zod';

/** Where the value of a property came from; `none`: it is not set. */
export const propertySource = z.enum([
  'request',
  'geoip',
  'stored',
  /** The distinct id or group key of the request itself. */
  'identity',
  /** `$initial_X`, from X in the request. */
  'initial',
  'cohort',
  'flag',
  'none',
]);
export type PropertySource = z.infer<typeof propertySource>;

/** One comparison: the expected value, the actual one, and the result. */
export interface PropertyTrace {
  key: string;
  type: string;
  operator: string;
  wanted: unknown;
  /** Null also when nothing was known: then the source is `none`. */
  got: unknown;
  source: PropertySource;
  /** Whether the property holds, negation included. */
  matched: boolean;
  /** Why it can never hold, or what else is worth knowing. */
  note: string | null;
  /** The comparisons of a cohort, group after group. */
  inside: PropertyTrace[];
}

const propertyTraceSchema: z.ZodType<PropertyTrace> = z.lazy(() =>
  z.strictObject({
    key: z.string(),
    type: z.string(),
    operator: z.string(),
    wanted: z.json(),
    got: z.json(),
    source: propertySource,
    matched: z.boolean(),
    note: z.string().nullable(),
    inside: z.array(propertyTraceSchema),
  }),
);

/** A hash (0 to 1) against its threshold; the hash is null where none was needed, or there was no ID to hash. */
const rolloutTraceSchema = z.strictObject({
  percentage: z.number(),
  hash: z.number().nullable(),
  threshold: z.number(),
  matched: z.boolean(),
});

const conditionTraceSchema = z.strictObject({
  index: z.int(),
  group: z.strictObject({ type: z.string().nullable(), key: z.string().nullable() }).nullable(),
  properties: z.array(propertyTraceSchema),
  rollout: rolloutTraceSchema.nullable(),
  variant_override: z.string().nullable(),
  outcome: z.enum([
    'match',
    'no_condition_match',
    'out_of_rollout_bound',
    'no_group_type',
    'missing_dependency',
  ]),
  /** Whether the flag's value comes from this condition. */
  decided: z.boolean(),
});
export type ConditionTrace = z.infer<typeof conditionTraceSchema>;

/** How the value of a flag came about, in the order in which it was decided (ingestion contract F). */
export const flagTraceSchema = z.strictObject({
  /** `dependency`: it depends on a missing flag, and no condition was evaluated. */
  decided_by: z.enum(['disabled', 'override', 'dependency', 'enrollment', 'holdout', 'condition', 'none']),
  /** What was hashed for the flag: by it a person or group always falls to the same side. */
  identifier: z.strictObject({
    kind: z.enum(['distinct_id', 'anon_distinct_id', 'stored', 'device_id', 'group_key']),
    value: z.string().nullable(),
  }),
  enrollment: z
    .strictObject({ property: z.string(), got: z.json(), source: propertySource, matched: z.boolean() })
    .nullable(),
  holdout: z
    .strictObject({
      id: z.string(),
      hash: z.number().nullable(),
      threshold: z.number(),
      matched: z.boolean(),
    })
    .nullable(),
  conditions: z.array(conditionTraceSchema),
  /** Null for a flag without variants, and where no variant was chosen. */
  variant: z
    .strictObject({
      key: z.string().nullable(),
      by: z.enum(['override', 'hash', 'none']),
      hash: z.number().nullable(),
      from: z.number().nullable(),
      to: z.number().nullable(),
    })
    .nullable(),
});
export type FlagTrace = z.infer<typeof flagTraceSchema>;
