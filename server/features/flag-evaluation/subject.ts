import type { CompiledFlag } from './compiled-flag.ts';
import type { FlagContext } from './flag-context.ts';
import { hashedIdentifier } from './flag-hash.ts';
import type { Subject } from './property-source.ts';

/** By what a flag's hashes are made; the value is null when the request does not tell. */
export interface Identifier {
  readonly kind: 'distinct_id' | 'anon_distinct_id' | 'stored' | 'device_id' | 'group_key';
  readonly value: string | null;
}

export function personOf(context: FlagContext): Subject {
  return { identityKey: 'distinct_id', identity: context.distinctId, layers: context.person };
}

/** The group of the request whose type has this index; null when the request names none (F-7). */
export function groupOf(context: FlagContext, index: number): Subject | null {
  const type = context.groupTypes[index];
  const group = type === undefined ? undefined : context.groups.get(type);
  if (group === undefined) return null;
  return { identityKey: '$group_key', identity: group.key, layers: group.properties };
}

/** Who is hashed for conditions about persons (F-8). */
export function personIdentifier({ definition }: CompiledFlag, context: FlagContext): Identifier {
  if (definition.bucketingIdentifier === 'device_id') {
    return { kind: 'device_id', value: deviceIdOf(context) };
  }
  if (definition.ensureExperienceContinuity) {
    const stored = context.hashKeys?.get(definition.key);
    if (stored !== undefined) return { kind: 'stored', value: hashedIdentifier(stored) };
    if (context.anonDistinctId) {
      return { kind: 'anon_distinct_id', value: hashedIdentifier(context.anonDistinctId) };
    }
  }
  return { kind: 'distinct_id', value: hashedIdentifier(context.distinctId) };
}

/** Server SDKs have no field for it and send it among the properties. */
function deviceIdOf({ deviceId, person }: FlagContext): string | null {
  const id =
    deviceId ??
    (person.request !== null && Object.hasOwn(person.request, '$device_id')
      ? person.request['$device_id']
      : null);
  return typeof id === 'string' && id !== '' ? hashedIdentifier(id) : null;
}

/** Who is hashed for the flag as a whole: the group of a flag about groups, else the person. */
export function identifierOf(flag: CompiledFlag, context: FlagContext): Identifier {
  if (flag.groupIndex === null) return personIdentifier(flag, context);
  const group = groupOf(context, flag.groupIndex);
  return { kind: 'group_key', value: group === null ? null : hashedIdentifier(group.identity) };
}
