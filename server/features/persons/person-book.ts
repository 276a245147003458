import type { DistinctIdMap, DistinctIdOwner } from '../../warehouse/duckdb/distinct-id-map.ts';
import type { MergeRecord, StoredDistinctId, StoredMerge } from '../../warehouse/duckdb/person-tables.ts';
import { isFirst, orderFrom, placesOf, type IdOrder } from './id-order.ts';
import type { MergeLinks } from './merge-links.ts';
import { copyOf, type PersonState, type PlacedId } from './person-state.ts';
import { personUuid } from './person-uuid.ts';

/** A merge as its event tells it. */
export interface MergeEvent {
  distinctId: string;
  event: string;
  /** Unix microseconds. */
  at: number;
}

/** What one commit, or one order, has changed so far. */
export interface BookChanges {
  readonly persons: readonly PersonState[];
  readonly deletedPersons: readonly PersonState[];
  readonly distinctIds: readonly StoredDistinctId[];
  readonly deletedDistinctIds: readonly StoredDistinctId[];
  readonly merges: readonly StoredMerge[];
  readonly history: readonly MergeRecord[];
}

/** What a commit, or an order, has changed and what holds from now on. */
export interface KeptPersons {
  readonly changed: readonly PersonState[];
  readonly removed: readonly PersonState[];
  /** Ids that have another owner. */
  readonly distinctIds: readonly StoredDistinctId[];
  readonly deletedDistinctIds: readonly StoredDistinctId[];
}

/** The persons that a commit works on. What it changes can be kept or taken back as a whole. */
export interface PersonBook {
  /** Persons read for this commit alone, which may change them. */
  hold(persons: readonly PersonState[]): void;
  /** Whom a distinct id belongs to by now. The object is reused: read it before the next call. */
  ownerOf(projectId: number, distinctId: string): DistinctIdOwner | null;
  /** A person that is held or new, or null. */
  find(id: number): PersonState | null;
  /** As `find`, for one that was read; throws when it was not. */
  person(id: number): PersonState;
  /** The person for changes. */
  edit(id: number): PersonState;
  /** Gives a distinct id that nobody has a placeholder, without a person; returns its id. */
  createPlaceholder(projectId: number, distinctId: string): number;
  /** Makes a person with one distinct id that has none so far. */
  createPerson(projectId: number, distinctId: string, createdAt: number): PersonState;
  /** Adds an id that has no person yet, behind the others. */
  addDistinctId(person: PersonState, distinctId: string, told: MergeEvent): void;
  /** Moves everything of `absorbed` to `survivor` but its properties; afterwards it does not exist. */
  absorb(survivor: PersonState, absorbed: PersonState, told: MergeEvent): void;
  /** Puts an id of the person before its others. */
  placeFirst(person: PersonState, distinctId: string): void;
  /** Takes ids from a person, each to one of its own; returns the new persons. */
  splitOff(person: PersonState, distinctIds: readonly string[], newUuid: () => string): PersonState[];
  /** Removes a person with all of its ids. */
  remove(person: PersonState): void;
  /** Forgets a distinct id that has no person; returns its placeholder, or null when it is none. */
  removePlaceholder(projectId: number, distinctId: string): number | null;
  /** What is to be written, once, before it is kept. */
  changes(): BookChanges;
  /** Whether this commit has changed anything. */
  readonly hasChanges: boolean;
  /** Whether distinct ids were seen for the first time, and nothing else: their events tell all of it. */
  readonly hasBirthsOnly: boolean;
  /** Everything since the last call of `keep` or `takeBack` holds; returns what that was. */
  keep(): KeptPersons;
  takeBack(): void;
}

/** Makes the book over the map of all distinct ids and the merges that stand. */
export function createPersonBook(options: {
  owners: DistinctIdMap;
  links: MergeLinks;
  newPersonId: () => number;
}): PersonBook {
  const { owners, links, newPersonId } = options;
  let held = new Map<number, PersonState>();
  let working = new Map<number, PersonState>();
  let removed = new Map<number, PersonState>();
  /** Of persons whose ids change. Ids taken in with an absorbed person get their new owner in the map when all is kept. */
  let orders = new Map<number, IdOrder>();
  let placeholders: { projectId: number; distinctId: string }[] = [];
  let placed: StoredDistinctId[] = [];
  let deletedIds: StoredDistinctId[] = [];
  let history: MergeRecord[] = [];
  let undo: (() => void)[] = [];
  /** Something happened that the events do not tell by themselves: a person was changed, or made of a placeholder. */
  let isMoreThanBirths = false;

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

  /** From now on events of `oldId` and of all that followed it belong to the person. */
  function follow(person: PersonState, oldId: number, oldUuid: string, told: MergeEvent): void {
    const { projectId, id: personId } = person;
    links.link(projectId, oldId, personId);
    const { distinctId, event, at: mergedAt } = told;
    history.push({ projectId, personId, oldPersonId: oldId, oldUuid, distinctId, event, mergedAt });
  }

  function idsOf(person: PersonState): readonly PlacedId[] {
    if (person.distinctIds === null) throw new Error('The distinct ids of a person were not read');
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
    return working.get(id) ?? held.get(id) ?? null;
  }

  function edit(id: number): PersonState {
    const own = working.get(id);
    if (own !== undefined) return own;
    const person = held.get(id);
    if (person === undefined) throw new Error('A person was not read before it is changed');
    isMoreThanBirths = true;
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
      // With a person by now, it stands among that one's ids.
      if (owner === null || owner.hasPerson) continue;
      placed.push({ projectId, distinctId, personId: owner.personId, position: 0 });
    }
  }

  function start(): void {
    held = new Map();
    working = new Map();
    removed = new Map();
    orders = new Map();
    placeholders = [];
    placed = [];
    deletedIds = [];
    history = [];
    undo = [];
    isMoreThanBirths = false;
  }

  return {
    get hasChanges() {
      return working.size > 0 || removed.size > 0 || placeholders.length > 0 || deletedIds.length > 0;
    },
    get hasBirthsOnly() {
      if (isMoreThanBirths || removed.size > 0 || deletedIds.length > 0 || history.length > 0) return false;
      for (const { isIdentified, properties } of working.values()) {
        if (isIdentified || Object.keys(properties).length > 0) return false;
      }
      return true;
    },
    hold(persons) {
      for (const person of persons) {
        held.set(person.id, person);
        // An earlier piece of the same commit changed it without its distinct ids.
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
      if (placeholder !== null) isMoreThanBirths = true;
      const id = placeholder ?? newPersonId();
      return newPerson(projectId, id, personUuid(projectId, distinctId), distinctId, createdAt);
    },
    addDistinctId(person, distinctId, told) {
      const { projectId, id } = person;
      const placeholder = owners.find(projectId, distinctId)?.personId ?? null;
      setOwner(projectId, distinctId, id, true);
      orderOf(person).back.push(distinctId);
      if (placeholder !== null) follow(person, placeholder, personUuid(projectId, distinctId), told);
    },
    absorb(survivor, absorbed, told) {
      orderOf(survivor).back.push(orderOf(absorbed));
      follow(survivor, absorbed.id, absorbed.uuid, told);
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
        // The first id gave the person its own UUID, which it keeps.
        const own = uuid === person.uuid ? newUuid() : uuid;
        isMoreThanBirths = true;
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
    keep() {
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
      links.keep(removed.keys());
      start();
      return kept;
    },
    takeBack() {
      for (let last = undo.pop(); last !== undefined; last = undo.pop()) last();
      links.takeBack();
      start();
    },
  };
}
