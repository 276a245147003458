import { parseExactJson } from '../../http/exact-json.contract.ts';
import type { ReadStatements } from '../../db/db.ts';
import { personName } from './person-name.ts';
import type { PersonJson } from './persons.contract.ts';
import { findOwners, getPersons, type PersonRow } from './persons.reads.ts';

/** Of a person with very many distinct ids a list shows these; its detail shows all. */
const LISTED_DISTINCT_IDS = 100;
const ALL_DISTINCT_IDS = 1_000_000_000;

/** Persons for a list, in the order of their ids' list; who was deleted meanwhile is left out. */
export async function listPersonsByIds(reads: ReadStatements, ids: readonly number[]): Promise<PersonJson[]> {
  const rows = await getPersons(reads, ids, LISTED_DISTINCT_IDS);
  const byId = new Map(rows.map((row) => [row.id, personJsonOf(row)]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** The person of each distinct id; an id of no person has no entry. */
export async function findPersonsByDistinctIds(
  reads: ReadStatements,
  projectId: number,
  distinctIds: readonly string[],
): Promise<Record<string, PersonJson>> {
  const owners = await findOwners(reads, projectId, distinctIds);
  const persons = await listPersonsByIds(reads, [...new Set(owners.map(({ personId }) => personId))]);
  const byId = new Map(persons.map((person) => [person.id, person]));
  return Object.fromEntries(
    owners.flatMap(({ distinctId, personId }) => {
      const person = byId.get(personId);
      return person ? [[distinctId, person] as const] : [];
    }),
  );
}

/** A person with all its distinct ids, or null. */
export async function findPerson(reads: ReadStatements, id: number): Promise<PersonJson | null> {
  const [row] = await getPersons(reads, [id], ALL_DISTINCT_IDS);
  return row === undefined ? null : personJsonOf(row);
}

function personJsonOf(row: PersonRow): PersonJson {
  const properties = parseExactJson(row.properties) as Record<string, unknown>;
  const distinctIds = row.distinctIds ?? [];
  return {
    id: row.id,
    name: personName(row.id, properties, distinctIds, row.nameProperties),
    distinct_ids: distinctIds,
    properties,
    created_at: row.createdAt,
    uuid: row.uuid,
    is_identified: row.isIdentified,
  };
}
