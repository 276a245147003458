import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { MAX_NAME_LENGTH, type PropertyNames } from '../../lib/property-names.ts';
import { kindOf, nameIdOf, type PropertyList } from '../../lib/property-lists.ts';
import { kindOfValue, type ValueKind } from '../../lib/value-kind.ts';
import type { EventRow, IdentityUpdate } from '../../warehouse/duckdb/event-row.ts';
import { textOfJson } from '../../warehouse/duckdb/json-slice.ts';
import {
  forgetSeen,
  minuteOf,
  newEvent,
  newProject,
  type KnownEvent,
  type KnownProject,
  type KnownProperty,
} from './known-definitions.ts';
import { OF_EVENTS, OF_PERSONS, ofGroups, type PropertyOwner } from './property-owner.ts';
import { propertyTypeOf, widerType } from './property-type.ts';
import { createSeenEntries, FOREVER, isSeen, markSeen } from './seen-entries.ts';

/**
 * How many names are listed for each project; others beyond them are stored with their events and not listed. A client
 * that makes up names must neither fill the memory nor the file.
 */
export const LIMITS = {
  eventNames: 10_000,
  /** Of events, of persons, and of each group type. */
  propertyNames: 10_000,
  /** Event names by the properties they were seen with. */
  pairs: 100_000,
} as const;
/** Marks of seen properties that a project keeps in memory; more begin anew. */
const MAX_MARKS = 200_000;

/** Orders to persons and groups that stand among the properties of an event, and are none. */
const NO_PROPERTIES: ReadonlySet<string> = new Set(['$set', '$set_once', '$unset', '$groups', '$group_set']);

/** What the events of one commit have to have written about themselves. */
export interface Sightings {
  readonly newEvents: Set<KnownEvent>;
  readonly newProperties: Set<KnownProperty>;
  readonly newPairs: { event: KnownEvent; property: KnownProperty }[];
  /** Seen for the first time in their minute, or of a wider type. */
  readonly seenEvents: Set<KnownEvent>;
  readonly seenProperties: Set<KnownProperty>;
  /** Projects that have new properties, or one of a wider type. */
  readonly typedProjects: Set<number>;
}

export interface Sighter {
  /** Looks at an event. Costs next to nothing when all it carries was seen in this minute. */
  see(row: EventRow): void;
  /** What has to be written since the last call; null when nothing has. */
  take(): Sightings | null;
}

/** Looks for new names and wider types in events, against what is known of each project. */
export function createSighter(options: {
  projects: Map<number, KnownProject>;
  newId: NewId;
  log: Log;
}): Sighter {
  const { projects, newId, log } = options;
  let sightings = newSightings();
  let hasNews = false;

  function projectOf(id: number): KnownProject {
    let project = projects.get(id);
    if (project === undefined) projects.set(id, (project = newProject(id)));
    return project;
  }

  function eventOf(project: KnownProject, row: EventRow): KnownEvent | undefined {
    const known = project.events.get(row.event);
    if (known !== undefined) return known;
    if (isAtLimit(project, 'event names', project.events.size, LIMITS.eventNames)) return undefined;
    const event = newEvent(newId(), project.id, row.event, row.receivedAt);
    project.events.set(row.event, event);
    sightings.newEvents.add(event);
    hasNews = true;
    return event;
  }

  function isAtLimit(project: KnownProject, what: string, size: number, limit: number): boolean {
    if (size < limit) return false;
    if (!project.full.has(what)) {
      project.full.add(what);
      log.warn(
        { project: project.id, limit },
        `A project has very many ${what}; further ones are not listed`,
      );
    }
    return true;
  }

  /** Notes a property; null when it is not listed. */
  function seeProperty(
    project: KnownProject,
    owner: PropertyOwner,
    name: string,
    kind: ValueKind,
    row: EventRow,
  ): KnownProperty | null {
    const type = propertyTypeOf(name, kind);
    const minute = minuteOf(row.receivedAt);
    const names = project.properties[owner]!;
    const known = names.get(name);
    if (known === undefined) {
      if (isAtLimit(project, `property names (${owner})`, names.size, LIMITS.propertyNames)) return null;
      const seen = { firstSeenAt: row.receivedAt, seenAt: row.receivedAt, minute };
      const property: KnownProperty = { id: newId(), projectId: project.id, owner, name, type, ...seen };
      names.set(name, property);
      sightings.newProperties.add(property);
      sightings.typedProjects.add(project.id);
      hasNews = true;
      return property;
    }
    const wider = widerType(known.type, type);
    if (wider === known.type && minute <= known.minute) return known;
    if (wider !== known.type) sightings.typedProjects.add(project.id);
    known.type = wider;
    if (minute > known.minute) {
      known.minute = minute;
      known.seenAt = row.receivedAt;
    }
    sightings.seenProperties.add(known);
    hasNews = true;
    return known;
  }

  function seeOfEvent(
    project: KnownProject,
    event: KnownEvent,
    name: string,
    kind: ValueKind,
    row: EventRow,
  ): KnownProperty | null {
    if (NO_PROPERTIES.has(name)) return null;
    const property = seeProperty(project, OF_EVENTS, name, kind, row);
    if (property === null || event.properties.has(property)) return property;
    if (isAtLimit(project, 'properties by event', project.pairs, LIMITS.pairs)) return property;
    event.properties.add(property);
    project.pairs++;
    sightings.newPairs.push({ event, property });
    hasNews = true;
    return property;
  }

  /** The properties by their numbers: all that most events need. */
  function seeList(project: KnownProject, event: KnownEvent, list: PropertyList, row: EventRow): void {
    const { names, entries, to } = list;
    if (event.names !== names) renew(event, names);
    const minute = minuteOf(row.receivedAt);
    for (let i = list.from; i < to; i++) {
      const entry = entries[i]!;
      if (!isSeen(event.seen, entry, minute)) seeEntry(project, event, names, entry, minute, row);
    }
  }

  function seeEntry(
    project: KnownProject,
    event: KnownEvent,
    names: PropertyNames,
    entry: number,
    minute: number,
    row: EventRow,
  ): void {
    const property = seeOfEvent(project, event, names.nameOf(nameIdOf(entry)), kindOf(entry), row);
    if (project.marks >= MAX_MARKS) forgetSeen(project);
    const before = event.seen.count;
    markSeen(event.seen, entry, property === null ? FOREVER : minute);
    project.marks += event.seen.count - before;
  }

  function seeAdded(project: KnownProject, event: KnownEvent, row: EventRow): void {
    const { addedProperties } = row;
    if (addedProperties.length === 0) return;
    const minute = minuteOf(row.receivedAt);
    if (event.added === addedProperties && event.addedMinute >= minute) return;
    for (const { name, value } of addedProperties) seeOfEvent(project, event, name, kindOfValue(value), row);
    event.added = addedProperties;
    event.addedMinute = minute;
  }

  /** The properties by their text, when nobody has listed them. */
  function seeText(project: KnownProject, event: KnownEvent, row: EventRow): void {
    for (const [key, value] of Object.entries(JSON.parse(textOfJson(row.properties)) as object)) {
      const name = listedName(key);
      if (name !== null) seeOfEvent(project, event, name, kindOfValue(value), row);
    }
  }

  function seeObject(
    project: KnownProject,
    owner: PropertyOwner,
    object: Readonly<Record<string, unknown>> | null,
    row: EventRow,
  ): void {
    if (object === null) return;
    const names = project.properties[owner]!;
    for (const key of Object.keys(object)) {
      // Nearly every name is listed already, and a listed name needs no cleaning.
      const name = names.has(key) ? key : listedName(key);
      if (name !== null) seeProperty(project, owner, name, kindOfValue(object[key]), row);
    }
  }

  function seeIdentity(project: KnownProject, identity: IdentityUpdate, row: EventRow): void {
    seeObject(project, OF_PERSONS, identity.set, row);
    seeObject(project, OF_PERSONS, identity.setOnce, row);
    const index = identity.groupIdentify?.typeIndex;
    if (typeof index === 'number') seeObject(project, ofGroups(index), identity.groupIdentify!.set, row);
  }

  return {
    see(row) {
      const project = projectOf(row.projectId);
      const event = eventOf(project, row);
      if (row.identity !== null) seeIdentity(project, row.identity, row);
      if (event === undefined) return;
      const minute = minuteOf(row.receivedAt);
      if (minute > event.minute) {
        event.minute = minute;
        event.seenAt = row.receivedAt;
        sightings.seenEvents.add(event);
        hasNews = true;
      }
      if (row.propertyList === null) seeText(project, event, row);
      else {
        seeList(project, event, row.propertyList, row);
        seeAdded(project, event, row);
      }
    },
    take() {
      if (!hasNews) return null;
      const taken = sightings;
      sightings = newSightings();
      hasNews = false;
      return taken;
    },
  };
}

function newSightings(): Sightings {
  return {
    newEvents: new Set(),
    newProperties: new Set(),
    newPairs: [],
    seenEvents: new Set(),
    seenProperties: new Set(),
    typedProjects: new Set(),
  };
}

function renew(event: KnownEvent, names: PropertyNames): void {
  event.names = names;
  event.seen = createSeenEntries();
}

/** The name as it is listed, with U+FFFD for what no database takes as text; null for one that is too long. */
function listedName(key: string): string | null {
  return key.length > MAX_NAME_LENGTH ? null : key.replaceAll('\0', '\ufffd').toWellFormed();
}
