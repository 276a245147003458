import type { Comparison } from './comparison.ts';
import type { FlagDefinition, FlagProperty } from './flag-definition.ts';
import type { FlagEvaluation, FlagReason } from './flag-result.ts';

/** A comparison of a property of the person or group. */
export interface ValueProperty {
  readonly kind: 'value';
  readonly definition: FlagProperty;
  readonly key: string;
  /** In a condition about persons: the group type whose property is meant; null for the condition's own subject. */
  readonly groupIndex: number | null;
  readonly comparison: Comparison;
}

/** Whether the person is in a cohort, or not (F-17). */
export interface CohortProperty {
  readonly kind: 'cohort';
  readonly definition: FlagProperty;
  readonly cohort: CompiledCohort;
  readonly isNegative: boolean;
}

/** What another flag says for the same subject (F-16). */
export interface DependencyProperty {
  readonly kind: 'flag';
  readonly definition: FlagProperty;
  /** Null when there is no such flag. */
  readonly flag: CompiledFlag | null;
}

export type CompiledProperty = ValueProperty | CohortProperty | DependencyProperty;

export interface CompiledCohort {
  readonly id: number;
  readonly name: string;
  readonly isStatic: boolean;
  readonly tree: CompiledTree;
}

export interface CompiledTree {
  readonly kind: 'tree';
  readonly isAnd: boolean;
  readonly parts: readonly (CompiledTree | CompiledLeaf)[];
}

export interface CompiledLeaf {
  readonly kind: 'leaf';
  readonly property: ValueProperty | CohortProperty;
  readonly isNegated: boolean;
}

export interface CompiledCondition {
  readonly index: number;
  /** Null: it is about persons. */
  readonly groupIndex: number | null;
  readonly properties: readonly CompiledProperty[];
  readonly percentage: number;
  /** Of the hash, 0 to 1; from 1 on, everybody is in without hashing (F-11). */
  readonly threshold: number;
  /** The variant that all who match get; null when the flag has none of this name (F-9). */
  readonly variant: string | null;
  readonly reason: FlagReason;
  /** What the flag says when this is the condition that came nearest (F-6). */
  readonly misses: Readonly<Record<Miss, FlagEvaluation>>;
}

/** How a condition can fail. */
export type Miss = 'no_condition_match' | 'out_of_rollout_bound' | 'no_group_type';

export interface CompiledVariant {
  readonly key: string;
  /** Hashes from this bound on, to before the other (F-13). */
  readonly from: number;
  readonly to: number;
}

/** A flag that can be evaluated: all that can be known without a subject is computed. */
export interface CompiledFlag {
  readonly definition: FlagDefinition;
  readonly hashPrefix: string;
  /** Null: the flag is about persons. */
  readonly groupIndex: number | null;
  readonly conditions: readonly CompiledCondition[];
  readonly variants: readonly CompiledVariant[];
  /** JSON text by variant, or `true`. */
  readonly payloads: ReadonlyMap<string, string>;
  readonly holdout: {
    readonly id: string;
    readonly threshold: number;
    readonly result: FlagEvaluation;
  } | null;
  /** The person property that says who has enrolled; null for a flag without early access. */
  readonly enrollmentKey: string | null;
  readonly isEarlyExit: boolean;
  /** The flags that its conditions ask for. */
  readonly dependencies: readonly CompiledFlag[];
  /** It asks for a flag that does not exist, and is therefore off. */
  readonly lacksDependency: boolean;
}
