import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import type { DistinctIdMap } from './distinct-id-map.ts';
import type { FlagSubjectTables } from '../../warehouse/duckdb/flag-subject-tables.ts';
import type { MergeLinks } from './merge-links.ts';
import type { PendingNewPersons } from './pending-new-persons.ts';
import type { PersonCache } from './person-cache.ts';

/** The person or placeholder of a distinct ID. */
export interface LookedUpPerson {
  /** ID of the person or placeholder. */
  readonly id: number;
  /** Null for a placeholder. */
  readonly uuid: string | null;
  /** JSON text. */
  readonly properties: string;
  /** Every ID under which rows of it may be stored, its own first. */
  readonly allIds: readonly number[];
}

/** Looks up persons as of the last commit; only between two commits. */
export interface PersonLookup {
  /** Results in the order of the names, with at most one statement; null for an unused distinct ID. */
  find(
    names: readonly { projectId: number; distinctId: string }[],
    tables: Pick<FlagSubjectTables, 'readPersons'>,
  ): Promise<(LookedUpPerson | null)[]>;
  /** All IDs of the person of the first used distinct ID; null when none is used. */
  idsOf(projectId: number, distinctIds: readonly string[]): readonly number[] | null;
}

export function createPersonLookup(known: {
  owners: DistinctIdMap;
  links: MergeLinks;
  cache: PersonCache;
  newPersons: PendingNewPersons;
}): PersonLookup {
  const { owners, links, cache, newPersons } = known;

  function inMemory(id: number): { uuid: string; properties: string } | null {
    const cached = cache.get(id)?.stored;
    if (cached !== undefined) return { uuid: cached.uuid, properties: cached.properties };
    const person = newPersons.find(id);
    return person === undefined
      ? null
      : { uuid: person.uuid, properties: stringifyExactly(person.properties) };
  }

  return {
    async find(names, tables) {
      const persons = new Map<number, { uuid: string; properties: string } | null>();
      const missing: number[] = [];
      const ownerIds = names.map(({ projectId, distinctId }) => {
        const owner = owners.find(projectId, distinctId);
        if (owner === null) return null;
        const { personId, hasPerson } = owner;
        if (hasPerson && !persons.has(personId)) {
          const person = inMemory(personId);
          persons.set(personId, person);
          if (person === null) missing.push(personId);
        }
        return personId;
      });
      for (const { id, uuid, properties } of await tables.readPersons(missing)) {
        persons.set(id, { uuid, properties });
      }
      return ownerIds.map((id) => {
        if (id === null) return null;
        const person = persons.get(id) ?? { uuid: null, properties: '{}' };
        return { id, ...person, allIds: links.allIdsOf(id) };
      });
    },
    idsOf(projectId, distinctIds) {
      for (const distinctId of distinctIds) {
        const owner = owners.find(projectId, distinctId);
        if (owner !== null) return links.allIdsOf(owner.personId);
      }
      return null;
    },
  };
}
