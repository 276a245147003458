import { ExactNumber, isJsonObject } from '../../lib/exact-number.contract.ts';
import type { IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';
import type { JsonObject } from './envelope.ts';
import { storedJson, storedName, storedText } from './stored-text.ts';

/** Events that change who is who; sent as anonymous they contradict themselves and are dropped (contract 6.2). */
const IDENTITY_EVENTS: ReadonlySet<string> = new Set([
  '$identify',
  '$create_alias',
  '$merge_dangerously',
  '$groupidentify',
]);
/** Events that never change a person's properties (contract 6.3). */
const WITHOUT_UPDATES: ReadonlySet<string> = new Set(['$exception', '$$heatmap']);

/** Whether the event is both anonymous and an identify call. */
export function contradictsItself(event: string, isAnonymous: boolean): boolean {
  return isAnonymous && IDENTITY_EVENTS.has(event);
}

/** Whether events of this name may change a person's properties. */
export function updatesPersons(event: string): boolean {
  return !WITHOUT_UPDATES.has(event);
}

/**
 * Reads what an event says about persons and groups (ingestion contract 6.2 to 6.7); null when it says nothing, as most
 * do. Whether it is carried out is decided in the commit, where persons are known.
 */
export function readIdentity(
  event: string,
  properties: JsonObject,
  isAnonymous: boolean,
): IdentityUpdate | null {
  if (isAnonymous) return null;
  const groups = groupsOf(properties.$groups);
  const isUpdating = updatesPersons(event);
  const set = isUpdating ? filledObject(properties.$set) : null;
  const setOnce = isUpdating ? filledObject(properties.$set_once) : null;
  const unset = isUpdating ? namesOf(properties.$unset) : null;
  const merge = IDENTITY_EVENTS.has(event) ? mergeOf(event, properties) : null;
  const groupIdentify = event === '$groupidentify' ? groupIdentifyOf(properties) : null;
  const isNothing =
    groups === null &&
    set === null &&
    setOnce === null &&
    unset === null &&
    merge === null &&
    groupIdentify === null;
  return isNothing ? null : { set, setOnce, unset, merge, groupIdentify, groups };
}

function mergeOf(event: string, properties: JsonObject): IdentityUpdate['merge'] {
  if (event === '$identify') {
    const otherId = idOf(properties.$anon_distinct_id);
    return otherId === null ? null : { kind: event, otherId };
  }
  if (event !== '$create_alias' && event !== '$merge_dangerously') return null;
  const otherId = idOf(properties.alias);
  return otherId === null ? null : { kind: event, otherId };
}

function groupIdentifyOf(properties: JsonObject): IdentityUpdate['groupIdentify'] {
  const { $group_type, $group_key } = properties;
  const type = namesNothing($group_type) ? null : storedName(textOf($group_type));
  const key = namesNothing($group_key) ? null : storedText(textOf($group_key));
  if (type === null || key === null) return null;
  return { type, key, set: isJsonObject(properties.$group_set) ? properties.$group_set : {} };
}

/** The groups an event names; a type or key that is missing names none. */
function groupsOf(value: unknown): Readonly<Record<string, string>> | null {
  if (!isJsonObject(value)) return null;
  const entries = Object.entries(value).flatMap(([type, key]) => {
    const text = keyOf(key);
    return type === '' || text === null ? [] : [[storedName(type), text] as const];
  });
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** A group's key as text, of any length; longer ones are refused with a warning. */
function keyOf(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : storedText(value);
  return typeof value === 'number' || typeof value === 'boolean' || value instanceof ExactNumber
    ? String(value)
    : null;
}

/** A distinct id as it is stored, or null for what says none. */
function idOf(value: unknown): string | null {
  return namesNothing(value) ? null : storedName(textOf(value));
}

function namesNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === 0 || value === '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : storedJson(value);
}

function filledObject(value: unknown): JsonObject | null {
  return isJsonObject(value) && Object.keys(value).length > 0 ? value : null;
}

/** The names to unset: those of a list, or the keys of an object. */
function namesOf(value: unknown): readonly string[] | null {
  const names = Array.isArray(value)
    ? value.filter((name): name is string => typeof name === 'string')
    : isJsonObject(value)
      ? Object.keys(value)
      : [];
  return names.length === 0 ? null : names;
}
