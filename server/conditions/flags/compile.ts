import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { compileComparison, type Comparison } from '../operators.ts';
import { textOf, unwrap } from '../property-text.ts';
import {
  groupTypeOfCondition,
  type FlagCondition,
  type FlagDefinition,
  type FlagFilters,
  type FlagProperty,
} from './definition.ts';
import { off, reasonOf, type FlagEvaluation, type FlagReason } from './result.ts';

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
  /** Of the hash, 0 to 1; from 1 on, all persons are in without hashing (F-11). */
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
  /** The flags that its conditions reference. */
  readonly dependencies: readonly CompiledFlag[];
  /** It references a flag that does not exist, and is therefore off. */
  readonly lacksDependency: boolean;
}

/** What the conditions of a flag can reference; null for a flag that does not exist. */
export interface FlagParts {
  flagOf(idOrKey: string | number): CompiledFlag | null;
  cohortOf(id: number): CompiledCohort;
}

/** All properties of a flag's conditions. */
export function propertiesOf({ filters }: FlagDefinition): FlagProperty[] {
  return objectsOf(filters.groups).flatMap(({ properties }) => objectsOf(properties));
}

/** Compiles a flag whose cohorts and dependencies are compiled. */
export function compileFlag(definition: FlagDefinition, parts: FlagParts): CompiledFlag {
  const { filters, key } = definition;
  const variants = compileVariants(filters);
  const payloads = compilePayloads(filters);
  const conditions = objectsOf(filters.groups).map((condition, index) =>
    compileCondition(condition, index, { filters, variants, parts }),
  );
  const dependencies = conditions.flatMap(({ properties }) =>
    properties.flatMap((property) => (property.kind === 'flag' ? [property.flag] : [])),
  );
  return {
    definition,
    hashPrefix: `${key}.`,
    groupIndex: groupIndexOf(filters.aggregation_group_type_index),
    conditions,
    variants,
    payloads,
    holdout: compileHoldout(filters, payloads),
    enrollmentKey: enrollmentKeyOf(definition),
    isEarlyExit: filters.early_exit === true,
    dependencies: [...new Set(dependencies.filter((flag) => flag !== null))],
    lacksDependency: dependencies.includes(null),
  };
}

function compileCondition(
  condition: FlagCondition,
  index: number,
  flag: { filters: FlagFilters; variants: readonly CompiledVariant[]; parts: FlagParts },
): CompiledCondition {
  const { variant } = condition;
  const percentage = percentOf(condition.rollout_percentage ?? 100);
  return {
    index,
    groupIndex: groupIndexOf(groupTypeOfCondition(condition, flag.filters)),
    properties: objectsOf(condition.properties).map((property) => compileProperty(property, flag.parts)),
    percentage,
    threshold: percentage / 100,
    variant: flag.variants.some(({ key }) => key === variant) ? variant! : null,
    reason: reasonOf('condition_match', index),
    misses: {
      no_condition_match: off('no_condition_match', index),
      out_of_rollout_bound: off('out_of_rollout_bound', index),
      no_group_type: off('no_group_type', index),
    },
  };
}

function compileProperty(definition: FlagProperty, { flagOf, cohortOf }: FlagParts): CompiledProperty {
  const kind = kindOf(definition);
  if (kind === 'cohort') return compileMembership(definition, cohortOf(cohortIdOf(definition)));
  if (kind === 'flag') return { kind, definition, flag: flagOf(definition.key) };
  return compileValue(definition);
}

/** Bounds are added up as SDKs add them, so that both end at the same fraction (F-13). */
function compileVariants({ multivariate }: FlagFilters): CompiledVariant[] {
  let from = 0;
  return objectsOf(multivariate?.variants).map(({ key, rollout_percentage: percentage }) => {
    const variant = { key: textOf(key), from, to: from + percentOf(percentage) / 100 };
    from = variant.to;
    return variant;
  });
}

function percentOf(value: unknown): number {
  const number = numberOf(value);
  return Number.isFinite(number) ? number : 0;
}

/** F-15: what is stored as another value than text is sent as its JSON. */
function compilePayloads({ payloads }: FlagFilters): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, payload] of Object.entries(payloads ?? {})) {
    const text = typeof payload === 'string' ? payload : stringifyExactly(payload ?? '');
    if (payload !== null && text !== '') texts.set(key, text);
  }
  return texts;
}

/** F-3; older flags have `holdout_groups` with the share and the name of the variant. */
function compileHoldout(
  { holdout, holdout_groups: groups }: FlagFilters,
  payloads: ReadonlyMap<string, string>,
): CompiledFlag['holdout'] {
  const [old] = objectsOf(groups);
  const id = holdout?.id ?? (old === undefined ? null : textOf(old.variant ?? '').replace(/^holdout-/, ''));
  const percentage = holdout?.exclusion_percentage ?? old?.rollout_percentage;
  if (id === null || percentage === undefined || percentage === null) return null;
  const variant = `holdout-${textOf(id)}`;
  return {
    id: textOf(id),
    threshold: percentOf(percentage) / 100,
    result: {
      value: variant,
      variant,
      payload: payloads.get(variant) ?? null,
      reason: reasonOf('holdout_condition_value', null),
    },
  };
}

/** F-2; older flags have `super_groups` whose property is the enrolment. */
function enrollmentKeyOf({ key, filters }: FlagDefinition): string | null {
  const [old] = objectsOf(filters.super_groups);
  if (filters.feature_enrollment !== true && old === undefined) return null;
  const named = objectsOf(old?.properties).find((property) =>
    textOf(property.key).startsWith('$feature_enrollment/'),
  );
  return textOf(named?.key ?? `$feature_enrollment/${key}`);
}

const COHORT_TYPES = new Set(['cohort', 'static-cohort', 'dynamic-cohort', 'precalculated-cohort']);

/** What a comparison is about; anything else that filters may name is unknown to flags. */
export function kindOf({ type }: FlagProperty): 'value' | 'cohort' | 'flag' | 'unknown' {
  if (type === undefined || type === null || type === 'person' || type === 'group') return 'value';
  if (COHORT_TYPES.has(type)) return 'cohort';
  return type === 'flag' ? 'flag' : 'unknown';
}

/** Compiles a comparison of a property; one of an unknown kind never holds (P-10). */
export function compileValue(definition: FlagProperty): ValueProperty {
  const { key, operator, value, type, group_type_index: index } = definition;
  const comparison = compileComparison(textOf(operator ?? 'exact'), value);
  const isUnknown = kindOf(definition) !== 'value';
  return {
    kind: 'value',
    definition,
    key: textOf(key),
    groupIndex: type === 'group' ? groupIndexOf(index) : null,
    comparison: isUnknown ? { ...NEVER, problem: `Flags do not support ${textOf(type)}.` } : comparison,
  };
}

const NEVER = { operator: 'exact', matches: () => false, whenMissing: false };

/** `not_in` and `negation` each turn it round (F-17). */
export function compileMembership(definition: FlagProperty, cohort: CompiledCohort): CohortProperty {
  const isNegative = (definition.operator === 'not_in') !== (definition.negation === true);
  return { kind: 'cohort', definition, cohort, isNegative };
}

/** The cohort that a property names. */
export function cohortIdOf({ value }: FlagProperty): number {
  return numberOf(unwrap(value));
}

/** The number that a number or a text says; NaN for anything else, which might not even have a text. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
}

/** The index of a group type, null for persons; -1, which no group type has, for an invalid index. */
export function groupIndexOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isInteger(value) ? value : -1;
}

/** Elements of a list that are objects: definitions of other times and makers may hold anything. */
export function objectsOf<T extends object>(list: readonly T[] | null | undefined): readonly T[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly T[]).filter((one) => typeof one === 'object' && one !== null);
}
