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
  uuid: string;
  event: string;
  distinctId: string;
  timestamp: string;
  /** JSON text of an object. */
  properties: string;
  elementsChain: string | null;
}

/** One that was deleted while it was waiting. */
export interface DeletedEvent {
  seq: number;
  event: null;
}

/** New rows that compaction has not moved yet; history and late retries are not forwarded. */
const RECENT = `FROM events_recent WHERE project_id = $projectId AND seq > $position AND NOT historical
  AND (NOT suspect OR seq NOT IN (SELECT seq FROM late_retries))`;
const MOVED = `FROM forwarding_waiting WHERE project_id = $projectId AND seq > $position`;

/** Rows of waiting events up to `$last` with these columns of their events. */
const waitingRows = (columns: string): string => `
  SELECT seq, ${columns}
  FROM (SELECT project_id, seq, uuid, timestamp ${MOVED} AND seq <= $last ORDER BY seq LIMIT $limit)
  LEFT JOIN events USING (project_id, uuid, timestamp)
  UNION ALL
  (SELECT seq, ${columns} ${RECENT} AND seq <= $last ORDER BY seq LIMIT $limit)`;

/**
 * The next events in the order of their commits: at most `limit`, of about `bytes`, but at least one. Their sizes are read
 * first, so that no more than that is in memory.
 */
export async function listWaiting(
  analytics: ReadStatements,
  {
    projectId,
    position,
    limit,
    bytes,
  }: { projectId: number; position: number; limit: number; bytes: number },
): Promise<(WaitingEvent | DeletedEvent)[]> {
  const page = { projectId, position, limit };
  const sizes = await analytics.all<{ seq: number; size: number }>(
    `SELECT seq AS "seq", coalesce(size, 0) AS "size" FROM (${waitingRows('strlen(properties) AS size')})
     ORDER BY seq LIMIT $limit`,
    { ...page, last: Number.MAX_SAFE_INTEGER },
  );
  let total = 0;
  const count = sizes.findIndex(({ size }) => (total += size) > bytes);
  const last = sizes[count < 0 ? sizes.length - 1 : Math.max(0, count - 1)];
  if (last === undefined) return [];
  return await analytics.all(
    `SELECT seq AS "seq", uuid::VARCHAR AS "uuid", event AS "event", distinct_id AS "distinctId", timestamp AS "timestamp",
       properties AS "properties", elements_chain AS "elementsChain"
     FROM (${waitingRows('uuid, event, distinct_id, timestamp, properties, elements_chain')}) ORDER BY seq`,
    { ...page, last: last.seq },
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
