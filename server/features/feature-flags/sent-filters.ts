import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const percentage = z.number().min(0).max(100);
/** PostHog has five types of groups in a project. */
const groupTypeIndex = z.int().min(0).max(4).nullish();

const property = z.looseObject({
  key: z.union([z.string().min(1), z.int()]),
  type: z.string(),
  value: z.union([scalar, z.array(scalar)]).optional(),
  operator: z.string().nullish(),
  negation: z.boolean().nullish(),
  group_type_index: groupTypeIndex,
});
export type SentProperty = z.output<typeof property>;

const condition = z.looseObject({
  properties: z.array(property).nullish(),
  rollout_percentage: percentage.nullish(),
  variant: z.string().nullish(),
  aggregation_group_type_index: groupTypeIndex,
});
export type SentCondition = z.output<typeof condition>;

const variant = z.looseObject({
  key: z.string().min(1),
  name: z.string().nullish(),
  rollout_percentage: percentage.default(0),
});
export type SentVariant = z.output<typeof variant>;

/** Filters of a flag as they are sent (ingestion contract F, "Definition shape"); other keys are kept. */
export const sentFilters = z.looseObject({
  groups: z.array(condition),
  multivariate: z.looseObject({ variants: z.array(variant).nullish() }).nullish(),
  payloads: z.record(z.string(), z.unknown()).nullish(),
  aggregation_group_type_index: groupTypeIndex,
  super_groups: z.array(condition).nullish(),
  holdout: z.looseObject({ id: z.int(), exclusion_percentage: percentage }).nullish(),
  holdout_groups: z.array(condition).nullish(),
  feature_enrollment: z.boolean().nullish(),
  early_exit: z.boolean().nullish(),
});
export type SentFilters = z.output<typeof sentFilters>;
