import type {
  CompiledCondition,
  CompiledCohort,
  CompiledFlag,
  CompiledProperty,
  CompiledVariant,
} from './compiled-flag.ts';
import {
  cohortIdOf,
  compileMembership,
  compileValue,
  groupIndexOf,
  kindOf,
  numberOf,
  objectsOf,
} from './compile-property.ts';
import { groupTypeOfCondition } from './condition-group-type.ts';
import type { FlagCondition, FlagDefinition, FlagFilters, FlagProperty } from './flag-definition.ts';
import { off, reasonOf } from './flag-result.ts';
import { textOf } from './property-text.ts';

/** What the conditions of a flag may ask for; null for a flag that does not exist. */
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
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload ?? '');
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
