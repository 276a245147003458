import type { Params, ReadStatements, Row } from '../../db/db.ts';
import { jsonFragment } from '../../lib/json-fragment.ts';
import { propertyPointer } from '../../warehouse/duckdb/promoted-properties.ts';
import { quoteText } from '../../lib/quote-sql.ts';
import { ANONYMOUS_ID_PATTERN, NAME_PROPERTIES } from './person-name.ts';

/** A person as it is stored, with its distinct ids, anonymous-looking ones last. */
export interface PersonRow {
  id: number;
  uuid: string;
  /** ISO 8601, UTC, microseconds. */
  createdAt: string;
  /** JSON text. */
  properties: string;
  isIdentified: boolean;
  /** null: none is left. */
  distinctIds: string[] | null;
  /** Properties that name persons in its project; null: the usual ones. */
  nameProperties: string[] | null;
}

/** Which persons: all conditions must hold. */
export interface PersonFilter {
  email: string | null;
  distinctId: string | null;
  /** Part of what names a person, or exactly one of its distinct ids or its UUID. */
  search: string | null;
  /** Properties that name persons in the project; empty: the usual ones. */
  nameProperties: readonly string[];
  /** Further conditions over `properties`, with their parameters. */
  conditions: readonly string[];
  params: Params;
}

/**
 * Ids of the persons of a page, newest created first, and one more when there is a next page. Ids alone, because
 * ordering whole rows would read the properties of all persons (72 ms against 13 ms at one million persons).
 */
export async function listPersonIds(
  reads: ReadStatements,
  projectId: number,
  filter: PersonFilter,
  page: { limit: number; offset: number },
): Promise<number[]> {
  const { where, params } = whereOf(projectId, filter);
  // Counts are inlined: with a constant limit DuckDB keeps only the first rows while sorting.
  const rows = await reads.all<{ id: number }>(
    `SELECT id FROM persons WHERE ${where} ORDER BY created_at DESC, id DESC LIMIT ${page.limit + 1} OFFSET ${page.offset}`,
    params,
  );
  return rows.map(({ id }) => id);
}

export async function countPersons(
  reads: ReadStatements,
  projectId: number,
  filter: PersonFilter,
): Promise<number> {
  const { where, params } = whereOf(projectId, filter);
  const [row] = await reads.all<{ count: number }>(
    `SELECT count(*) AS count FROM persons WHERE ${where}`,
    params,
  );
  return row!.count;
}

/** The setting of a project that says which properties name its persons, as a list. */
const DISPLAY_NAMES = `json_extract_string(settings, '$.api.person_display_name_properties[*]')`;

/** The properties that name persons in a project; empty: the usual ones. */
export async function readNameProperties(
  reads: Pick<ReadStatements, 'all'>,
  projectId: number,
): Promise<string[]> {
  const [row] = await reads.all<{ names: string[] | null }>(
    `SELECT ${DISPLAY_NAMES} AS names FROM projects WHERE id = $projectId`,
    { projectId },
  );
  return row?.names ?? [];
}

/** Persons by their ids, in no order, each with at most `maxDistinctIds` of its distinct ids. */
export function getPersons(
  reads: ReadStatements,
  ids: readonly number[],
  maxDistinctIds: number,
): Promise<PersonRow[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const isAnonymous = `regexp_matches(distinct_id, ${quoteText(ANONYMOUS_ID_PATTERN)})`;
  return reads.all<PersonRow>(
    `SELECT id, uuid, created_at AS "createdAt", properties, is_identified AS "isIdentified", distinct_ids AS "distinctIds",
       (SELECT ${DISPLAY_NAMES} FROM projects WHERE projects.id = persons.project_id) AS "nameProperties"
     FROM persons LEFT JOIN (
       SELECT person_id, list(distinct_id ORDER BY ${isAnonymous}, position)[1:$maxDistinctIds] AS distinct_ids
       FROM person_distinct_ids WHERE person_id IN (SELECT unnest($ids::INTEGER[])) GROUP BY person_id
     ) d ON d.person_id = persons.id
     WHERE id IN (SELECT unnest($ids::INTEGER[]))`,
    { ids, maxDistinctIds },
  );
}

/** The id of the project's person with this id or UUID, or null. */
export async function findPersonId(
  reads: ReadStatements,
  projectId: number,
  key: { id: number } | { uuid: string },
): Promise<number | null> {
  const condition = 'id' in key ? 'id = $id' : 'uuid = $uuid::UUID';
  const [row] = await reads.all<{ id: number }>(
    `SELECT id FROM persons WHERE project_id = $projectId AND ${condition}`,
    { projectId, ...key },
  );
  return row?.id ?? null;
}

/** Ids of persons named by UUIDs and by distinct ids; unknown ones are skipped. */
export async function findPersonIds(
  reads: ReadStatements,
  projectId: number,
  names: { uuids: readonly string[]; distinctIds: readonly string[] },
): Promise<number[]> {
  const rows = await reads.all<{ id: number }>(
    `SELECT id FROM persons WHERE project_id = $projectId AND uuid IN (SELECT unnest($uuids::UUID[]))
     UNION
     SELECT id FROM persons JOIN person_distinct_ids d ON d.person_id = persons.id
     WHERE d.project_id = $projectId AND distinct_id IN (SELECT unnest($distinctIds::VARCHAR[]))
     ORDER BY id`,
    { projectId, ...names },
  );
  return rows.map(({ id }) => id);
}

/** The person ids of distinct ids; those of no person are skipped. */
export function findOwners(
  reads: ReadStatements,
  projectId: number,
  distinctIds: readonly string[],
): Promise<{ distinctId: string; personId: number }[]> {
  return reads.all(
    `SELECT distinct_id AS "distinctId", person_id AS "personId" FROM person_distinct_ids
     WHERE project_id = $projectId AND distinct_id IN (SELECT unnest($distinctIds::VARCHAR[]))`,
    { projectId, distinctIds },
  );
}

/** Whether a distinct id is one of the person's. */
export async function hasDistinctId(
  reads: ReadStatements,
  projectId: number,
  personId: number,
  distinctId: string,
): Promise<boolean> {
  const rows = await reads.all(
    `SELECT 1 AS found FROM person_distinct_ids
     WHERE project_id = $projectId AND person_id = $personId AND distinct_id = $distinctId`,
    { projectId, personId, distinctId },
  );
  return rows.length > 0;
}

function whereOf(projectId: number, filter: PersonFilter): { where: string; params: Params } {
  const conditions = ['project_id = $projectId', ...filter.conditions];
  const params: Record<string, Params[string]> = { projectId, ...filter.params };
  if (filter.email !== null) {
    // Looking for the text first avoids parsing the JSON of nearly all persons.
    conditions.push(
      `contains(properties, $emailInJson) AND json_extract_string(properties, '/email') = $email`,
    );
    Object.assign(params, { email: filter.email, emailInJson: jsonFragment(filter.email) });
  }
  if (filter.distinctId !== null) {
    conditions.push(`id IN (${withDistinctId('$distinctId')})`);
    params['distinctId'] = filter.distinctId;
  }
  if (filter.search !== null) {
    // All in one call, which reads the JSON once.
    const usual = NAME_PROPERTIES.map((name) => quoteText(propertyPointer(name))).join(', ');
    const chosen = filter.nameProperties.map((name) => quoteText(propertyPointer(name))).join(', ');
    const named = `list_filter(json_extract_string(properties, [${chosen || usual}]), lambda v: contains(lower(v), lower($search)))`;
    conditions.push(
      `(contains(lower(properties), lower($searchInJson)) AND len(${named}) > 0
        OR id IN (${withDistinctId('$search')}) OR uuid = TRY_CAST($search AS UUID))`,
    );
    Object.assign(params, { search: filter.search, searchInJson: jsonFragment(filter.search) });
  }
  return { where: conditions.join(' AND '), params };
}

function withDistinctId(value: string): string {
  return `SELECT person_id FROM person_distinct_ids WHERE project_id = $projectId AND distinct_id = ${value}`;
}

/** Rows that have JSON text in a column `properties`: the FROM and WHERE of a statement, with its parameters. */
export interface PropertySource {
  from: string;
  params: Params;
}

/**
 * The most frequent values of a property as texts, those of lists one by one, with how often each occurs; `value` keeps
 * the ones that contain it, whatever their case. At most 20.
 */
export function listPropertyValues(
  reads: ReadStatements,
  source: PropertySource,
  { key, value }: { key: string; value: string },
): Promise<{ name: string; count: number }[]> {
  const values = `CASE json_type(properties, $pointer)
    WHEN 'ARRAY' THEN json_extract_string(json_extract(properties, $pointer), '$[*]')
    ELSE [json_extract_string(properties, $pointer)] END`;
  return reads.all(
    `SELECT name, count(*) AS count FROM (
       SELECT unnest(${values}) AS name FROM ${source.from} AND contains(properties, $keyInJson)
     ) WHERE name IS NOT NULL AND contains(lower(name), lower($value))
     GROUP BY name ORDER BY count DESC, name LIMIT 20`,
    { ...source.params, pointer: propertyPointer(key), keyInJson: JSON.stringify(key), value },
  );
}

/** Names of properties with the number of rows that have them, most frequent first. */
export function countPropertyNames(
  reads: ReadStatements,
  source: PropertySource,
): Promise<{ name: string; count: number }[]> {
  return reads.all(
    `SELECT name, count(*) AS count FROM (SELECT unnest(json_keys(properties)) AS name FROM ${source.from})
     GROUP BY name ORDER BY count DESC, name`,
    source.params,
  );
}

/** A person that became part of another. */
export interface MergeRow {
  /** The absorbed person's. */
  uuid: string;
  /** The absorbed id that the event named. */
  distinctId: string;
  /** `$identify`, `$create_alias` or `$merge_dangerously`. */
  event: string;
  /** ISO 8601, UTC. */
  at: string;
}

/** What set the properties of a person, as JSON text; null for an unknown person. */
export async function findPropertySources(reads: ReadStatements, personId: number): Promise<string | null> {
  const [row] = await reads.all<{ sources: string }>(
    'SELECT property_sources AS sources FROM persons WHERE id = $personId',
    { personId },
  );
  return row?.sources ?? null;
}

/** Lists all merges into a person, newest first, also those of the persons that it absorbed. */
export function listMerges(reads: ReadStatements, projectId: number, personId: number): Promise<MergeRow[]> {
  return reads.all<MergeRow>(
    `WITH RECURSIVE part(id) AS (
       SELECT $personId::INTEGER
       UNION
       SELECT old_person_id FROM person_merge_history h JOIN part ON h.person_id = part.id
       WHERE h.project_id = $projectId
     )
     SELECT old_uuid AS uuid, distinct_id AS "distinctId", event, merged_at AS at
     FROM person_merge_history h SEMI JOIN part ON h.person_id = part.id
     WHERE h.project_id = $projectId ORDER BY merged_at DESC, old_person_id DESC`,
    { projectId, personId },
  );
}

/** How many of a person's events have the same name, day, distinct id or group; `total` is all of them. */
export interface ActivityRow {
  kind: 'total' | 'day' | 'event' | 'distinct_id' | 'group';
  /** The index of a group's type; null for other kinds. */
  index: number | null;
  name: string;
  count: number;
  /** ISO 8601, UTC; null when there are no events. */
  firstSeen: string | null;
  lastSeen: string | null;
}

const MAX_EVENTS = 100;
const MAX_DISTINCT_IDS = 1_000;
const MAX_GROUPS = 100;
const GROUP_INDEXES = [0, 1, 2, 3, 4];
const COUNTS = 'count(*) AS count, min(timestamp) AS "firstSeen", max(timestamp) AS "lastSeen"';

/**
 * Aggregates of a person's events, under every id that it ever had. One pass over the events; days count from `since`
 * (Unix milliseconds). Rows of a kind follow each other, in the order in which they are shown.
 */
export function listActivity(
  reads: ReadStatements,
  projectId: number,
  personId: number,
  since: number,
): Promise<ActivityRow[]> {
  const groups = GROUP_INDEXES.map((index) => groupedBy('group', `"$group_${index}"`, String(index)));
  return reads.all<ActivityRow & Row>(
    `WITH mine AS MATERIALIZED (
       SELECT timestamp, event, distinct_id, ${GROUP_INDEXES.map((index) => `"$group_${index}"`).join(', ')}
       FROM all_events WHERE project_id = $projectId AND person_id IN (
         SELECT $personId::INTEGER UNION ALL SELECT old_person_id FROM person_overrides WHERE person_id = $personId)
     )
     SELECT 'total' AS kind, NULL::INTEGER AS index, '' AS name, ${COUNTS} FROM mine
     UNION ALL (${groupedBy('day', `strftime(timestamp, '%Y-%m-%d')`, 'NULL', 'timestamp >= make_timestamp($since)')} ORDER BY name)
     UNION ALL (${groupedBy('event', 'event', 'NULL')} ORDER BY count DESC, name LIMIT ${MAX_EVENTS})
     UNION ALL (${groupedBy('distinct_id', 'distinct_id', 'NULL')} ORDER BY "lastSeen" DESC, name LIMIT ${MAX_DISTINCT_IDS})
     UNION ALL (SELECT * FROM (${groups.join(' UNION ALL ')}) ORDER BY "lastSeen" DESC, index, name LIMIT ${MAX_GROUPS})`,
    { projectId, personId, since: since * 1000 },
  );
}

function groupedBy(kind: ActivityRow['kind'], name: string, index: string, condition?: string): string {
  return `SELECT '${kind}' AS kind, ${index}::INTEGER AS index, ${name} AS name, ${COUNTS}
    FROM mine WHERE ${condition ?? `${name} IS NOT NULL`} GROUP BY ${name}`;
}
