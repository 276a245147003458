import type { CompiledFlag, FlagDefinition, FlagProperty, FlagSet } from '../../../conditions/index.ts';

/** The data that the flags of a project read; anything else is not loaded. */
export interface FlagSetInputs {
  /** The stored person. */
  readonly person: boolean;
  readonly groups: boolean;
  readonly location: boolean;
  /** Active flags with experience continuity (ingestion contract F-8). */
  readonly continuity: readonly string[];
}

const cache = new WeakMap<FlagSet, FlagSetInputs>();

/** The inputs of the set, computed once per set. */
export function inputsOf(set: FlagSet): FlagSetInputs {
  let inputs = cache.get(set);
  if (inputs === undefined) cache.set(set, (inputs = findInputs(set.flags)));
  return inputs;
}

function findInputs(flags: readonly CompiledFlag[]): FlagSetInputs {
  const definitions = flags.map(({ definition }) => definition);
  const continuity = definitions.filter(hasContinuity).map(({ key }) => key);
  const properties = definitions.flatMap(propertiesOf);
  return {
    person:
      continuity.length > 0 ||
      definitions.some(({ filters }) => filters.feature_enrollment === true) ||
      properties.some(({ type }) => type !== 'group' && type !== 'flag'),
    groups: definitions.some(isOfGroups),
    // Conditions inside cohorts are not inspected.
    location: properties.some(({ type, key }) => type === 'cohort' || String(key).includes('geoip_')),
    continuity,
  };
}

function hasContinuity(flag: FlagDefinition): boolean {
  return flag.active && flag.ensureExperienceContinuity && flag.bucketingIdentifier !== 'device_id';
}

function propertiesOf({ filters }: FlagDefinition): FlagProperty[] {
  const conditions = [
    ...(filters.groups ?? []),
    ...(filters.super_groups ?? []),
    ...(filters.holdout_groups ?? []),
  ];
  return conditions.flatMap(({ properties }) => properties ?? []);
}

function isOfGroups({ filters }: FlagDefinition): boolean {
  return (
    (filters.aggregation_group_type_index ?? null) !== null ||
    (filters.groups ?? []).some((condition) => (condition.aggregation_group_type_index ?? null) !== null)
  );
}
