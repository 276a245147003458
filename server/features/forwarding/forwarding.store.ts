import type { ReadStatements, Statements } from '../../db/db.ts';

/** Why nothing is sent until a user resumes it. */
export type PauseReason = 'by_hand' | 'refused' | 'backup';

/** Where the new events of a project are sent as well. */
export interface ForwardingTarget {
  projectId: number;
  /** Without a slash at its end. */
  host: string;
  apiKey: string;
  paused: PauseReason | null;
  problem: string | null;
  /** The seq of the last event that was sent or left out. */
  position: number;
  sent: number;
  leftOut: number;
  /** ISO 8601, UTC; as the one below. */
  lastSentAt: string | null;
  createdAt: string;
}

const TARGET = `project_id AS "projectId", host AS "host", api_key AS "apiKey", paused AS "paused", problem AS "problem",
  position AS "position", sent AS "sent", left_out AS "leftOut", last_sent_at AS "lastSentAt", created_at AS "createdAt"`;

export const listTargets = (db: Statements): Promise<ForwardingTarget[]> =>
  db.all(`SELECT ${TARGET} FROM forwarding ORDER BY project_id`);

export const findTarget = (db: Statements, projectId: number): Promise<ForwardingTarget | null> =>
  db.first(`SELECT ${TARGET} FROM forwarding WHERE project_id = $projectId`, { projectId });

/** Begins with the next event that is stored. `now` in Unix milliseconds. */
export async function insertTarget(
  tx: Statements,
  added: { projectId: number; host: string; apiKey: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO forwarding (project_id, host, api_key, position, sent, left_out, created_at)
     SELECT $projectId, $host, $apiKey,
       greatest((SELECT coalesce(max(seq), 0) FROM events_recent), (SELECT last_seq FROM events_state)), 0, 0, epoch_ms($now)`,
    added,
  );
}

/** Sends to another place from now on; what waits goes there as well. */
export async function updateTarget(
  tx: Statements,
  changed: Pick<ForwardingTarget, 'projectId' | 'host' | 'apiKey' | 'paused'>,
): Promise<void> {
  await tx.run(
    `UPDATE forwarding SET host = $host, api_key = $apiKey, paused = $paused, problem = NULL
     WHERE project_id = $projectId`,
    { ...changed },
  );
}

export async function saveTrouble(
  tx: Statements,
  changed: Pick<ForwardingTarget, 'projectId' | 'paused' | 'problem'>,
): Promise<void> {
  await tx.run('UPDATE forwarding SET paused = $paused, problem = $problem WHERE project_id = $projectId', {
    ...changed,
  });
}

export async function deleteTarget(tx: Statements, projectId: number): Promise<void> {
  await tx.run('DELETE FROM forwarding WHERE project_id = $projectId', { projectId });
}

/** Notes that all events up to a seq were sent or left out. `now` in Unix milliseconds. */
export async function saveProgress(
  tx: Statements,
  {
    projectId,
    position,
    sent,
    leftOut,
    now,
  }: { projectId: number; position: number; sent: number; leftOut: number; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE forwarding SET position = $position, sent = sent + $sent, left_out = left_out + $leftOut, problem = NULL,
       last_sent_at = CASE WHEN $sent > 0 THEN epoch_ms($now) ELSE last_sent_at END
     WHERE project_id = $projectId`,
    { projectId, position, sent, leftOut, now },
  );
}

/** An event as it is stored. */
export interface WaitingEvent {
  seq: number;
  /** Null, as all below: it was deleted since. */
  uuid: string | null;
  event: string;
  distinctId: string;
  timestamp: string;
  /** JSON text of an object. */
  properties: string;
  elementsChain: string | null;
}

/** New rows that compaction has not moved yet; history and late retries are not forwarded. */
const RECENT = `FROM events_recent WHERE project_id = $projectId AND seq > $position AND NOT historical
  AND (NOT suspect OR seq NOT IN (SELECT seq FROM late_retries))`;
const MOVED = `FROM forwarding_waiting WHERE project_id = $projectId AND seq > $position`;

/** The next events in the order of their commits: at most `limit`, of about `bytes`, but at least one. */
export async function listWaiting(
  analytics: ReadStatements,
  page: { projectId: number; position: number; limit: number; bytes: number },
): Promise<WaitingEvent[]> {
  return await analytics.all(
    `WITH moved AS (SELECT project_id, seq, uuid, timestamp ${MOVED} ORDER BY seq LIMIT $limit),
     waiting AS (
       SELECT moved.seq, e.uuid, e.event, e.distinct_id, e.timestamp, e.properties, e.elements_chain
       FROM moved LEFT JOIN events e USING (project_id, uuid, timestamp)
       UNION ALL
       (SELECT seq, uuid, event, distinct_id, timestamp, properties, elements_chain ${RECENT} ORDER BY seq LIMIT $limit)
     )
     SELECT seq AS "seq", uuid::VARCHAR AS "uuid", event AS "event", distinct_id AS "distinctId", timestamp AS "timestamp",
       properties AS "properties", elements_chain AS "elementsChain"
     FROM (SELECT * FROM waiting ORDER BY seq LIMIT $limit)
     QUALIFY coalesce(sum(strlen(properties)) OVER (ORDER BY seq), 0) <= $bytes OR row_number() OVER (ORDER BY seq) = 1
     ORDER BY seq`,
    page,
  );
}

/** How many events wait, and since when the oldest does. */
export async function countWaiting(
  analytics: ReadStatements,
  { projectId, position }: { projectId: number; position: number },
): Promise<{ count: number; oldest: string | null }> {
  const [row] = await analytics.all<{ count: number; oldest: string | null }>(
    `SELECT count(*) AS "count", min(received_at) AS "oldest"
     FROM (SELECT received_at ${MOVED} UNION ALL SELECT received_at ${RECENT})`,
    { projectId, position },
  );
  return row!;
}
