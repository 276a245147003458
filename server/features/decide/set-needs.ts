import type { CompiledFlag, FlagDefinition, FlagProperty, FlagSet } from '../../conditions/index.ts';

/** What the flags of a project ask about: what none of them needs is not looked up. */
export interface SetNeeds {
  /** Anything stored of the person. */
  readonly person: boolean;
  readonly groups: boolean;
  readonly location: boolean;
  /** Active flags that keep their answer over sign-in (ingestion contract F-8). */
  readonly continuity: readonly string[];
}

const known = new WeakMap<FlagSet, SetNeeds>();

/** What the flags of the set need; found once for each set. */
export function needsOf(set: FlagSet): SetNeeds {
  let needs = known.get(set);
  if (needs === undefined) known.set(set, (needs = findNeeds(set.flags)));
  return needs;
}

function findNeeds(flags: readonly CompiledFlag[]): SetNeeds {
  const definitions = flags.map(({ definition }) => definition);
  const continuity = definitions.filter(keepsAnswer).map(({ key }) => key);
  const properties = definitions.flatMap(propertiesOf);
  return {
    person:
      continuity.length > 0 ||
      definitions.some(({ filters }) => filters.feature_enrollment === true) ||
      properties.some(({ type }) => type !== 'group' && type !== 'flag'),
    groups: definitions.some(isOfGroups),
    // What a cohort asks about is not looked into.
    location: properties.some(({ type, key }) => type === 'cohort' || String(key).includes('geoip_')),
    continuity,
  };
}

function keepsAnswer(flag: FlagDefinition): boolean {
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
