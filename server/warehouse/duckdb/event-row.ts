import type { PropertyList } from '../../lib/property-lists.ts';
import type { JsonSlice } from './json-slice.ts';

/** One event as it is appended, and what it says to those who write in its commit. */
export interface EventRow {
  projectId: number;
  /** Canonical lower-case UUID text. */
  uuid: string;
  /** The sender gave the UUID, so that the same event may come again. */
  hasClientUuid: boolean;
  event: string;
  distinctId: string;
  /** Decided in the commit (persons), 0 before. */
  personId: number;
  /** Unix microseconds, a whole number. */
  timestamp: number;
  /** JSON text of an object. */
  properties: string | JsonSlice;
  elementsChain: string | null;
  /** Unix microseconds, a whole number. */
  receivedAt: number;
  historical: boolean;
  /** The library that sent it; empty when the event does not say, as libVersion. */
  lib: string;
  libVersion: string;
  /** The path of the request that brought it. */
  source: string;
  /** Whether the event creates no person (ingestion contract 6.2). */
  isAnonymous: boolean;
  /** What it says about persons and groups; null for most events. */
  identity: IdentityUpdate | null;
  /** What its properties say about the person beside that; null when they say nothing, or `identity` has it already. */
  derived: DerivedUpdate | null;
  /** Names and kinds of the properties as they were read; null when they have to be looked at. */
  propertyList: PropertyList | null;
  /** What was put into `properties` since: the same list for as many events as possible. */
  addedProperties: readonly AddedProperty[];
}

/** A property that the server adds to an event. */
export interface AddedProperty {
  readonly name: string;
  readonly value: unknown;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** What an event says about persons and groups (ingestion contract 6.3 to 6.7), read but not judged. */
export interface IdentityUpdate {
  set: JsonObject | null;
  setOnce: JsonObject | null;
  unset: readonly string[] | null;
  /** `distinctId` of the event is to be one person with this id. */
  merge: { kind: '$identify' | '$create_alias' | '$merge_dangerously'; otherId: string } | null;
  groupIdentify: {
    type: string;
    key: string;
    set: JsonObject;
    /** Decided in the commit (groups); null when the group is refused. */
    typeIndex?: number | null;
  } | null;
  /** `$groups`: type -> key, of the entries that name one. */
  groups: Readonly<Record<string, string>> | null;
}

/** What follows from the properties of an event, read only when it may change the person: most events say nothing new. */
export interface DerivedUpdate {
  /** Of each property that the person gets: twice its place in PERSON_PROPERTIES, and one more when it is null. */
  readonly codes: readonly number[];
  /** Reads it and puts it together with what the event says itself, which wins. */
  joinedWith(identity: IdentityUpdate | null): IdentityUpdate | null;
}
