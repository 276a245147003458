import type { Analytics, Param, QueryOptions } from '../../db/db.ts';
import type { ReadStatements } from '../../db/db.ts';
import { PERSON_UUID_NAMESPACE } from '../../lib/person-namespace.ts';
import type { Cursor, EventPage } from './event-page.ts';
import type { EventRow, PersonOfEvent } from './event-row.ts';

const COLUMNS = 'uuid, event, distinct_id, person_id, timestamp, properties, elements_chain';
const EVENT = `uuid, event, distinct_id AS "distinctId", person_id AS "personId", timestamp, properties,
  elements_chain AS "elementsChain"`;
/** Stored and found by name, but left out of lists that name no event (ingestion contract 3.8). */
const UNLISTED = '$$heatmap';

/** Up to this many events, DuckDB finds those of the page by time and UUID before it reads their other columns. */
const MOST_FOUND_FIRST = 1_001;

/**
 * The events of a page and, when there are more, one beyond it; in pieces, so that a long page neither fills the memory
 * nor holds up other requests. The first rows of `events` and of what has just arrived are taken apart and merged: the
 * union of both would be ordered as a whole. The newest 100 of 3 million events take 25 ms, and 82 ms when their columns are
 * read with those of all others.
 */
export function streamEvents(
  analytics: Analytics,
  projectId: number,
  page: EventPage,
  options: QueryOptions,
): AsyncIterable<EventRow[]> {
  const { where, params } = conditionsOf(projectId, page);
  const direction = page.isAscending ? 'ASC' : 'DESC';
  const order = `ORDER BY timestamp ${direction}, uuid ${direction}`;
  // Counts are part of the text because DuckDB keeps only the first rows while sorting when their number is fixed;
  // both are whole numbers checked by the contract.
  const { limit, offset } = page;
  const count = limit === null ? null : limit + 1 + offset;
  const first = (source: string, columns: string): string =>
    `SELECT ${columns} FROM ${source} e WHERE ${where} ${order} ${count === null ? '' : `LIMIT ${count}`}`;
  const stored =
    count !== null && count <= MOST_FOUND_FIRST
      ? `SELECT ${COLUMNS} FROM events WHERE rowid IN (${first('events', 'rowid')})`
      : first('events', COLUMNS);
  const sql = `SELECT ${EVENT} FROM ((${stored}) UNION ALL (${first('recent_events', COLUMNS)}))
    ${order} ${limit === null ? '' : `LIMIT ${limit + 1} OFFSET ${offset}`}`;
  return analytics.stream<EventRow>(sql, params, options);
}

/** An event of the project, or null. */
export async function findEvent(
  analytics: Analytics,
  projectId: number,
  uuid: string,
  options: QueryOptions,
): Promise<EventRow | null> {
  const rows = await analytics.all<EventRow>(
    `SELECT ${EVENT} FROM all_events WHERE project_id = $projectId AND uuid = $uuid::UUID LIMIT 1`,
    { projectId, uuid },
    options,
  );
  return rows[0] ?? null;
}

/** Who events belong to now that were stored under these person ids; nothing of those without a person. */
export function findPersonsOfEvents(
  db: ReadStatements,
  projectId: number,
  personIds: readonly number[],
): Promise<(PersonOfEvent & { eventPersonId: number })[]> {
  return db.all(
    `WITH wanted AS (
       SELECT w.id AS event_person_id, coalesce(o.person_id, w.id) AS id
       FROM (SELECT unnest($personIds::INTEGER[]) AS id) w LEFT JOIN person_overrides o ON o.old_person_id = w.id
     ), first_ids AS (
       SELECT person_id, arg_min(distinct_id, position) AS distinct_id FROM person_distinct_ids
       WHERE person_id IN (SELECT id FROM wanted) GROUP BY person_id
     )
     SELECT event_person_id AS "eventPersonId", is_identified AS "isIdentified", distinct_id AS "distinctId",
       json_extract(properties, '$.email')::VARCHAR AS email, json_extract(properties, '$.name')::VARCHAR AS name,
       json_extract(properties, '$.username')::VARCHAR AS username
     FROM wanted JOIN persons USING (id) LEFT JOIN first_ids ON first_ids.person_id = wanted.id
     WHERE project_id = $projectId`,
    { projectId, personIds },
  );
}

/**
 * The ids under which the events of one person were stored, its own and those merged into it. The person is named by
 * its id or UUID, also by those of one that was merged away or of a placeholder. Empty: there is no such person.
 */
export async function findPersonIdsOfEvents(
  db: ReadStatements,
  projectId: number,
  person: string,
): Promise<number[]> {
  const id = /^\d{1,15}$/.test(person) ? Number(person) : await findPersonByUuid(db, projectId, person);
  if (id === null || id > 2_147_483_647) return [];
  const rows = await db.all<{ id: number }>(
    `WITH target AS (
       SELECT coalesce((SELECT person_id FROM person_overrides WHERE old_person_id = $id), $id)::INTEGER AS id
     )
     SELECT id FROM target UNION
     SELECT old_person_id FROM person_overrides WHERE person_id IN (SELECT id FROM target)`,
    { id },
  );
  return rows.map((row) => row.id);
}

async function findPersonByUuid(db: ReadStatements, projectId: number, uuid: string): Promise<number | null> {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)) return null;
  const [person] = await db.all<{ id: number }>(
    'SELECT id FROM persons WHERE project_id = $projectId AND uuid = $uuid::UUID',
    { projectId, uuid },
  );
  if (person !== undefined) return person.id;
  // It has no row, but its UUID is derived from a distinct ID (see personUuid), which has its person. The comparison
  // uses the digits of the hash that the version and variant of a UUID do not replace.
  const hex = uuid.toLowerCase().replaceAll('-', '');
  const [named] = await db.all<{ id: number }>(
    `SELECT person_id AS id FROM (
       SELECT person_id, sha1(unhex($namespace) || encode($projectId::VARCHAR || ':' || distinct_id)) AS hash
       FROM person_distinct_ids WHERE project_id = $projectId
     ) WHERE hash[1:12] = $head AND hash[14:16] = $middle AND hash[18:32] = $tail LIMIT 1`,
    {
      namespace: PERSON_UUID_NAMESPACE,
      projectId,
      head: hex.slice(0, 12),
      middle: hex.slice(13, 16),
      tail: hex.slice(17),
    },
  );
  return named?.id ?? null;
}

function conditionsOf(projectId: number, page: EventPage): { where: string; params: Record<string, Param> } {
  const conditions = ['project_id = $projectId'];
  const params: Record<string, Param> = { projectId };
  const add = (name: string, value: Param, condition: string): void => {
    if (value === null) return;
    conditions.push(condition);
    params[name] = value;
  };
  const addEdge = (name: string, sign: '<' | '>', edge: Cursor | null): void => {
    if (edge === null) return;
    params[name] = edge.timestamp;
    const instant = `make_timestamp($${name})`;
    if (edge.uuid === null) {
      conditions.push(`timestamp ${sign} ${instant}`);
      return;
    }
    params[`${name}Id`] = edge.uuid;
    // The first condition says nothing new; by it whole blocks of the file are passed over unread.
    conditions.push(`timestamp ${sign}= ${instant}`);
    const orEqual = edge.isInclusive === true ? '=' : '';
    conditions.push(`(timestamp ${sign} ${instant} OR uuid ${sign}${orEqual} $${name}Id::UUID)`);
  };
  add('event', page.event, 'event = $event');
  if (page.event === null) add('unlisted', UNLISTED, 'event <> $unlisted');
  add('distinctId', page.distinctId, 'distinct_id = $distinctId');
  add('personIds', page.personIds, 'list_contains($personIds::INTEGER[], person_id)');
  addEdge('before', '<', page.before);
  addEdge('after', '>', page.after);
  conditions.push(page.filter.sql);
  return { where: conditions.join(' AND '), params: { ...params, ...page.filter.params } };
}
