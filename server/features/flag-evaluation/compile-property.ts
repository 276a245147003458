import { compileComparison } from './comparison.ts';
import type { CohortProperty, CompiledCohort, ValueProperty } from './compiled-flag.ts';
import type { FlagProperty } from './flag-definition.ts';
import { textOf } from './property-text.ts';

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
  return numberOf(Array.isArray(value) && value.length === 1 ? value[0] : value);
}

/** The number that a number or a text says; NaN for anything else, which might not even have a text. */
export function numberOf(value: unknown): number {
  return typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
}

/** The index of a type of groups, null for persons; what is none belongs to no type. */
export function groupIndexOf(value: unknown): number | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'number' && Number.isInteger(value) ? value : -1;
}

/** Elements of a list that are objects: definitions of other times and makers may hold anything. */
export function objectsOf<T extends object>(list: readonly T[] | null | undefined): readonly T[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly T[]).filter((one) => typeof one === 'object' && one !== null);
}
