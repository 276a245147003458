import type { DuckDBConnection } from '@duckdb/node-api';
import { insertSelect } from '../../db/insert-select.ts';

/** The stored data of a person that flags read. */
export interface StoredSubject {
  id: number;
  uuid: string;
  /** JSON text. */
  properties: string;
}

/** A static cohort of the person, or its hash key override for a flag. */
export type SubjectPart =
  { personId: number; cohortId: number } | { personId: number; flagKey: string; hashKey: string };

/** The hash key override to store for flags that have none yet. */
export interface HashKeys {
  projectId: number;
  personId: number;
  /** Every ID under which rows of the person may be stored, including its own. */
  allIds: readonly number[];
  flagKeys: readonly string[];
  hashKey: string;
  /** Unix ms. */
  now: number;
}

/** The tables that flag evaluation reads, accessed by the commit thread between two commits. */
export interface FlagSubjectTables {
  /** The existing persons with these IDs. IDs are internal integers, so they are inlined into the statement. */
  readPersons(ids: readonly number[]): Promise<StoredSubject[]>;
  /** The persons with IDs in the range, both ends included. */
  readPersonsBetween(from: number, to: number): Promise<StoredSubject[]>;
  /**
   * Distinct IDs of persons and placeholders in the ID range, without duplicates and at most MAX_NAMES; some may
   * belong to another person by now.
   */
  readNamesBetween(from: number, to: number): Promise<{ projectId: number; distinctId: string }[]>;
  /** The greatest ID of a person or placeholder; 0 when there is none. */
  lastPersonId(): Promise<number>;
  /** Cohorts and hash keys of these IDs, oldest first; runs no statement while both tables are empty. */
  readParts(ids: readonly number[]): Promise<SubjectPart[]>;
  /** Inside the open transaction. */
  insertHashKeys(keys: HashKeys): Promise<void>;
  /** Checks again whether the tables are empty, after another writer has changed them. */
  refreshHasParts(): Promise<void>;
}

/** One person may have any number of distinct ids. */
const MAX_NAMES = 16_384;

/** Opens the tables on the commit connection. */
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

  async function personsWhere(params: string): Promise<StoredSubject[]> {
    const found =
      await rows(`SELECT id, uuid::VARCHAR, properties, false, 0::BIGINT AS version FROM persons_settled WHERE ${params}
      UNION ALL SELECT id, uuid::VARCHAR, properties, is_deleted, version FROM persons_recent WHERE ${params} ORDER BY version`);
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
      const params = `WHERE person_id BETWEEN ${from} AND ${to}`;
      const found = await rows(`SELECT project_id, distinct_id FROM person_distinct_ids_settled ${params}
        UNION SELECT project_id, distinct_id FROM person_distinct_ids_recent ${params} LIMIT ${MAX_NAMES}`);
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
      const params = `WHERE person_id IN (${ids.join(', ')})`;
      const found =
        await rows(`SELECT person_id, cohort_id, NULL, NULL, NULL AS created_at FROM cohort_people ${params}
        UNION ALL SELECT person_id, NULL, flag_key, hash_key, created_at FROM flag_hash_keys ${params}
        ORDER BY created_at`);
      return (found as [number, number | null, string, string][]).map(
        ([personId, cohortId, flagKey, hashKey]) =>
          cohortId === null ? { personId, flagKey, hashKey } : { personId, cohortId },
      );
    },
    async insertHashKeys({ projectId, personId, allIds, flagKeys, hashKey, now }) {
      hasParts = true;
      await insertSelect(
        connection,
        `INSERT INTO flag_hash_keys
         SELECT $projectId, $personId, flag_key, $hashKey, make_timestamp($now::BIGINT * 1000)
         FROM (SELECT unnest(from_json($flagKeys, '["VARCHAR"]')) AS flag_key)
         WHERE flag_key NOT IN (SELECT flag_key FROM flag_hash_keys WHERE person_id IN (${allIds.join(', ')}))`,
        { projectId, personId, hashKey, now, flagKeys: JSON.stringify(flagKeys) },
      );
    },
    refreshHasParts: lookForParts,
  };
}
