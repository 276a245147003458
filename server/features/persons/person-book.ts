import type { DistinctIdMap } from '../../warehouse/duckdb/distinct-id-map.ts';
import type { MergeNote, StoredDistinctId, StoredMerge } from '../../warehouse/duckdb/person-tables.ts';
import type { PersonState, PlacedId } from './person-state.ts';
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
  readonly history: readonly MergeNote[];
}

/** The persons that a commit works on. What it changes can be kept or taken back as a whole. */
export interface PersonBook {
  /** Persons read for this commit; those that it changes are copied first. */
  hold(persons: readonly PersonState[]): void;
  /** A person that is held or new, or null. */
  find(id: number): PersonState | null;
  /** As `find`, for one that was read; throws when it was not. */
  person(id: number): PersonState;
  /** The person for changes: a copy that belongs to this commit. */
  edit(id: number): PersonState;
  /** Gives a distinct id that nobody has a placeholder, without a person; returns its id. */
  createPlaceholder(projectId: number, distinctId: string): number;
  /** Makes a person with one distinct id that has none so far. */
  createPerson(projectId: number, distinctId: string, createdAt: number): PersonState;
  /** Adds an id that has no person yet, behind the others or before them. */
  addDistinctId(person: PersonState, distinctId: string, place: 'first' | 'last', told: MergeEvent): void;
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
  /** Every person id under which events of this person may be stored. */
  allIdsOf(personId: number): readonly number[];
  /** Takes the merges that stand now in place of those known; between two commits. */
  readMerges(standing: readonly StoredMerge[]): void;
  changes(): BookChanges;
  /** Whether this commit has changed anything. */
  readonly hasChanges: boolean;
  /** Everything since the last call of `keep` or `takeBack` holds; returns the persons changed and removed. */
  keep(): { changed: readonly PersonState[]; removed: readonly PersonState[] };
  takeBack(): void;
}

/** Makes the book over the map of all distinct ids; `merges` are those that stand. */
export function createPersonBook(options: {
  owners: DistinctIdMap;
  newPersonId: () => number;
  merges: readonly StoredMerge[];
}): PersonBook {
  const { owners, newPersonId } = options;
  /** Ids of absorbed persons by the person that has their events now. */
  const followers = new Map<number, readonly number[]>();
  let held = new Map<number, PersonState>();
  let working = new Map<number, PersonState>();
  let removed = new Map<number, PersonState>();
  let placed: { projectId: number; distinctId: string; position: number }[] = [];
  let merges: StoredMerge[] = [];
  let history: MergeNote[] = [];
  let undo: (() => void)[] = [];

  function readMerges(standing: readonly StoredMerge[]): void {
    followers.clear();
    for (const { oldPersonId, personId } of standing) {
      followers.set(personId, [...(followers.get(personId) ?? []), oldPersonId]);
    }
  }
  readMerges(options.merges);

  function setOwner(projectId: number, distinctId: string, personId: number, hasPerson: boolean): void {
    const before = owners.find(projectId, distinctId);
    if (before === null) undo.push(() => owners.delete(projectId, distinctId));
    else {
      const was = { ...before };
      undo.push(() => owners.set(projectId, distinctId, was.personId, was.hasPerson));
    }
    owners.set(projectId, distinctId, personId, hasPerson);
  }

  function setFollowers(personId: number, ids: readonly number[]): void {
    const before = followers.get(personId);
    undo.push(() => (before === undefined ? followers.delete(personId) : followers.set(personId, before)));
    if (ids.length === 0) followers.delete(personId);
    else followers.set(personId, ids);
  }

  /** From now on events of `oldId` and of all that followed it belong to the person. */
  function follow(person: PersonState, oldId: number, oldUuid: string, told: MergeEvent): void {
    const { projectId, id } = person;
    const all = [oldId, ...(followers.get(oldId) ?? [])];
    for (const oldPersonId of all) merges.push({ projectId, oldPersonId, personId: id });
    setFollowers(oldId, []);
    setFollowers(id, [...(followers.get(id) ?? []), ...all]);
    history.push({
      projectId,
      personId: id,
      oldPersonId: oldId,
      oldUuid,
      distinctId: told.distinctId,
      event: told.event,
      mergedAt: told.at,
    });
  }

  function idsOf(person: PersonState): readonly PlacedId[] {
    if (person.distinctIds === null) throw new Error('The distinct ids of a person were not read');
    return person.distinctIds;
  }

  function place(person: PersonState, distinctId: string, position: number): PlacedId {
    setOwner(person.projectId, distinctId, person.id, true);
    placed.push({ projectId: person.projectId, distinctId, position });
    return { distinctId, position };
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
      properties: {},
      sources: {},
      isIdentified: false,
      distinctIds: null,
    };
    person.distinctIds = [place(person, distinctId, 0)];
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
    const copy = { ...person };
    working.set(id, copy);
    return copy;
  }

  function start(): void {
    held = new Map();
    working = new Map();
    removed = new Map();
    placed = [];
    merges = [];
    history = [];
    undo = [];
  }

  return {
    get hasChanges() {
      return working.size > 0 || removed.size > 0 || placed.length > 0;
    },
    hold(persons) {
      for (const person of persons) held.set(person.id, person);
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
      placed.push({ projectId, distinctId, position: 0 });
      return id;
    },
    createPerson(projectId, distinctId, createdAt) {
      const id = owners.find(projectId, distinctId)?.personId ?? newPersonId();
      return newPerson(projectId, id, personUuid(projectId, distinctId), distinctId, createdAt);
    },
    addDistinctId(person, distinctId, where, told) {
      const placeholder = owners.find(person.projectId, distinctId)?.personId ?? null;
      const ids = idsOf(person);
      if (where === 'first') {
        person.distinctIds = [place(person, distinctId, (ids[0]?.position ?? 1) - 1), ...ids];
      } else person.distinctIds = [...ids, place(person, distinctId, (ids.at(-1)?.position ?? -1) + 1)];
      if (placeholder !== null && placeholder !== person.id) {
        follow(person, placeholder, personUuid(person.projectId, distinctId), told);
      }
    },
    absorb(survivor, absorbed, told) {
      let position = (idsOf(survivor).at(-1)?.position ?? -1) + 1;
      const moved = idsOf(absorbed).map(({ distinctId }) => place(survivor, distinctId, position++));
      survivor.distinctIds = [...idsOf(survivor), ...moved];
      follow(survivor, absorbed.id, absorbed.uuid, told);
      working.delete(absorbed.id);
      removed.set(absorbed.id, absorbed);
    },
    placeFirst(person, distinctId) {
      const ids = idsOf(person);
      if (ids[0]?.distinctId === distinctId) return;
      const rest = ids.filter((id) => id.distinctId !== distinctId);
      person.distinctIds = [place(person, distinctId, (ids[0]?.position ?? 1) - 1), ...rest];
    },
    splitOff(person, distinctIds, newUuid) {
      person.distinctIds = idsOf(person).filter(({ distinctId }) => !distinctIds.includes(distinctId));
      return distinctIds.map((distinctId) => {
        const uuid = personUuid(person.projectId, distinctId);
        // The first id gave the person its own UUID, which it keeps.
        const own = uuid === person.uuid ? newUuid() : uuid;
        return newPerson(person.projectId, newPersonId(), own, distinctId, person.createdAt);
      });
    },
    remove(person) {
      for (const { distinctId } of idsOf(person)) {
        const { projectId } = person;
        placed.push({ projectId, distinctId, position: 0 });
        undo.push(() => owners.set(projectId, distinctId, person.id, true));
        owners.delete(projectId, distinctId);
      }
      setFollowers(person.id, []);
      working.delete(person.id);
      removed.set(person.id, person);
    },
    removePlaceholder(projectId, distinctId) {
      const owner = owners.find(projectId, distinctId);
      if (owner === null || owner.hasPerson) return null;
      const { personId } = owner;
      placed.push({ projectId, distinctId, position: 0 });
      undo.push(() => owners.set(projectId, distinctId, personId, false));
      owners.delete(projectId, distinctId);
      return personId;
    },
    readMerges,
    allIdsOf: (personId) => [personId, ...(followers.get(personId) ?? [])],
    changes() {
      // An id that was placed several times stands where it was placed last.
      const last = new Map(placed.map((id) => [`${id.projectId} ${id.distinctId}`, id]));
      const distinctIds: StoredDistinctId[] = [];
      const deletedDistinctIds: StoredDistinctId[] = [];
      for (const id of last.size === placed.length ? placed : last.values()) {
        const owner = owners.find(id.projectId, id.distinctId);
        if (owner === null) deletedDistinctIds.push({ ...id, personId: 0 });
        else distinctIds.push({ ...id, personId: owner.personId });
      }
      return {
        persons: [...working.values()],
        deletedPersons: [...removed.values()],
        distinctIds,
        deletedDistinctIds,
        // Of a person absorbed by one who was absorbed later in the same commit, the last word counts.
        merges: [...new Map(merges.map((merge) => [merge.oldPersonId, merge])).values()],
        history,
      };
    },
    keep() {
      const kept = { changed: [...working.values()], removed: [...removed.values()] };
      start();
      return kept;
    },
    takeBack() {
      for (let last = undo.pop(); last !== undefined; last = undo.pop()) last();
      start();
    },
  };
}
