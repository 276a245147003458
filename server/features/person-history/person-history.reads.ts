import type { Row } from '../../db/db.ts';
import type { ReadStatements } from '../../db/db.ts';

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

/** All merges that made a person what it is, newest first, also those of the persons that it absorbed. */
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
 * What the events of a person amount to, under every id that it ever had. One pass over the events; days count from
 * `since` (Unix milliseconds). Rows of a kind stand together, in the order in which they are shown.
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
