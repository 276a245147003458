import {
  createFlagSet,
  groupTypeOfCondition,
  type CohortDefinition,
  type CompiledFlag,
  type FlagCondition,
  type FlagDefinition,
  type FlagSet,
} from '../../../conditions/index.ts';

/** What a simulation evaluates for every stored subject. */
export interface Simulation {
  readonly set: FlagSet;
  /** The flag as it would be. */
  readonly flag: CompiledFlag;
  /** For each of its conditions a flag that is on for all who have the properties. */
  readonly conditions: readonly CompiledFlag[];
  /** The flag as it is, among the flags as they are; null: there is none. */
  readonly before: { readonly set: FlagSet; readonly flag: CompiledFlag } | null;
  /** Index of the type of groups that it is about; null: persons. */
  readonly groupTypeIndex: number | null;
  readonly note: string | null;
}

/** Static cohorts and flags that keep their answer over sign-in, of both sets. */
export function needsOf({ set, before }: Simulation): { staticCohorts: number[]; keepingFlags: string[] } {
  const sets = before === null ? [set] : [set, before.set];
  const keeping = sets.flatMap(({ flags }) =>
    flags.flatMap(({ definition }) => (definition.ensureExperienceContinuity ? [definition.key] : [])),
  );
  return {
    staticCohorts: [...new Set(sets.flatMap(({ staticCohorts }) => staticCohorts))],
    keepingFlags: [...new Set(keeping)],
  };
}

/**
 * Compiles a flag as it would be, beside the flags that there are (`stored`); returns a sentence when it could not be
 * computed. `set` holds the stored flags, as every answer uses them.
 */
export function compileSimulation(
  wanted: FlagDefinition,
  {
    stored,
    set: now,
    cohorts,
  }: { stored: readonly FlagDefinition[]; set: FlagSet; cohorts: readonly CohortDefinition[] },
): Simulation | string {
  const conditions = wanted.filters.groups ?? [];
  const probes = conditions.map((condition, index) => probeOf(wanted, condition, index));
  const others = stored.filter(({ key }) => key !== wanted.key);
  const set = createFlagSet([...others, wanted, ...probes], cohorts);
  const flag = set.find(wanted.key);
  if (flag === null) return set.errors.get(wanted.key) ?? 'It cannot be evaluated.';
  const compiled = probes.flatMap(({ key }) => set.find(key) ?? []);
  const before = now.find(wanted.key);
  const groupTypeIndex = groupTypeOf(wanted);
  return {
    set,
    flag,
    conditions: compiled,
    before: before === null ? null : { set: now, flag: before },
    groupTypeIndex,
    note: noteOn(wanted, groupTypeIndex),
  };
}

/** On for all who have the properties of a condition. No flag has a key with a space. */
function probeOf(wanted: FlagDefinition, condition: FlagCondition, index: number): FlagDefinition {
  const { filters } = wanted;
  return {
    ...wanted,
    id: -1 - index,
    key: `${wanted.key} ${index}`,
    active: true,
    ensureExperienceContinuity: false,
    bucketingIdentifier: null,
    filters: {
      aggregation_group_type_index: filters.aggregation_group_type_index,
      groups: [{ ...condition, rollout_percentage: 100, variant: null }],
    },
  };
}

/** The type of groups that all conditions are about; null: some are about persons, or they differ. */
function groupTypeOf({ filters }: FlagDefinition): number | null {
  const indexes = (filters.groups ?? []).map((condition) => groupTypeOfCondition(condition, filters));
  const [first = filters.aggregation_group_type_index ?? null] = indexes;
  return first !== null && indexes.every((index) => index === first) ? first : null;
}

function noteOn(
  { filters, bucketingIdentifier }: FlagDefinition,
  groupTypeIndex: number | null,
): string | null {
  if (groupTypeIndex !== null) return null;
  if ((filters.groups ?? []).some((condition) => groupTypeOfCondition(condition, filters) !== null))
    return 'Group conditions are not counted, because the group of a person is unknown.';
  if (bucketingIdentifier === 'device_id')
    return 'The flag buckets by device, but device IDs are not stored. Persons without a device ID do not get the flag.';
  return null;
}
