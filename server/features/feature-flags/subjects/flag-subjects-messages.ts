import type { GeoipProperties } from '../../geoip/index.ts';
import type { GroupName } from '../../../warehouse/duckdb/group-tables.ts';
import type { Properties } from './subject.ts';

/**
 * Messages between the cache of flag subjects (`flag-subjects.service.ts`) and the store thread
 * (`flag-subjects-thread.ts`). Results and invalidations use the same port, so they arrive in order.
 */

/** A distinct ID within a project. */
export interface DistinctName {
  projectId: number;
  distinctId: string;
}

/** The cache key of a person; each distinct ID has its own. */
export function personKey({ projectId, distinctId }: DistinctName): string {
  return `${projectId} ${distinctId}`;
}

/** Groups by type name, of a project whose types are not cached. */
export interface NamedGroups {
  projectId: number;
  /** Type and key of each; unknown types are skipped. */
  keys: readonly (readonly [type: string, key: string])[];
}

/** The group types of the project, and for each group its type index, key, and properties as JSON text or null. */
export interface FoundGroups {
  types: (string | undefined)[];
  groups: [groupTypeIndex: number, groupKey: string, properties: string | null][];
}

/** All cache misses of one event loop turn. */
export interface LookupRequest {
  kind: 'asked';
  id: number;
  persons: DistinctName[];
  groups: GroupName[];
  named: NamedGroups[];
  /** Addresses to look up. */
  addresses: string[];
}

/** Stores the hash key for the person of the first used distinct ID, for flags that have none yet. */
export interface HashKeysRequest {
  kind: 'hash_keys';
  id: number;
  projectId: number;
  distinctIds: readonly string[];
  flagKeys: readonly string[];
  hashKey: string;
}

export type ToSubjects =
  | LookupRequest
  | HashKeysRequest
  /** Static cohorts have changed; `generation` increases with each change. */
  | { kind: 'cohorts'; generation: number };

/**
 * A person or placeholder: ID, UUID or null, properties and their length as JSON text, static cohorts, and hash keys
 * by flag.
 */
export type FoundPerson = [
  personId: number,
  uuid: string | null,
  properties: Properties,
  size: number,
  memberOf: number[],
  hashKeys: [string, string][],
];

/** Results in the order of the request; null where there is none. */
export interface Found {
  kind: 'found';
  id: number;
  /**
   * JSON text of `(FoundPerson | null)[]`: stored properties are JSON text already, and one text is cheaper to send
   * to another thread than many objects.
   */
  persons: string;
  /** JSON texts. */
  groups: (string | null)[];
  named: FoundGroups[];
  addresses: (GeoipProperties | null)[];
}

/** Prefetched persons by cache key (`personKey`), each as the text of its `FoundPerson`. */
export interface PrefetchedPersons {
  kind: 'ahead';
  /** Generation of the last change of static cohorts included. */
  generation: number;
  keys: string[];
  personIds: number[];
  persons: string[];
}

/** Shared entries that are stale. */
export interface Invalidations {
  kind: 'stale';
  personIds: number[];
  distinctIds: DistinctName[];
  groups: GroupName[];
  /** Projects whose types of groups have changed. */
  types: number[];
  /** Deleted projects. */
  projects: number[];
  /** The GeoIP database has changed. */
  addresses: boolean;
}

export type FromSubjects =
  Found | PrefetchedPersons | Invalidations | { kind: 'kept' | 'failed'; id: number };
