import type { DuckDBConnection } from '@duckdb/node-api';

/** What flags read of a person. */
export interface StoredSubject {
  id: number;
  uuid: string;
  /** JSON text. */
  properties: string;
}

/** A static cohort of the person, or whom a flag counts it as. */
export type SubjectPart =
  { personId: number; cohortId: number } | { personId: number; flagKey: string; hashKey: string };

/** Whom to count a person as, for flags of which nothing is kept. */
export interface HashKeys {
  projectId: number;
  personId: number;
  /** Every number under which something may be kept of the person, its own among them. */
  allIds: readonly number[];
  flagKeys: readonly string[];
  hashKey: string;
  /** Unix ms. */
  now: number;
}

/** The tables from which flags are evaluated, as the thread of the commits reads them between two commits. */
export interface FlagSubjectTables {
  /** The persons of these ids that exist. Ids are numbers of our own, so they stand in the statement. */
  readPersons(ids: readonly number[]): Promise<StoredSubject[]>;
  /** The persons of the ids from one to another, both included. */
  readPersonsBetween(from: number, to: number): Promise<StoredSubject[]>;
  /**
   * Distinct ids that rows of persons, or placeholders, of the ids from one to another tell of, each once and no more than
   * some thousands; some have moved on since.
   */
  readNamesBetween(from: number, to: number): Promise<{ projectId: number; distinctId: string }[]>;
  /** The greatest id of whoever has a distinct id; 0 when there is none. */
  lastPersonId(): Promise<number>;
  /** Parts of these ids, the oldest first; no statement while neither table holds anything. */
  readParts(ids: readonly number[]): Promise<SubjectPart[]>;
  /** Inside the open transaction. */
  insertHashKeys(keys: HashKeys): Promise<void>;
  /** Looks anew whether there are parts: others have written some. */
  lookForParts(): Promise<void>;
}

/** One person may have any number of distinct ids. */
const MOST_NAMES = 16_384;

/** Opens the tables over the connection of the commits. */
export async function openFlagSubjectTables(connection: DuckDBConnection): Promise<FlagSubjectTables> {
  let hasParts = true;

  async function rows(sql: string): Promise<unknown[][]> {
    return (await connection.runAndReadAll(sql)).getRows() as unknown[][];
  }

  async function lookForParts(): Promise<void> {
    hasParts = true;
    const found = await rows(
      'SELECT EXISTS (SELECT 1 FROM flag_hash_keys) OR EXISTS (SELECT 1 FROM cohort_people)',
    );
    hasParts = found[0]![0] as boolean;
  }

  async function personsWhere(wanted: string): Promise<StoredSubject[]> {
    const found =
      await rows(`SELECT id, uuid::VARCHAR, properties, false, 0::BIGINT AS version FROM persons_settled WHERE ${wanted}
      UNION ALL SELECT id, uuid::VARCHAR, properties, is_deleted, version FROM persons_recent WHERE ${wanted} ORDER BY version`);
    const latest = new Map<number, StoredSubject | null>();
    for (const [id, uuid, properties, isDeleted] of found as [number, string, string, boolean][]) {
      latest.set(id, isDeleted ? null : { id, uuid, properties });
    }
    return [...latest.values()].filter((person) => person !== null);
  }

  await lookForParts();
  return {
    readPersons: async (ids) => (ids.length === 0 ? [] : personsWhere(`id IN (${ids.join(', ')})`)),
    readPersonsBetween: (from, to) => personsWhere(`id BETWEEN ${from} AND ${to}`),
    async readNamesBetween(from, to) {
      const wanted = `WHERE person_id BETWEEN ${from} AND ${to}`;
      const found = await rows(`SELECT project_id, distinct_id FROM person_distinct_ids_settled ${wanted}
        UNION SELECT project_id, distinct_id FROM person_distinct_ids_recent ${wanted} LIMIT ${MOST_NAMES}`);
      return (found as [number, string][]).map(([projectId, distinctId]) => ({ projectId, distinctId }));
    },
    async lastPersonId() {
      const found = await rows(`SELECT coalesce(max(id), 0) FROM
        (SELECT max(person_id) AS id FROM person_distinct_ids_settled
         UNION ALL SELECT max(person_id) FROM person_distinct_ids_recent)`);
      return found[0]![0] as number;
    },
    async readParts(ids) {
      if (!hasParts || ids.length === 0) return [];
      const wanted = `WHERE person_id IN (${ids.join(', ')})`;
      const found =
        await rows(`SELECT person_id, cohort_id, NULL, NULL, NULL AS created_at FROM cohort_people ${wanted}
        UNION ALL SELECT person_id, NULL, flag_key, hash_key, created_at FROM flag_hash_keys ${wanted}
        ORDER BY created_at`);
      return (found as [number, number | null, string, string][]).map(
        ([personId, cohortId, flagKey, hashKey]) =>
          cohortId === null ? { personId, flagKey, hashKey } : { personId, cohortId },
      );
    },
    async insertHashKeys({ projectId, personId, allIds, flagKeys, hashKey, now }) {
      hasParts = true;
      await connection.run(
        `INSERT INTO flag_hash_keys
         SELECT $projectId, $personId, flag_key, $hashKey, make_timestamp($now::BIGINT * 1000)
         FROM (SELECT unnest(from_json($flagKeys, '["VARCHAR"]')) AS flag_key)
         WHERE flag_key NOT IN (SELECT flag_key FROM flag_hash_keys WHERE person_id IN (${allIds.join(', ')}))`,
        { projectId, personId, hashKey, now, flagKeys: JSON.stringify(flagKeys) },
      );
    },
    lookForParts,
  };
}
