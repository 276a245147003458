import type { DistinctIdMap, DistinctIdOwner } from './distinct-id-map.ts';
import type { MergeRecord, StoredDistinctId, StoredMerge } from '../../warehouse/duckdb/person-tables.ts';
import { isFirst, orderFrom, placesOf, type IdOrder } from './id-order.ts';
import type { MergeLinks } from './merge-links.ts';
import { copyOf, type PersonState, type PlacedId } from './person-state.ts';
import { personUuid } from './person-uuid.ts';

/** A merge requested by an event. */
export interface MergeEvent {
  distinctId: string;
  event: string;
  /** Unix microseconds. */
  at: number;
}

/** All changes of one commit or order so far. */
export interface PersonChangeSet {
  readonly persons: readonly PersonState[];
  readonly deletedPersons: readonly PersonState[];
  readonly distinctIds: readonly StoredDistinctId[];
  readonly deletedDistinctIds: readonly StoredDistinctId[];
  readonly merges: readonly StoredMerge[];
  readonly history: readonly MergeRecord[];
}

/** The committed changes of a commit or order. */
export interface CommittedPersons {
  readonly changed: readonly PersonState[];
  readonly removed: readonly PersonState[];
  /** Distinct IDs with a new owner. */
  readonly distinctIds: readonly StoredDistinctId[];
  readonly deletedDistinctIds: readonly StoredDistinctId[];
}

/** The persons loaded and changed by one commit, which are committed or rolled back as a whole. */
export interface PersonUnitOfWork {
  /** Adds persons loaded for this commit, which may modify them. */
  load(persons: readonly PersonState[]): void;
  /** The current owner of a distinct ID. The object is reused: read it before the next call. */
  ownerOf(projectId: number, distinctId: string): DistinctIdOwner | null;
  /** A loaded or new person, or null. */
  find(id: number): PersonState | null;
  /** As `find`; throws when the person was not loaded. */
  person(id: number): PersonState;
  /** The person, to be modified. */
  edit(id: number): PersonState;
  /** Creates a placeholder without a person for an unused distinct ID; returns its ID. */
  createPlaceholder(projectId: number, distinctId: string): number;
  /** Creates a person for a distinct ID without one. */
  createPerson(projectId: number, distinctId: string, createdAt: number): PersonState;
  /** Appends a distinct ID that has no person. */
  addDistinctId(person: PersonState, distinctId: string, merge: MergeEvent): void;
  /** Moves everything except properties from `absorbed` to `survivor` and removes `absorbed`. */
  absorb(survivor: PersonState, absorbed: PersonState, merge: MergeEvent): void;
  /** Makes an ID of the person its first one. */
  placeFirst(person: PersonState, distinctId: string): void;
  /** Splits each of the IDs off into a new person; returns the new persons. */
  splitOff(person: PersonState, distinctIds: readonly string[], newUuid: () => string): PersonState[];
  /** Removes a person with all of its ids. */
  remove(person: PersonState): void;
  /** Removes a distinct ID without a person; returns its placeholder, or null when it has none. */
  removePlaceholder(projectId: number, distinctId: string): number | null;
  /** The changes to write; call once, before `commit`. */
  changes(): PersonChangeSet;
  /** Whether this commit has changed anything. */
  readonly hasChanges: boolean;
  /** Whether the only changes are new distinct IDs, which can be rebuilt from their events. */
  readonly hasNewPersonsOnly: boolean;
  /** Makes all changes since the last `commit` or `rollback` permanent; returns them. */
  commit(): CommittedPersons;
  rollback(): void;
}

export function createPersonUnitOfWork(options: {
  owners: DistinctIdMap;
  links: MergeLinks;
  newPersonId: () => number;
}): PersonUnitOfWork {
  const { owners, links, newPersonId } = options;
  let loaded = new Map<number, PersonState>();
  let working = new Map<number, PersonState>();
  let removed = new Map<number, PersonState>();
  /** Of persons whose IDs change. IDs of an absorbed person get their new owner in the map on commit. */
  let orders = new Map<number, IdOrder>();
  let placeholders: { projectId: number; distinctId: string }[] = [];
  let placed: StoredDistinctId[] = [];
  let deletedIds: StoredDistinctId[] = [];
  let history: MergeRecord[] = [];
  let undo: (() => void)[] = [];
  /** There are changes that cannot be rebuilt from events: a person was changed, or created from a placeholder. */
  let hasOtherChanges = false;

  function setOwner(projectId: number, distinctId: string, personId: number, hasPerson: boolean): void {
    const before = owners.find(projectId, distinctId);
    if (before === null) undo.push(() => owners.delete(projectId, distinctId));
    else {
      const was = { ...before };
      undo.push(() => owners.set(projectId, distinctId, was.personId, was.hasPerson));
    }
    owners.set(projectId, distinctId, personId, hasPerson);
  }

  function forget(projectId: number, distinctId: string, owner: DistinctIdOwner): void {
    const { personId, hasPerson } = owner;
    deletedIds.push({ projectId, distinctId, personId: 0, position: 0 });
    undo.push(() => owners.set(projectId, distinctId, personId, hasPerson));
    owners.delete(projectId, distinctId);
  }

  /** Reassigns events of `oldId`, and of all IDs merged into it, to the person. */
  function follow(person: PersonState, oldId: number, oldUuid: string, merge: MergeEvent): void {
    const { projectId, id: personId } = person;
    links.link(projectId, oldId, personId);
    const { distinctId, event, at: mergedAt } = merge;
    history.push({ projectId, personId, oldPersonId: oldId, oldUuid, distinctId, event, mergedAt });
  }

  function idsOf(person: PersonState): readonly PlacedId[] {
    if (person.distinctIds === null) throw new Error('The distinct IDs of a person were not read');
    return person.distinctIds;
  }

  function orderOf(person: PersonState): IdOrder {
    let order = orders.get(person.id);
    if (order === undefined) orders.set(person.id, (order = orderFrom(idsOf(person))));
    return order;
  }

  function newPerson(
    projectId: number,
    id: number,
    uuid: string,
    distinctId: string,
    createdAt: number,
  ): PersonState {
    const person: PersonState = {
      projectId,
      id,
      uuid,
      createdAt,
      properties: copyOf({}),
      sources: copyOf({}),
      size: 0,
      isIdentified: false,
      distinctIds: [],
    };
    setOwner(projectId, distinctId, id, true);
    orderOf(person).back.push(distinctId);
    working.set(id, person);
    return person;
  }

  function find(id: number): PersonState | null {
    return working.get(id) ?? loaded.get(id) ?? null;
  }

  function edit(id: number): PersonState {
    const own = working.get(id);
    if (own !== undefined) return own;
    const person = loaded.get(id);
    if (person === undefined) throw new Error('A person was not read before it is changed');
    hasOtherChanges = true;
    working.set(id, person);
    return person;
  }

  function placeIds(): void {
    for (const [id, order] of orders) {
      const person = working.get(id);
      if (person === undefined) continue;
      const { projectId } = person;
      const { all, changed } = placesOf(order);
      person.distinctIds = all;
      for (const { distinctId, position } of changed) {
        placed.push({ projectId, distinctId, personId: id, position });
      }
    }
    for (const { projectId, distinctId } of placeholders) {
      const owner = owners.find(projectId, distinctId);
      // If it has a person by now, it is among that person's IDs.
      if (owner === null || owner.hasPerson) continue;
      placed.push({ projectId, distinctId, personId: owner.personId, position: 0 });
    }
  }

  function start(): void {
    loaded = new Map();
    working = new Map();
    removed = new Map();
    orders = new Map();
    placeholders = [];
    placed = [];
    deletedIds = [];
    history = [];
    undo = [];
    hasOtherChanges = false;
  }

  return {
    get hasChanges() {
      return working.size > 0 || removed.size > 0 || placeholders.length > 0 || deletedIds.length > 0;
    },
    get hasNewPersonsOnly() {
      if (hasOtherChanges || removed.size > 0 || deletedIds.length > 0 || history.length > 0) return false;
      for (const { isIdentified, properties } of working.values()) {
        if (isIdentified || Object.keys(properties).length > 0) return false;
      }
      return true;
    },
    load(persons) {
      for (const person of persons) {
        loaded.set(person.id, person);
        // An earlier part of the same commit changed it without loading its distinct IDs.
        const own = working.get(person.id);
        if (own?.distinctIds === null) own.distinctIds = person.distinctIds;
      }
    },
    ownerOf(projectId, distinctId) {
      const owner = owners.find(projectId, distinctId);
      if (owner !== null) owner.personId = links.survivorOf(owner.personId);
      return owner;
    },
    find,
    person(id) {
      const person = find(id);
      if (person === null) throw new Error('A person was not read before it is asked for');
      return person;
    },
    edit,
    createPlaceholder(projectId, distinctId) {
      const id = newPersonId();
      setOwner(projectId, distinctId, id, false);
      placeholders.push({ projectId, distinctId });
      return id;
    },
    createPerson(projectId, distinctId, createdAt) {
      const placeholder = owners.find(projectId, distinctId)?.personId ?? null;
      if (placeholder !== null) hasOtherChanges = true;
      const id = placeholder ?? newPersonId();
      return newPerson(projectId, id, personUuid(projectId, distinctId), distinctId, createdAt);
    },
    addDistinctId(person, distinctId, merge) {
      const { projectId, id } = person;
      const placeholder = owners.find(projectId, distinctId)?.personId ?? null;
      setOwner(projectId, distinctId, id, true);
      orderOf(person).back.push(distinctId);
      if (placeholder !== null) follow(person, placeholder, personUuid(projectId, distinctId), merge);
    },
    absorb(survivor, absorbed, merge) {
      orderOf(survivor).back.push(orderOf(absorbed));
      follow(survivor, absorbed.id, absorbed.uuid, merge);
      working.delete(absorbed.id);
      removed.set(absorbed.id, absorbed);
    },
    placeFirst(person, distinctId) {
      const order = orderOf(person);
      if (!isFirst(order, distinctId)) order.front.push(distinctId);
    },
    splitOff(person, distinctIds, newUuid) {
      const leaving = new Set(distinctIds);
      person.distinctIds = idsOf(person).filter(({ distinctId }) => !leaving.has(distinctId));
      return distinctIds.map((distinctId) => {
        const uuid = personUuid(person.projectId, distinctId);
        // The person's UUID is derived from its first ID, and it keeps the UUID.
        const own = uuid === person.uuid ? newUuid() : uuid;
        hasOtherChanges = true;
        return newPerson(person.projectId, newPersonId(), own, distinctId, person.createdAt);
      });
    },
    remove(person) {
      const owner = { personId: person.id, hasPerson: true };
      for (const { distinctId } of idsOf(person)) forget(person.projectId, distinctId, owner);
      working.delete(person.id);
      removed.set(person.id, person);
    },
    removePlaceholder(projectId, distinctId) {
      const owner = owners.find(projectId, distinctId);
      if (owner === null || owner.hasPerson) return null;
      const { personId } = owner;
      forget(projectId, distinctId, owner);
      return personId;
    },
    changes() {
      placeIds();
      return {
        persons: [...working.values()],
        deletedPersons: [...removed.values()],
        distinctIds: placed,
        deletedDistinctIds: deletedIds,
        merges: links.changes(),
        history,
      };
    },
    commit() {
      for (const { projectId, distinctId, personId } of placed) {
        const owner = owners.find(projectId, distinctId);
        if (owner?.hasPerson === true) owners.set(projectId, distinctId, personId, true);
      }
      const kept = {
        changed: [...working.values()],
        removed: [...removed.values()],
        distinctIds: placed,
        deletedDistinctIds: deletedIds,
      };
      links.commit(removed.keys());
      start();
      return kept;
    },
    rollback() {
      for (let last = undo.pop(); last !== undefined; last = undo.pop()) last();
      links.rollback();
      start();
    },
  };
}
