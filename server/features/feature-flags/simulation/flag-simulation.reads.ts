import type { Analytics, Params, QueryOptions } from '../../../db/db.ts';

/** A stored person or group with the fields that a simulation needs. */
export interface StoredSubject {
  /** UUID of a person, key of a group. */
  readonly id: string;
  /** Id of a person; null for a group. */
  readonly personId: number | null;
  /** JSON text. */
  readonly properties: string;
  /** Of a person: the first id that does not look anonymous, else the first; null when none is left. */
  readonly distinctId: string | null;
  /** Which of the requested static cohorts contain a person. */
  readonly cohorts: readonly number[] | null;
  /** JSON text: whom a person counts as, by key of a flag (ingestion contract F-8); null: only as itself. */
  readonly hashKeys: string | null;
}

/** Of whom: how many at most, and what of them beside their properties. */
export interface Wanted {
  readonly projectId: number;
  readonly limit: number;
  readonly staticCohorts: readonly number[];
  /** Flags that keep their answer over sign-in. */
  readonly keepingFlags: readonly string[];
  /** Regular expression of distinct ids that look anonymous. */
  readonly anonymousPattern: string;
}

/** How many persons, or groups of a type, a project has. */
export async function countSubjects(
  analytics: Analytics,
  projectId: number,
  groupTypeIndex: number | null,
  options: QueryOptions,
): Promise<number> {
  const from =
    groupTypeIndex === null
      ? 'persons WHERE project_id = $projectId'
      : `groups WHERE project_id = $projectId AND group_type_index = ${groupTypeIndex}`;
  const [row] = await analytics.all<{ count: number }>(
    `SELECT count(*) AS count FROM ${from}`,
    { projectId },
    options,
  );
  return row!.count;
}

/** Persons in pieces: all, or so many that are chosen by their ids alone, so that they are always the same. */
export function streamPersons(
  analytics: Analytics,
  wanted: Wanted,
  options: QueryOptions,
): AsyncIterable<StoredSubject[]> {
  const { projectId, limit, staticCohorts, keepingFlags, anonymousPattern } = wanted;
  const params: Record<string, Params[string]> = { projectId, anonymousPattern };
  if (staticCohorts.length > 0) params['staticCohorts'] = staticCohorts;
  if (keepingFlags.length > 0) params['keepingFlags'] = keepingFlags;
  return analytics.stream<StoredSubject>(
    `WITH chosen AS MATERIALIZED (
       SELECT id FROM persons WHERE project_id = $projectId ORDER BY hash(id) LIMIT ${limit}
     ), ids AS (
       SELECT person_id, arg_min(distinct_id, position::BIGINT
           + CASE WHEN regexp_matches(distinct_id, $anonymousPattern) THEN 10000000000 ELSE 0 END) AS distinct_id
       FROM person_distinct_ids WHERE project_id = $projectId AND person_id IN (FROM chosen) GROUP BY person_id
     )
     SELECT p.uuid::VARCHAR AS id, p.id AS "personId", p.properties, ids.distinct_id AS "distinctId",
       ${staticCohorts.length > 0 ? 'member.cohorts' : 'NULL'} AS cohorts,
       ${keepingFlags.length > 0 ? 'kept.keys' : 'NULL'} AS "hashKeys"
     FROM persons p LEFT JOIN ids ON ids.person_id = p.id
       ${staticCohorts.length > 0 ? `LEFT JOIN (${MEMBERS}) member ON member.person_id = p.id` : ''}
       ${keepingFlags.length > 0 ? `LEFT JOIN (${HASH_KEYS}) kept ON kept.person_id = p.id` : ''}
     WHERE p.id IN (FROM chosen)`,
    params,
    options,
  );
}

const MEMBERS = `
  SELECT coalesce(o.person_id, c.person_id) AS person_id, list(DISTINCT cohort_id) AS cohorts
  FROM cohort_people c LEFT JOIN person_overrides o ON o.old_person_id = c.person_id
  WHERE project_id = $projectId AND list_contains($staticCohorts::BIGINT[], cohort_id) GROUP BY 1`;

// A person's own before those of persons merged into it.
const HASH_KEYS = `
  SELECT person_id, json_group_object(flag_key, hash_key)::VARCHAR AS keys FROM (
    SELECT coalesce(o.person_id, k.person_id) AS person_id, flag_key,
      arg_min(hash_key, CASE WHEN o.person_id IS NULL THEN 0 ELSE 1 END) AS hash_key
    FROM flag_hash_keys k LEFT JOIN person_overrides o ON o.old_person_id = k.person_id
    WHERE project_id = $projectId AND list_contains($keepingFlags::VARCHAR[], flag_key) GROUP BY 1, 2
  ) GROUP BY person_id`;

/** Groups of a type in pieces, chosen as persons are. */
export function streamGroups(
  analytics: Analytics,
  { projectId, limit, groupTypeIndex }: Pick<Wanted, 'projectId' | 'limit'> & { groupTypeIndex: number },
  options: QueryOptions,
): AsyncIterable<StoredSubject[]> {
  return analytics.stream<StoredSubject>(
    `SELECT group_key AS id, NULL AS "personId", properties, NULL AS "distinctId", NULL AS cohorts, NULL AS "hashKeys"
     FROM groups WHERE project_id = $projectId AND group_type_index = ${groupTypeIndex}
     ORDER BY hash(group_key) LIMIT ${limit}`,
    { projectId },
    options,
  );
}
