/** Values that persons, groups and requests carry, as JSON.parse gives them. */
export type Properties = Readonly<Record<string, unknown>>;

/** One comparison of a condition or of a cohort (ingestion contract F, P). */
export interface FlagProperty {
  /** Name of the property; `id` for a cohort; id or key of another flag. */
  readonly key: string | number;
  /** Default `exact`. */
  readonly operator?: string | null | undefined;
  readonly value?: unknown;
  /** `person` when absent. */
  readonly type?: string | null | undefined;
  readonly negation?: boolean | null | undefined;
  readonly group_type_index?: number | null | undefined;
  readonly cohort_name?: string | null | undefined;
}

/** One set of conditions: all of its properties, and then a share of those who have them. */
export interface FlagCondition {
  readonly properties?: readonly FlagProperty[] | null | undefined;
  /** Percent; null is 100. */
  readonly rollout_percentage?: number | null | undefined;
  /** Key of the variant that all who match get. */
  readonly variant?: string | null | undefined;
  readonly aggregation_group_type_index?: number | null | undefined;
}

export interface FlagVariant {
  readonly key: string;
  readonly name?: string | null | undefined;
  readonly rollout_percentage: number;
}

/** `filters` of a flag as it is stored and sent (ingestion contract F, "Definition shape"). */
export interface FlagFilters {
  readonly groups?: readonly FlagCondition[] | null | undefined;
  readonly multivariate?: { readonly variants: readonly FlagVariant[] } | null | undefined;
  /** By variant, or `true`: JSON text, or of older flags the value itself. */
  readonly payloads?: Readonly<Record<string, unknown>> | null | undefined;
  readonly aggregation_group_type_index?: number | null | undefined;
  readonly feature_enrollment?: boolean | null | undefined;
  /** The older form of `feature_enrollment`. */
  readonly super_groups?: readonly FlagCondition[] | null | undefined;
  readonly holdout?: { readonly id: number; readonly exclusion_percentage: number } | null | undefined;
  /** The older form of `holdout`; the variant is `holdout-<id>`. */
  readonly holdout_groups?: readonly FlagCondition[] | null | undefined;
  readonly early_exit?: boolean | null | undefined;
}

/** A flag as evaluation reads it; its filters were checked when they were written. */
export interface FlagDefinition {
  readonly id: number;
  readonly key: string;
  /** What people wrote about it; `name` on the wire. */
  readonly name: string;
  readonly active: boolean;
  readonly version: number;
  readonly filters: FlagFilters;
  readonly ensureExperienceContinuity: boolean;
  readonly bucketingIdentifier: 'distinct_id' | 'device_id' | null;
  readonly evaluationRuntime: 'all' | 'client' | 'server';
  readonly evaluationTags: readonly string[];
  readonly isRemoteConfiguration: boolean;
}

/** All (AND) or one (OR) of the parts of a cohort must hold. */
export interface CohortTree {
  readonly type: 'AND' | 'OR';
  readonly values: readonly (CohortTree | FlagProperty)[];
}

export interface CohortDefinition {
  readonly id: number;
  readonly name: string;
  /** Its members are listed, not computed. */
  readonly isStatic: boolean;
  /** Null for a static cohort, and for one that says nothing. */
  readonly properties: CohortTree | null;
}

interface About<T> {
  readonly aggregation_group_type_index?: T | null | undefined;
}

/**
 * The index of the type of groups that a condition of a flag is about; null: persons. A condition that says null is about
 * persons also in a flag about groups; one that says nothing is about what its flag is about (F-7).
 */
export function groupTypeOfCondition<T>(condition: About<T>, filters: About<T>): T | null {
  const own = condition.aggregation_group_type_index;
  return (own === undefined ? filters.aggregation_group_type_index : own) ?? null;
}
