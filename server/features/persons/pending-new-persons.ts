import type { StoredDistinctId } from '../../warehouse/duckdb/person-tables.ts';
import type { PersonChangeSet } from './person-unit-of-work.ts';
import type { PersonState } from './person-state.ts';

/** Maximum number of pending distinct IDs. */
const LIMIT = 2_000;

/**
 * New distinct IDs with their persons or placeholders whose rows are not written yet. They can be rebuilt from the
 * committed events: if the process ends first, the next one writes them at its start.
 */
export interface PendingNewPersons {
  readonly isEmpty: boolean;
  /** Whether there is room for more. */
  readonly hasRoom: boolean;
  find(personId: number): PersonState | undefined;
  add(changes: PersonChangeSet): void;
  /** All pending rows, as the changes of a commit. */
  changes(): PersonChangeSet;
  clear(): void;
}

export function createPendingNewPersons(): PendingNewPersons {
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
