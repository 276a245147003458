import type { PersonState } from './person-state.ts';

/** Characters of JSON text that the cache may stand for; in memory an object takes a few times as much. */
const LIMIT_CHARACTERS = 8_388_608;
/** What a person takes beside its properties, roughly. */
const BASE_CHARACTERS = 200;

/** The persons that commits changed or asked for last, so that most updates need no question to the database. */
export interface PersonCache {
  get(id: number): PersonState | undefined;
  /** `characters` is the length of its properties as JSON text. */
  put(person: PersonState, characters: number): void;
  delete(id: number): void;
}

/** Makes an empty cache that forgets the person not used for longest. */
export function createPersonCache(limit = LIMIT_CHARACTERS): PersonCache {
  const entries = new Map<number, { person: PersonState; size: number }>();
  let size = 0;

  function remove(id: number): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    size -= entry.size;
    entries.delete(id);
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      entries.delete(id);
      entries.set(id, entry);
      return entry.person;
    },
    put(person, characters) {
      remove(person.id);
      const entry = { person, size: characters + BASE_CHARACTERS };
      entries.set(person.id, entry);
      size += entry.size;
      while (size > limit) remove(entries.keys().next().value!);
    },
    delete: remove,
  };
}
