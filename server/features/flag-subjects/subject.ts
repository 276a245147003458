import type { GeoipProperties } from '../geoip/index.ts';

/** Values of stored properties, as JSON. An own key may be called anything; there is no prototype to trust. */
export type Properties = Readonly<Record<string, unknown>>;

/** What is stored of whoever has a distinct id. */
export interface Subject {
  /** Of `persons`, or of a placeholder while only anonymous events came with the id. */
  readonly personId: number;
  /** Null: a placeholder, of whom no person is kept. */
  readonly uuid: string | null;
  readonly properties: Properties;
  /** Static cohorts of the person; those of persons merged into it are among them. */
  readonly memberOf: ReadonlySet<number>;
  /** Whom to count the person as, by key of a flag (ingestion contract F-8). */
  readonly hashKeys: ReadonlyMap<string, string>;
}

/** What is stored of a group. */
export interface GroupSubject {
  readonly properties: Properties;
}

export interface GroupsByType {
  readonly types: readonly (string | undefined)[];
  /** By the index of their type. */
  readonly groups: ReadonlyMap<number, GroupSubject | null>;
}

/** What can be known at once, or has to be looked up. */
export type Soon<T> = T | Promise<T>;

/**
 * Stored persons and groups as flags need them, from the memory of this thread. What was acknowledged before a call is
 * seen by it: a change takes what it makes old out of this memory before it is acknowledged.
 */
export interface FlagSubjects {
  /** Null for a distinct id that no event has carried. */
  person(projectId: number, distinctId: string): Soon<Subject | null>;
  /** Null for a group that nobody has described. */
  group(projectId: number, groupTypeIndex: number, groupKey: string): Soon<GroupSubject | null>;
  /** Names of the project's types of groups, by index; null: not in memory, and `groupsByType` tells them. */
  groupTypes(projectId: number): readonly (string | undefined)[] | null;
  /** Those names, and groups that are named by type and key: one look-up for both. */
  groupsByType(
    projectId: number,
    keys: readonly (readonly [type: string, key: string])[],
  ): Promise<GroupsByType>;
  /** The `$geoip_…` properties of an address; null for one that is not public or not known. */
  location(ip: string): Soon<GeoipProperties | null>;
  /** Keeps whom to count a person as, for flags of which nothing is kept (F-8); nothing for a distinct id unseen. */
  rememberHashKeys(
    projectId: number,
    distinctIds: readonly string[],
    flagKeys: readonly string[],
    hashKey: string,
  ): Promise<void>;
  /** After a change of static cohorts was committed, and before it is acknowledged. */
  forgetCohorts(): void;
}
