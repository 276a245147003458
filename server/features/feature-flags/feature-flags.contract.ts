import { z } from 'zod';
import {
  booleanField,
  freeTextField,
  integerField,
  jsonObjectField,
  parameter,
  tagsField,
  lenient,
} from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';
import { cohort } from '../cohorts/cohorts.contract.ts';
import { embeddedUser } from '../users/users.contract.ts';

const MAX_KEY_LENGTH = 400;
const object = z.record(z.string(), z.unknown());

const flagParams = z.object({ id: integerField().pipe(z.int32().min(1)) });

/** The name by which code evaluates a flag. */
const flagKey = lenient(
  (value) => (typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value),
  z.string().min(1).max(MAX_KEY_LENGTH),
)
  .superRefine((key, context) => {
    // In JavaScript that key of an object is none: SDKs could not keep such a flag.
    if (/^[\w-]+$/.test(key) && key !== '__proto__') return;
    const message = 'Only letters, digits, hyphens (-) and underscores (_) are allowed, and not __proto__.';
    context.addIssue({ code: 'custom', params: { error: 'invalid_key' }, message });
  })
  .meta({ example: 'new-navigation' });

/** The feature that created the flag, which may belong to an experiment or a survey. */
const CREATION_CONTEXTS = [
  'feature_flags',
  'experiments',
  'surveys',
  'early_access_features',
  'web_experiments',
  'product_tours',
] as const;

const optionalBoolean = booleanField()
  .nullable()
  .transform((value) => value ?? false)
  .optional();

/** Body of PATCH; what is absent stays. `filters` without `groups` stay too. */
const updateFlagBody = z.object({
  key: flagKey.optional(),
  name: freeTextField().optional(),
  active: booleanField().optional(),
  deleted: booleanField().optional(),
  filters: object
    .meta({
      example: { groups: [{ properties: [], rollout_percentage: 50 }], payloads: {}, multivariate: null },
    })
    .optional(),
  ensure_experience_continuity: optionalBoolean,
  rollback_conditions: z.array(z.unknown()).nullable().optional(),
  performed_rollback: optionalBoolean,
  tags: tagsField().optional(),
  /** Tags that also say where the flag is evaluated; some of `tags`. */
  evaluation_tags: tagsField().optional(),
  analytics_dashboards: z.array(integerField()).optional(),
  has_enriched_analytics: optionalBoolean,
  is_remote_configuration: optionalBoolean,
  has_encrypted_payloads: optionalBoolean,
  evaluation_runtime: z
    .enum(['all', 'client', 'server', 'both'])
    .nullable()
    .transform((runtime) => (runtime === null || runtime === 'both' ? ('all' as const) : runtime))
    .optional(),
  bucketing_identifier: z
    .enum(['distinct_id', 'device_id', ''])
    .nullable()
    .transform((identifier) => (identifier === '' ? null : identifier))
    .optional(),
  /** The version that the change began with; beside `original_flag` it finds what others have changed since. */
  version: integerField().optional(),
  /** The flag as it was when the change began. */
  original_flag: object.nullable().optional(),
});
export type UpdateFlagBody = z.output<typeof updateFlagBody>;

/** Body of POST. */
export const createFlagBody = updateFlagBody.required({ key: true }).extend({
  /** Without `filters`: on for so many of all. */
  rollout_percentage: z.number().min(0).max(100).nullable().optional(),
  creation_context: z.enum(CREATION_CONTEXTS).optional(),
  /** Default true: creates a dashboard of the flag's usage. */
  _should_create_usage_dashboard: booleanField().optional(),
});
export type CreateFlagBody = z.output<typeof createFlagBody>;
export type CreationContext = NonNullable<CreateFlagBody['creation_context']>;

/** Body of PUT. */
const putFlagBody = updateFlagBody.required({ key: true });

const FLAG_STATUSES = ['ACTIVE', 'INACTIVE', 'STALE', 'DELETED', 'UNKNOWN'] as const;
const flagStatus = z.enum(FLAG_STATUSES);
export type FlagStatus = z.output<typeof flagStatus>;

/** A condition set: all of its conditions, then the share of those who match. */
export interface FlagGroup {
  properties?: FlagCondition[];
  /** Percent from 0 to 100; `null` for all. */
  rollout_percentage?: number | null;
  /** The variant of all users of this set. */
  variant?: string | null;
  aggregation_group_type_index?: number | null;
  description?: string | null;
  [key: string]: unknown;
}

export interface FlagCondition {
  type: 'person' | 'group' | 'cohort' | 'flag';
  key: string;
  operator?: string | null;
  value?: unknown;
  group_type_index?: number | null;
  negation?: boolean | null;
  cohort_name?: string | null;
  [key: string]: unknown;
}

export interface FlagVariant {
  key: string;
  name?: string | null;
  rollout_percentage: number;
}

export interface FlagFilters {
  groups: FlagGroup[];
  multivariate?: { variants: FlagVariant[] } | null;
  /** JSON texts by variant, or under `true`. */
  payloads?: Record<string, unknown>;
  aggregation_group_type_index?: number | null;
  [key: string]: unknown;
}

/** A flag (management contract 9.1). */
export const featureFlag = z
  .strictObject({
    id: z.int(),
    /** What it is for, in words: the name of the key is historical. */
    name: z.string(),
    key: z.string(),
    filters: object as unknown as z.ZodType<FlagFilters>,
    deleted: z.boolean(),
    active: z.boolean(),
    created_by: embeddedUser.nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    version: z.int(),
    last_modified_by: embeddedUser.nullable(),
    ensure_experience_continuity: z.boolean(),
    experiment_set: z.array(z.int()),
    surveys: z.array(object),
    features: z.array(object),
    rollback_conditions: z.array(z.unknown()).nullable(),
    performed_rollback: z.boolean(),
    can_edit: z.boolean(),
    tags: z.array(z.string()),
    evaluation_tags: z.array(z.string()),
    usage_dashboard: z.int().nullable(),
    analytics_dashboards: z.array(z.int()),
    has_enriched_analytics: z.boolean(),
    user_access_level: z.enum(['none', 'viewer', 'editor', 'manager']).nullable(),
    is_remote_configuration: z.boolean(),
    has_encrypted_payloads: z.boolean(),
    status: flagStatus,
    evaluation_runtime: z.enum(['all', 'client', 'server']),
    bucketing_identifier: z.enum(['distinct_id', 'device_id']).nullable(),
    last_called_at: z.string().nullable(),
  })
  .meta({ id: 'FeatureFlag' });
export type FeatureFlagJson = z.output<typeof featureFlag>;
export type FlagRuntime = FeatureFlagJson['evaluation_runtime'];

export const featureFlagPage = pageSchema(featureFlag);

/** Fields that a list can be ordered by, each also with a minus before it. */
export const FLAG_ORDERS = [
  'id',
  'key',
  'name',
  'active',
  'version',
  'created_at',
  'updated_at',
  'created_by',
  'last_modified_by',
  'last_called_at',
  'ensure_experience_continuity',
  'evaluation_runtime',
] as const;
export type FlagOrder = (typeof FLAG_ORDERS)[number];

/** A parameter that is a JSON list of texts; any other value counts as absent. */
const textList = z.string().transform((text): string[] | undefined => {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : undefined;
  } catch {
    return undefined;
  }
});

/** Query of the list; `limit` and `offset` are read by the paging of all lists. */
export const listFlagsQuery = z.object({
  /** Any case of true and false. */
  active: parameter(
    lenient(
      (value) => (typeof value === 'string' && /^(true|false)$/i.test(value) ? value.toLowerCase() : value),
      z.enum(['true', 'false', 'STALE']),
    ),
  ),
  created_by_id: parameter(integerField()),
  search: parameter(z.string()),
  type: parameter(z.enum(['boolean', 'multivariant', 'experiment', 'remote_config'])),
  evaluation_runtime: parameter(z.enum(['all', 'both', 'client', 'server'])),
  tags: parameter(textList),
  /** Keys of flags to leave out. */
  excluded_properties: parameter(textList),
  has_evaluation_tags: parameter(booleanField()),
  order: parameter(z.string()),
});
export type ListFlagsQuery = z.output<typeof listFlagsQuery>;

/** A flag as local evaluation and lists of one's own flags show it (management contract 9.1, Minimal). */
export const minimalFlag = z.strictObject({
  id: z.int(),
  team_id: z.int(),
  /** What it is for, in words. */
  name: z.string(),
  key: z.string(),
  filters: object,
  deleted: z.boolean(),
  active: z.boolean(),
  ensure_experience_continuity: z.boolean(),
  has_encrypted_payloads: z.boolean(),
  version: z.int(),
  evaluation_runtime: z.enum(['all', 'client', 'server']),
  bucketing_identifier: z.enum(['distinct_id', 'device_id']).nullable(),
  evaluation_tags: z.array(z.string()),
});
export type MinimalFlag = z.output<typeof minimalFlag>;

/** How boolean filters compare: as text (ingestion contract P-2). */
const matchingVersion = z.literal(2);

/** Answer of local evaluation (ingestion contract 9.3). posthog-node reads the matching version beside the flags. */
export const flagDefinitions = z.strictObject({
  flags: z.array(minimalFlag.extend({ property_matching_version: matchingVersion })),
  group_type_mapping: z.record(z.string(), z.string()),
  cohorts: z.record(z.string(), z.unknown()),
  property_matching_version: matchingVersion,
});
export type FlagDefinitionsJson = z.output<typeof flagDefinitions>;

/** Groups of the caller, by type, as a JSON object. */
const groups = parameter(jsonObjectField());
const myFlagsQuery = z.object({ groups });
export const myFlags = z.array(
  z.strictObject({ feature_flag: minimalFlag, value: z.union([z.boolean(), z.string()]) }),
);

const evaluationReasonsQuery = z.object({ distinct_id: z.string().min(1), groups });
/** Values and reasons by the keys of flags. */
export const evaluationReasons = z.record(
  z.string(),
  z.strictObject({
    value: z.union([z.boolean(), z.string()]),
    evaluation: z.strictObject({ reason: z.string(), condition_index: z.int().nullable() }),
  }),
);
export type EvaluationReasons = z.output<typeof evaluationReasons>;

const flagStatusAnswer = z.strictObject({ status: flagStatus, reason: z.string() });

export const dependentFlags = z.array(z.strictObject({ id: z.int(), key: z.string(), name: z.string() }));

const bulkKeysBody = z.object({ ids: z.array(z.unknown()).optional() });
export const bulkKeys = z.strictObject({
  keys: z.record(z.string(), z.string()),
  /** What of the ids is no id. */
  warning: z.string().optional(),
});

/** What the list of flags shows beside each of them. */
const flagNote = z.strictObject({
  id: z.int(),
  key: z.string(),
  local_evaluation: z.strictObject({
    /** Whether SDKs that evaluate flags themselves decide it, as the server would. */
    works: z.boolean(),
    /** Why not, in a sentence. */
    reason: z.string().nullable(),
    /** Properties of the person or group that the caller has to pass for it. */
    properties: z.array(z.string()),
  }),
  /** Why it can never be computed, and is absent from every answer. */
  error: z.string().nullable(),
  is_stale: z.boolean(),
  /** How many overrides hold for it on this machine. */
  overrides: z.int(),
});
export type FlagNoteJson = z.output<typeof flagNote>;

const flagNotes = z.strictObject({ results: z.array(flagNote) });

export const featureFlagsApi = {
  'GET P/feature_flags/': { query: listFlagsQuery, response: featureFlagPage },
  'POST P/feature_flags/': { body: createFlagBody, response: featureFlag },
  'GET P/feature_flags/:id/': { params: flagParams, response: featureFlag },
  'PATCH P/feature_flags/:id/': { params: flagParams, body: updateFlagBody, response: featureFlag },
  'PUT P/feature_flags/:id/': { params: flagParams, body: putFlagBody, response: featureFlag },
  'POST P/feature_flags/:id/create_static_cohort_for_flag/': {
    params: flagParams,
    response: z.strictObject({ cohort }),
  },
  'GET P/burrow/feature_flags/notes/': { response: flagNotes },
  'GET P/feature_flags/my_flags/': { query: myFlagsQuery, response: myFlags },
  'GET P/feature_flags/evaluation_reasons/': { query: evaluationReasonsQuery, response: evaluationReasons },
  'GET P/feature_flags/:id/status/': { params: flagParams, response: flagStatusAnswer },
  'GET P/feature_flags/:id/dependent_flags/': { params: flagParams, response: dependentFlags },
  'POST P/feature_flags/bulk_keys/': { body: bulkKeysBody, response: bulkKeys },
};
