import { hash } from 'node:crypto';
import type { TimeZone } from '../../lib/time-zone.ts';
import type { CompiledFlag } from './compile.ts';
import type { Properties } from './definition.ts';
import type { FlagSet } from './flag-set.ts';
import type { PropertySource } from './trace.contract.ts';

/** Where properties are looked for: what the request says, over GeoIP, over what is stored (ingestion contract 7.10, 7.11). */
export interface PropertyLayers {
  readonly request: Properties | null;
  readonly geoip: Properties | null;
  readonly stored: Properties | null;
}

export const NO_PROPERTIES: PropertyLayers = { request: null, geoip: null, stored: null };

/**
 * Whom flags are evaluated for. One object for one subject at one time: what several flags share (cohorts, other flags)
 * is computed once for it.
 */
export interface FlagContext {
  readonly set: FlagSet;
  /** Unix milliseconds; relative dates count from here. */
  readonly now: number;
  /** The project's: dates without a time zone are in it. */
  readonly zone: TimeZone;
  readonly distinctId: string;
  readonly anonDistinctId: string | null;
  readonly deviceId: string | null;
  /** Stored identifiers of the person by flag key (F-8); null when none are known. */
  readonly hashKeys: ReadonlyMap<string, string> | null;
  readonly person: PropertyLayers;
  /** Names of the group types by their index. */
  readonly groupTypes: readonly (string | undefined)[];
  /** The groups of the request, by type. */
  readonly groups: ReadonlyMap<string, { readonly key: string; readonly properties: PropertyLayers }>;
  /** Static cohorts of the person; null when the person is not known. */
  readonly memberOf: ReadonlySet<number> | null;
  /** Whether to tell how each value came about; value and reason are the same either way. */
  readonly trace: boolean;
}

const INITIAL = '$initial_';

/** A person or a group with its properties. */
export interface Subject {
  /** The property that is the identity itself, which the request names. */
  readonly identityKey: 'distinct_id' | '$group_key';
  readonly identity: string;
  readonly layers: PropertyLayers;
}

/** Where a property is found (ingestion contract 7.10, 7.11): the request comes first, what is stored last. */
export function sourceOf(key: string, { identityKey, layers }: Subject): PropertySource {
  const { request, geoip, stored } = layers;
  if (request !== null && Object.hasOwn(request, key)) return 'request';
  if (key === identityKey) return 'identity';
  if (geoip !== null && Object.hasOwn(geoip, key)) return 'geoip';
  if (stored !== null && Object.hasOwn(stored, key)) return 'stored';
  return initialKey(key, layers) === null ? 'none' : 'initial';
}

/** The value that a source has for a property. */
export function valueFrom(source: PropertySource, key: string, subject: Subject): unknown {
  const { request, geoip, stored } = subject.layers;
  switch (source) {
    case 'request':
      return request![key];
    case 'identity':
      return subject.identity;
    case 'geoip':
      return geoip![key];
    case 'stored':
      return stored![key];
    case 'initial':
      return request![initialKey(key, subject.layers)!];
    default:
      return null;
  }
}

/** A first visit sends no `$initial_X` yet: then X is the first. Names lose their `$` in there. */
function initialKey(key: string, { request }: PropertyLayers): string | null {
  if (request === null || !key.startsWith(INITIAL)) return null;
  const name = key.slice(INITIAL.length);
  if (Object.hasOwn(request, name)) return name;
  return Object.hasOwn(request, `$${name}`) ? `$${name}` : null;
}

/** The input of a flag's hashes; the value is null when the request does not contain it. */
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

/** 2^60: what 15 hexadecimal digits can say, as binary64 (F-10). */
const SCALE = 2 ** 60;
const MAX_IDENTIFIER = 200;

/**
 * Where an identifier falls between 0 and 1 (F-10): the first 15 hexadecimal digits of SHA-1 of prefix, identifier and
 * salt in UTF-8. The empty identifier falls to 0 (F-12).
 */
export function flagHash(prefix: string, identifier: string, salt: '' | 'variant'): number {
  if (identifier === '') return 0;
  return parseInt(hash('sha1', prefix + identifier + salt, 'hex').slice(0, 15), 16) / SCALE;
}

/** What of an identifier is hashed: its first 200 Unicode scalars (F-12). */
export function hashedIdentifier(identifier: string): string {
  if (identifier.length <= MAX_IDENTIFIER) return identifier;
  // A scalar is at most two units, so that no more of a long text has to be taken apart.
  return Array.from(identifier.slice(0, 2 * MAX_IDENTIFIER))
    .slice(0, MAX_IDENTIFIER)
    .join('');
}
