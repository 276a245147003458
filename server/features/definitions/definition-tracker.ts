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
 * Maximum number of listed names per project; others are stored with their events but not listed. A client that
 * generates names must not fill memory or the file.
 */
export const LIMITS = {
  eventNames: 10_000,
  /** Of events, of persons, and of each group type. */
  propertyNames: 10_000,
  /** Pairs of event name and property. */
  pairs: 100_000,
} as const;
/** Seen entries that a project keeps in memory; beyond that they are reset. */
const MAX_SEEN_ENTRIES = 200_000;

/** Members of `properties` that update persons and groups and are not properties. */
const NO_PROPERTIES: ReadonlySet<string> = new Set(['$set', '$set_once', '$unset', '$groups', '$group_set']);

/** Definitions to write in one commit. */
export interface DefinitionChanges {
  readonly newEvents: Set<KnownEvent>;
  readonly newProperties: Set<KnownProperty>;
  readonly newPairs: { event: KnownEvent; property: KnownProperty }[];
  /** Seen for the first time in their minute, or of a wider type. */
  readonly seenEvents: Set<KnownEvent>;
  readonly seenProperties: Set<KnownProperty>;
  /** Projects that have new properties, or one of a wider type. */
  readonly typedProjects: Set<number>;
}

export interface DefinitionTracker {
  /** Records names and types of an event. Costs next to nothing when all of them were seen in this minute. */
  observe(row: EventRow): void;
  /** The changes since the last call; null when there are none. */
  takeChanges(): DefinitionChanges | null;
}

/** Finds new names and wider types in events, compared to the known definitions of each project. */
export function createDefinitionTracker(options: {
  projects: Map<number, KnownProject>;
  newId: NewId;
  log: Log;
}): DefinitionTracker {
  const { projects, newId, log } = options;
  let changes = noChanges();
  let hasChanges = false;

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
    changes.newEvents.add(event);
    hasChanges = true;
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

  /** Records a property; null when it is not listed. */
  function observeProperty(
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
      changes.newProperties.add(property);
      changes.typedProjects.add(project.id);
      hasChanges = true;
      return property;
    }
    const wider = widerType(known.type, type);
    if (wider === known.type && minute <= known.minute) return known;
    if (wider !== known.type) changes.typedProjects.add(project.id);
    known.type = wider;
    if (minute > known.minute) {
      known.minute = minute;
      known.seenAt = row.receivedAt;
    }
    changes.seenProperties.add(known);
    hasChanges = true;
    return known;
  }

  function observeEventProperty(
    project: KnownProject,
    event: KnownEvent,
    name: string,
    kind: ValueKind,
    row: EventRow,
  ): KnownProperty | null {
    if (NO_PROPERTIES.has(name)) return null;
    const property = observeProperty(project, OF_EVENTS, name, kind, row);
    if (property === null || event.properties.has(property)) return property;
    if (isAtLimit(project, 'properties by event', project.pairs, LIMITS.pairs)) return property;
    event.properties.add(property);
    project.pairs++;
    changes.newPairs.push({ event, property });
    hasChanges = true;
    return property;
  }

  /** Properties by name ID; enough for most events. */
  function observeList(project: KnownProject, event: KnownEvent, list: PropertyList, row: EventRow): void {
    const { names, entries, to } = list;
    if (event.names !== names) resetSeen(event, names);
    const minute = minuteOf(row.receivedAt);
    for (let i = list.from; i < to; i++) {
      const entry = entries[i]!;
      if (!isSeen(event.seen, entry, minute)) observeEntry(project, event, names, entry, minute, row);
    }
  }

  function observeEntry(
    project: KnownProject,
    event: KnownEvent,
    names: PropertyNames,
    entry: number,
    minute: number,
    row: EventRow,
  ): void {
    const property = observeEventProperty(project, event, names.nameOf(nameIdOf(entry)), kindOf(entry), row);
    if (project.marks >= MAX_SEEN_ENTRIES) forgetSeen(project);
    const before = event.seen.count;
    markSeen(event.seen, entry, property === null ? FOREVER : minute);
    project.marks += event.seen.count - before;
  }

  function observeAdded(project: KnownProject, event: KnownEvent, row: EventRow): void {
    const { addedProperties } = row;
    if (addedProperties.length === 0) return;
    const minute = minuteOf(row.receivedAt);
    if (event.added === addedProperties && event.addedMinute >= minute) return;
    for (const { name, value } of addedProperties)
      observeEventProperty(project, event, name, kindOfValue(value), row);
    event.added = addedProperties;
    event.addedMinute = minute;
  }

  /** Properties parsed from their text, when there is no list. */
  function observeText(project: KnownProject, event: KnownEvent, row: EventRow): void {
    for (const [key, value] of Object.entries(JSON.parse(textOfJson(row.properties)) as object)) {
      const name = listedName(key);
      if (name !== null) observeEventProperty(project, event, name, kindOfValue(value), row);
    }
  }

  function observeObject(
    project: KnownProject,
    owner: PropertyOwner,
    object: Readonly<Record<string, unknown>> | null,
    row: EventRow,
  ): void {
    if (object === null) return;
    const names = project.properties[owner]!;
    for (const key of Object.keys(object)) {
      // Most names are already listed, and a listed name needs no cleaning.
      const name = names.has(key) ? key : listedName(key);
      if (name !== null) observeProperty(project, owner, name, kindOfValue(object[key]), row);
    }
  }

  function observeIdentity(project: KnownProject, identity: IdentityUpdate, row: EventRow): void {
    observeObject(project, OF_PERSONS, identity.set, row);
    observeObject(project, OF_PERSONS, identity.setOnce, row);
    const index = identity.groupIdentify?.typeIndex;
    if (typeof index === 'number') observeObject(project, ofGroups(index), identity.groupIdentify!.set, row);
  }

  return {
    observe(row) {
      const project = projectOf(row.projectId);
      const event = eventOf(project, row);
      if (row.identity !== null) observeIdentity(project, row.identity, row);
      if (event === undefined) return;
      const minute = minuteOf(row.receivedAt);
      if (minute > event.minute) {
        event.minute = minute;
        event.seenAt = row.receivedAt;
        changes.seenEvents.add(event);
        hasChanges = true;
      }
      if (row.propertyList === null) observeText(project, event, row);
      else {
        observeList(project, event, row.propertyList, row);
        observeAdded(project, event, row);
      }
    },
    takeChanges() {
      if (!hasChanges) return null;
      const taken = changes;
      changes = noChanges();
      hasChanges = false;
      return taken;
    },
  };
}

function noChanges(): DefinitionChanges {
  return {
    newEvents: new Set(),
    newProperties: new Set(),
    newPairs: [],
    seenEvents: new Set(),
    seenProperties: new Set(),
    typedProjects: new Set(),
  };
}

function resetSeen(event: KnownEvent, names: PropertyNames): void {
  event.names = names;
  event.seen = createSeenEntries();
}

/** The name with U+FFFD for characters that the database cannot store; null when it is too long. */
function listedName(key: string): string | null {
  return key.length > MAX_NAME_LENGTH ? null : key.replaceAll('\0', '\ufffd').toWellFormed();
}
