import type { GeoipProperties } from '../geoip/index.ts';
import type { GroupName } from '../../warehouse/duckdb/group-tables.ts';
import type { Properties } from './subject.ts';

/**
 * Messages between the memory of flags (`flag-subjects.service.ts`) and its part in the thread of the database
 * (`flag-subjects-thread.ts`). Answers and what makes them old cross the same port, so they arrive in their order.
 */

/** Who is meant by a distinct id. */
export interface DistinctName {
  projectId: number;
  distinctId: string;
}

/** Under which a person is remembered; each distinct id is a key of its own. */
export function personKey({ projectId, distinctId }: DistinctName): string {
  return `${projectId} ${distinctId}`;
}

/** Groups by the names of their types, of a project whose types are not known to who asks. */
export interface NamedGroups {
  projectId: number;
  /** Type and key of each; a type that the project does not have is passed over. */
  keys: readonly (readonly [type: string, key: string])[];
}

/** Its types, and of each named group the index of its type, its key, and JSON text or null. */
export interface FoundGroups {
  types: (string | undefined)[];
  groups: [groupTypeIndex: number, groupKey: string, properties: string | null][];
}

/** All misses of one turn of the loop. */
export interface Asked {
  kind: 'asked';
  id: number;
  persons: DistinctName[];
  groups: GroupName[];
  named: NamedGroups[];
  /** Addresses to look up. */
  addresses: string[];
}

/** Keeps whom to count the first known of these ids as, by flags of which nothing is kept. */
export interface HashKeysAsked {
  kind: 'hash_keys';
  id: number;
  projectId: number;
  distinctIds: readonly string[];
  flagKeys: readonly string[];
  hashKey: string;
}

export type ToSubjects =
  | Asked
  | HashKeysAsked
  /** Static cohorts were changed by others; `generation` is greater than with the change before. */
  | { kind: 'cohorts'; generation: number };

/**
 * A person or placeholder: number, UUID or null, properties, their length as JSON text, static cohorts, and whom flags count
 * it as, by their keys.
 */
export type FoundPerson = [
  personId: number,
  uuid: string | null,
  properties: Properties,
  size: number,
  memberOf: number[],
  hashKeys: [string, string][],
];

/** Answers in the order of what was asked; null where there is nothing. */
export interface Found {
  kind: 'found';
  id: number;
  /**
   * JSON text of `(FoundPerson | null)[]`: what is stored is JSON text already, and one text crosses to another thread for
   * less than many objects.
   */
  persons: string;
  /** JSON texts. */
  groups: (string | null)[];
  named: FoundGroups[];
  addresses: (GeoipProperties | null)[];
}

/** Persons that nobody has asked for yet, by key of the memory (`personKey`), each with the text of its `FoundPerson`. */
export interface Ahead {
  kind: 'ahead';
  /** Of the last change of static cohorts that it knows of. */
  generation: number;
  keys: string[];
  personIds: number[];
  persons: string[];
}

/** What was given out and is old now. */
export interface Stale {
  kind: 'stale';
  personIds: number[];
  distinctIds: DistinctName[];
  groups: GroupName[];
  /** Projects whose types of groups have changed. */
  types: number[];
  /** Projects that are gone. */
  projects: number[];
  /** Addresses are looked up in another file. */
  addresses: boolean;
}

export type FromSubjects = Found | Ahead | Stale | { kind: 'kept' | 'failed'; id: number };
