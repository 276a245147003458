import type { PropertyLayers } from './flag-context.ts';
import type { PropertySource } from './flag-evaluation.contract.ts';

const INITIAL = '$initial_';

/** A person or a group whose properties are asked for. */
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
