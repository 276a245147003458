import type { DuckDBConnection } from '@duckdb/node-api';

/**
 * Tables that reference a person by ID, with at most one row of a person per `key` (the first by `order`). Rows
 * follow merges and are deleted with the person.
 */
const PARTS = [
  { table: 'cohort_people', key: 'cohort_id', order: 'cohort_id' },
  { table: 'flag_hash_keys', key: 'flag_key', order: 'created_at' },
] as const;

/**
 * Moves rows of merged persons to the survivor, for merges up to a version, inside the open transaction. If both have
 * a row, the survivor's stays.
 */
export async function movePersonParts(connection: DuckDBConnection, upTo: bigint): Promise<void> {
  const carried = 'SELECT old_person_id FROM person_merges WHERE version <= $upTo';
  for (const { table, key, order } of PARTS) {
    await connection.run(
      `DELETE FROM ${table} WHERE rowid IN (
         SELECT row FROM (
           SELECT t.rowid AS row, row_number() OVER (
             PARTITION BY coalesce(o.person_id, t.person_id), ${key}
             ORDER BY o.person_id IS NOT NULL, ${order}, t.rowid) AS place
           FROM ${table} t LEFT JOIN person_overrides o ON o.old_person_id = t.person_id
         ) WHERE place > 1)`,
    );
    await connection.run(
      `UPDATE ${table} SET person_id = o.person_id FROM person_overrides o
       WHERE ${table}.person_id = o.old_person_id AND o.old_person_id IN (${carried})`,
      { upTo },
    );
  }
}

/** Deletes the rows of persons inside the open transaction; IDs are internal integers. */
export async function deletePersonParts(connection: DuckDBConnection, ids: readonly number[]): Promise<void> {
  for (const { table } of PARTS) {
    await connection.run(`DELETE FROM ${table} WHERE person_id IN (${ids.join(', ')})`);
  }
}
