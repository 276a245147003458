import type { GeoipProperties } from '../../geoip/index.ts';

/** Values of stored properties, as JSON. Keys are arbitrary, so use own keys only. */
export type Properties = Readonly<Record<string, unknown>>;

/** Stored data of a person or placeholder. */
export interface Subject {
  /** ID of the person, or of a placeholder while only anonymous events have the distinct ID. */
  readonly personId: number;
  /** Null for a placeholder. */
  readonly uuid: string | null;
  readonly properties: Properties;
  /** Static cohorts of the person and of persons merged into it. */
  readonly memberOf: ReadonlySet<number>;
  /** Hash key overrides by flag key (ingestion contract F-8). */
  readonly hashKeys: ReadonlyMap<string, string>;
}

/** Stored data of a group. */
export interface GroupSubject {
  readonly properties: Properties;
}

export interface GroupsByType {
  readonly types: readonly (string | undefined)[];
  /** By the index of their type. */
  readonly groups: ReadonlyMap<number, GroupSubject | null>;
}

/** A cached value, or a promise of one that must be loaded. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Cached persons and groups for flag evaluation. A read sees everything acknowledged before it: a change invalidates
 * cached entries before it is acknowledged.
 */
export interface FlagSubjects {
  /** Null for an unused distinct ID. */
  person(projectId: number, distinctId: string): MaybePromise<Subject | null>;
  /** Null for a group without properties. */
  group(projectId: number, groupTypeIndex: number, groupKey: string): MaybePromise<GroupSubject | null>;
  /** Group type names of the project by index; null when not cached: call `groupsByType`. */
  groupTypes(projectId: number): readonly (string | undefined)[] | null;
  /** Group type names, and groups by type and key, in one lookup. */
  groupsByType(
    projectId: number,
    keys: readonly (readonly [type: string, key: string])[],
  ): Promise<GroupsByType>;
  /** The `$geoip_…` properties of an address; null when it is private or unknown. */
  location(ip: string): MaybePromise<GeoipProperties | null>;
  /** Stores the hash key of a person for flags that have none yet (F-8); does nothing for an unused distinct ID. */
  rememberHashKeys(
    projectId: number,
    distinctIds: readonly string[],
    flagKeys: readonly string[],
    hashKey: string,
  ): Promise<void>;
  /** Call after a change of static cohorts is committed and before it is acknowledged. */
  forgetCohorts(): void;
}
