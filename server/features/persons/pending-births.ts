import type { StoredDistinctId } from '../../warehouse/duckdb/person-tables.ts';
import type { BookChanges } from './person-book.ts';
import type { PersonState } from './person-state.ts';

/** So many births are written at once at the latest. */
const LIMIT = 2_000;

/**
 * Distinct ids seen for the first time, with their persons or placeholders, whose rows are not written yet. The events
 * that made them are committed and tell all there is to know: a process that ends before writes them when it starts.
 */
export interface PendingBirths {
  readonly isEmpty: boolean;
  /** Whether there is room for more. */
  readonly hasRoom: boolean;
  find(personId: number): PersonState | undefined;
  add(changes: BookChanges): void;
  /** What is to be written: as a commit's changes. */
  changes(): BookChanges;
  clear(): void;
}

export function createPendingBirths(): PendingBirths {
  let persons = new Map<number, PersonState>();
  let distinctIds: StoredDistinctId[] = [];
  return {
    get isEmpty() {
      return distinctIds.length === 0;
    },
    get hasRoom() {
      return distinctIds.length < LIMIT;
    },
    find: (personId) => persons.get(personId),
    add(changes) {
      for (const person of changes.persons) persons.set(person.id, person);
      distinctIds.push(...changes.distinctIds);
    },
    changes: () => ({
      persons: [...persons.values()],
      deletedPersons: [],
      distinctIds,
      deletedDistinctIds: [],
      merges: [],
      history: [],
    }),
    clear() {
      persons = new Map();
      distinctIds = [];
    },
  };
}
