import type { StoredPerson } from '../../warehouse/duckdb/person-tables.ts';
import type { PersonState } from './person-state.ts';

/** Characters that the cache may hold. */
const MAX_CHARACTERS = 33_554_432;
/** Approximate overhead of a person. */
const BASE_CHARACTERS = 200;

/** A committed person, stored as JSON text, which takes a fraction of the memory of parsed properties. */
export interface CachedPerson {
  readonly stored: StoredPerson;
  readonly distinctIds: PersonState['distinctIds'];
}

/** LRU cache of persons used by recent commits, so that most updates need no query. */
export interface PersonCache {
  get(id: number): CachedPerson | undefined;
  put(person: CachedPerson): void;
  delete(id: number): void;
}

export function createPersonCache(limit = MAX_CHARACTERS): PersonCache {
  const entries = new Map<number, CachedPerson>();
  let size = 0;

  function remove(id: number): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    size -= sizeOf(entry);
    entries.delete(id);
  }

  return {
    get(id) {
      const entry = entries.get(id);
      if (entry === undefined) return undefined;
      entries.delete(id);
      entries.set(id, entry);
      return entry;
    },
    put(person) {
      remove(person.stored.id);
      entries.set(person.stored.id, person);
      size += sizeOf(person);
      while (size > limit) remove(entries.keys().next().value!);
    },
    delete: remove,
  };
}

function sizeOf({ stored }: CachedPerson): number {
  return stored.properties.length + stored.sources.length + BASE_CHARACTERS;
}
