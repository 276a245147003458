import { createHash } from 'node:crypto';
import {
  createFlagSet,
  evaluateFlag,
  NO_PROPERTIES,
  type CohortDefinition,
  type FlagCondition,
  type FlagContext,
  type FlagDefinition,
  type FlagEvaluation,
  type FlagFilters,
  type FlagProperty,
  type FlagSet,
  type Properties,
  type PropertyLayers,
} from '../../server/conditions/index.ts';
import { timeZone } from '../../server/lib/time-zone.ts';

/** 2026-11-20T12:00:00Z. */
export const NOW = Date.UTC(2026, 10, 20, 12);

/** A flag that is on for all persons, with the given changes. */
export function flagDefinition(changes: Partial<FlagDefinition> = {}): FlagDefinition {
  return {
    id: 1,
    key: 'flag',
    name: '',
    active: true,
    version: 1,
    filters: { groups: [{ properties: [], rollout_percentage: 100 }] },
    ensureExperienceContinuity: false,
    bucketingIdentifier: null,
    evaluationRuntime: 'all',
    evaluationTags: [],
    isRemoteConfiguration: false,
    ...changes,
  };
}

/** The flag `flag` with these filters. */
export function flagWith(filters: FlagFilters): FlagDefinition {
  return flagDefinition({ filters });
}

/** A subject with only the distinct id `u1`, with the given changes. */
export function flagContext(set: FlagSet, changes: Partial<FlagContext> = {}): FlagContext {
  return {
    set,
    now: NOW,
    zone: timeZone('UTC'),
    distinctId: 'u1',
    anonDistinctId: null,
    deviceId: null,
    hashKeys: null,
    person: NO_PROPERTIES,
    groupTypes: [],
    groups: new Map(),
    memberOf: null,
    trace: false,
    ...changes,
  };
}

/** Person properties of the request. */
export function asked(request: Properties): PropertyLayers {
  return { ...NO_PROPERTIES, request };
}

/** Stored person properties. */
export function stored(properties: Properties): PropertyLayers {
  return { ...NO_PROPERTIES, stored: properties };
}

/** What the first of these flags says for the subject. */
export function evaluate(
  flags: FlagDefinition | readonly FlagDefinition[],
  context: Partial<FlagContext> = {},
  cohorts: readonly CohortDefinition[] = [],
): FlagEvaluation {
  const list: readonly FlagDefinition[] = 'key' in flags ? [flags] : flags;
  const set = createFlagSet(list, cohorts);
  const flag = set.find(list[0]!.key);
  if (flag === null) throw new Error(set.errors.get(list[0]!.key));
  return evaluateFlag(flag, flagContext(set, context));
}

/** Whether a person with these properties passes one comparison; `{}`: nothing is known of the person. */
export function passes(
  property: Partial<FlagProperty>,
  person: Properties,
  now = NOW,
  timezone = 'UTC',
): boolean {
  const filters = { groups: [{ properties: [{ key: 'p', type: 'person', ...property }] }] };
  return evaluate(flagWith(filters), { person: asked(person), now, zone: timeZone(timezone) }).value === true;
}

/** Conditions that match all persons, and none. */
export const EVERYBODY: FlagCondition = { properties: [], rollout_percentage: 100 };
export const NOBODY: FlagCondition = { properties: [], rollout_percentage: 0 };
/** Matches persons on the plan pro. */
export const PRO: FlagProperty = { key: 'plan', value: 'pro', operator: 'exact', type: 'person' };
export const FOR_PRO: FlagCondition = { properties: [PRO], rollout_percentage: 100 };
/** Two hundred distinct ids. */
export const IDS = Array.from({ length: 200 }, (_, n) => `distinct_id_${n}`);

/** h of F-10, the long way. */
export function h(text: string): number {
  const digits = createHash('sha1').update(text, 'utf8').digest('hex').slice(0, 15);
  return Number(BigInt(`0x${digits}`)) / 2 ** 60;
}

/** The reason's code and condition. */
export function reasonOf(
  definition: FlagDefinition,
  context: Partial<FlagContext> = {},
): [string, number | null] {
  const { code, conditionIndex } = evaluate(definition, context).reason;
  return [code, conditionIndex];
}

/** Groups by type, each with its key and properties, as a context has them. */
export function groupsOf(groups: Readonly<Record<string, [key: string, properties?: PropertyLayers]>>) {
  return {
    groupTypes: ['company', 'project'],
    groups: new Map(
      Object.entries(groups).map(([type, [key, properties = NO_PROPERTIES]]) => [type, { key, properties }]),
    ),
  };
}
