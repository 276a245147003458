import type { FlagSubjectTables, SubjectPart } from '../../warehouse/duckdb/flag-subject-tables.ts';
import type { LookedUpPerson, PersonLookup } from '../persons/index.ts';
import type { DistinctName } from './flag-subjects-messages.ts';

/** Whoever has a distinct id, as it crosses to the thread that answers. */
export interface PersonText {
  id: number;
  /** False: a placeholder. */
  isPerson: boolean;
  /** JSON text of a `FoundPerson`. */
  text: string;
}

/**
 * Finds whose each distinct id is, with all that flags read of them; null where there is nobody. `from` reads the persons that
 * the lookup does not hold, `tables` what else is stored of them. Between two commits.
 */
export async function findPersons(
  names: readonly DistinctName[],
  lookup: PersonLookup,
  from: Pick<FlagSubjectTables, 'readPersons'>,
  tables: Pick<FlagSubjectTables, 'readParts'>,
): Promise<(PersonText | null)[]> {
  const persons = await lookup.find(names, from);
  const parts = await partsOf(persons, tables);
  return persons.map(
    (person) =>
      person && { id: person.id, isPerson: person.uuid !== null, text: textOf(person, parts(person)) },
  );
}

/** Static cohorts and hash keys of each, a person's own before those of persons merged into it. */
async function partsOf(
  persons: readonly (LookedUpPerson | null)[],
  tables: Pick<FlagSubjectTables, 'readParts'>,
): Promise<(person: LookedUpPerson) => SubjectPart[]> {
  const ids = persons.flatMap((person) => person?.allIds ?? []);
  const parts = new Map<number, SubjectPart[]>();
  for (const part of await tables.readParts([...new Set(ids)])) {
    const own = parts.get(part.personId);
    if (own === undefined) parts.set(part.personId, [part]);
    else own.push(part);
  }
  return ({ allIds }) => (parts.size === 0 ? [] : allIds.flatMap((id) => parts.get(id) ?? []));
}

/** JSON text of a `FoundPerson`. */
function textOf(person: LookedUpPerson, parts: readonly SubjectPart[]): string {
  const { id, uuid, properties } = person;
  const cohorts: number[] = [];
  const hashKeys = new Map<string, string>();
  for (const part of parts) {
    if ('cohortId' in part) cohorts.push(part.cohortId);
    else if (!hashKeys.has(part.flagKey)) hashKeys.set(part.flagKey, part.hashKey);
  }
  const rest = `[${cohorts.join(',')}],${hashKeys.size === 0 ? '[]' : JSON.stringify([...hashKeys])}`;
  return `[${id},${uuid === null ? 'null' : `"${uuid}"`},${properties},${properties.length},${rest}]`;
}
