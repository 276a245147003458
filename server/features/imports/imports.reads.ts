import type { Analytics } from '../../db/db.ts';

/** How many of these UUIDs are of events that the project has; those of the past were taken in before. */
export async function countKnown(
  analytics: Analytics,
  projectId: number,
  uuids: readonly string[],
): Promise<number> {
  const [row] = await analytics.all<{ n: number }>(
    `SELECT count(DISTINCT uuid) AS n FROM all_events
     WHERE project_id = $projectId AND uuid IN (SELECT unnest($uuids)::UUID)`,
    { projectId, uuids },
  );
  return row!.n;
}

/** Events of the past that the project has received since a moment, in Unix milliseconds. */
export async function countReceived(analytics: Analytics, projectId: number, since: number): Promise<number> {
  const [row] = await analytics.all<{ n: number }>(
    `SELECT count(*) AS n FROM all_events
     WHERE project_id = $projectId AND historical AND received_at >= epoch_ms($since)`,
    { projectId, since },
  );
  return row!.n;
}
