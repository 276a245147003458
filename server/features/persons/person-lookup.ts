import type { DistinctIdMap } from '../../warehouse/duckdb/distinct-id-map.ts';
import type { FlagSubjectTables } from '../../warehouse/duckdb/flag-subject-tables.ts';
import type { MergeLinks } from './merge-links.ts';
import type { PendingBirths } from './pending-births.ts';
import type { PersonCache } from './person-cache.ts';

/** Whose a distinct id is. */
export interface LookedUpPerson {
  /** Of the person, or of the placeholder. */
  readonly id: number;
  /** Null for a placeholder. */
  readonly uuid: string | null;
  /** JSON text. */
  readonly properties: string;
  /** Every number under which something may be stored of it, its own first. */
  readonly allIds: readonly number[];
}

/** Looks up persons as the last commit left them; between two commits only. */
export interface PersonLookup {
  /** Answers in the order of the names, with one statement at most; null for a distinct id that nobody has. */
  find(
    names: readonly { projectId: number; distinctId: string }[],
    tables: Pick<FlagSubjectTables, 'readPersons'>,
  ): Promise<(LookedUpPerson | null)[]>;
  /** The number of the first of these ids that has one, with all numbers of the same; null when none has. */
  idsOf(projectId: number, distinctIds: readonly string[]): readonly number[] | null;
}

/** Makes the lookup over what the commits know. */
export function createPersonLookup(known: {
  owners: DistinctIdMap;
  links: MergeLinks;
  cache: PersonCache;
  births: PendingBirths;
}): PersonLookup {
  const { owners, links, cache, births } = known;

  function inMemory(id: number): { uuid: string; properties: string } | null {
    const cached = cache.get(id)?.stored;
    if (cached !== undefined) return { uuid: cached.uuid, properties: cached.properties };
    const person = births.find(id);
    return person === undefined ? null : { uuid: person.uuid, properties: JSON.stringify(person.properties) };
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
