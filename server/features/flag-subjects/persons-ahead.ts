import type { FlagSubjectTables, StoredSubject } from '../../warehouse/duckdb/flag-subject-tables.ts';

/** Persons, and characters of their properties, that are read ahead at most. */
const LIMITS = { persons: 100_000, characters: 67_108_864, passedIds: 1_000_000 };
/** Numbers of persons that one step passes over: a commit that waits for it waits some milliseconds. */
const STEP_IDS = 4_096;

/** The newest persons as they are stored, read before anybody asks for them. */
export interface PersonsAhead extends Pick<FlagSubjectTables, 'readPersons'> {
  /** Nothing was read ahead, so that no change is worth a look. */
  readonly isEmpty: boolean;
  /** A commit has changed or deleted the person. */
  forget(id: number): void;
  forgetAll(): void;
  /** Reads on, from the newest person to older ones, in steps between two commits; does so once. */
  fill(betweenCommits: (work: () => Promise<void>) => Promise<void>): Promise<void>;
  /** Reads no further. */
  stop(): void;
}

/**
 * Makes the memory of persons that were not asked for yet. A statement for fifty of them costs as much as one for
 * thousands that lie together, and while it runs no commit does.
 */
export function createPersonsAhead(tables: FlagSubjectTables, limits = LIMITS): PersonsAhead {
  const persons = new Map<number, StoredSubject>();
  let characters = 0;
  let hasBegun = false;
  let isStopped = false;

  function keep(person: StoredSubject): void {
    persons.set(person.id, person);
    characters += person.properties.length;
  }

  function forget(id: number): void {
    const person = persons.get(id);
    if (person === undefined) return;
    persons.delete(id);
    characters -= person.properties.length;
  }

  return {
    async readPersons(ids) {
      const found: StoredSubject[] = [];
      const missing: number[] = [];
      for (const id of ids) {
        const person = persons.get(id);
        if (person === undefined) missing.push(id);
        else found.push(person);
      }
      return missing.length === 0 ? found : [...found, ...(await tables.readPersons(missing))];
    },
    get isEmpty() {
      return persons.size === 0;
    },
    forget,
    forgetAll() {
      persons.clear();
      characters = 0;
    },
    async fill(betweenCommits) {
      if (hasBegun || isStopped) return;
      hasBegun = true;
      let to = 0;
      await betweenCommits(async () => {
        to = await tables.lastPersonId();
      });
      const oldest = Math.max(0, to - limits.passedIds);
      const isFull = (): boolean => persons.size >= limits.persons || characters >= limits.characters;
      while (to > oldest && !isFull() && !isStopped) {
        const from = to - STEP_IDS + 1;
        await betweenCommits(async () => {
          for (const person of await tables.readPersonsBetween(from, to)) keep(person);
        });
        to = from - 1;
      }
    },
    stop() {
      isStopped = true;
    },
  };
}
