import type { PropertyNames } from '../../lib/property-names.ts';
import type { AddedProperty } from '../../warehouse/duckdb/event-row.ts';
import { OWNERS, type PropertyOwner } from './property-owner.ts';
import type { PropertyType } from './property-type.ts';
import { createSeenEntries, type SeenEntries } from './seen-entries.ts';

/** An event name in the memory of the store's thread; fields that users set are in the table alone. */
export interface KnownEvent {
  readonly id: string;
  readonly projectId: number;
  readonly name: string;
  readonly firstSeenAt: number;
  /** Of the last event that was looked at, at most a minute before the last one; Unix microseconds, 0 for none. */
  seenAt: number;
  /** The minute of `seenAt`. */
  minute: number;
  readonly properties: Set<KnownProperty>;
  /** Which properties were seen when, by the entries of lists whose names are `names`. */
  seen: SeenEntries;
  names: PropertyNames | null;
  /** What was added to the last event that was looked at for that, and when. */
  added: readonly AddedProperty[] | null;
  addedMinute: number;
}

export interface KnownProperty {
  readonly id: string;
  readonly projectId: number;
  readonly owner: PropertyOwner;
  readonly name: string;
  type: PropertyType | null;
  readonly firstSeenAt: number;
  seenAt: number;
  minute: number;
}

export interface KnownProject {
  readonly id: number;
  readonly events: Map<string, KnownEvent>;
  /** By owner and name. */
  readonly properties: readonly Map<string, KnownProperty>[];
  /** How many events have carried how many properties, summed up. */
  pairs: number;
  /** Entries of `seen` of all its events. */
  marks: number;
  /** What was logged as full. */
  readonly full: Set<string>;
}

export function newProject(id: number): KnownProject {
  const properties = Array.from({ length: OWNERS }, () => new Map<string, KnownProperty>());
  return { id, events: new Map(), properties, pairs: 0, marks: 0, full: new Set() };
}

export function newEvent(id: string, projectId: number, name: string, seenAt = 0): KnownEvent {
  return {
    id,
    projectId,
    name,
    firstSeenAt: seenAt,
    seenAt,
    minute: minuteOf(seenAt),
    properties: new Set(),
    seen: createSeenEntries(),
    names: null,
    added: null,
    addedMinute: 0,
  };
}

/** The minute of a time in Unix microseconds. */
export function minuteOf(micros: number): number {
  return Math.floor(micros / 60_000_000);
}

/** Has every property looked at again when it comes next. */
export function forgetSeen(project: KnownProject): void {
  for (const event of project.events.values()) {
    event.seen = createSeenEntries();
    event.added = null;
  }
  project.marks = 0;
}

/** Forgets an event name, so that it is new when it comes again. */
export function forgetEvent(project: KnownProject, name: string): void {
  project.pairs -= project.events.get(name)?.properties.size ?? 0;
  project.events.delete(name);
}

/** Forgets a property, so that it is new when it comes again. */
export function forgetProperty(project: KnownProject, owner: PropertyOwner, name: string): void {
  const property = project.properties[owner]!.get(name);
  if (property === undefined) return;
  project.properties[owner]!.delete(name);
  for (const event of project.events.values()) if (event.properties.delete(property)) project.pairs--;
  forgetSeen(project);
}
