import type { Analytics, QueryOptions } from '../../db/db.ts';
import { MAX_EVENTS, type CapturedEventJson } from './testing.contract.ts';

/** On the events that create persons of a test, which are no events of the app under test. */
export const PERSON_MARK = '$burrow_test_person';

const CAPTURED = `FROM all_events WHERE project_id = $projectId
  AND json_extract(properties, '$."${PERSON_MARK}"') IS NULL`;

export async function countCaptured(
  analytics: Analytics,
  projectId: number,
  options: QueryOptions,
): Promise<number> {
  const [row] = await analytics.all<{ count: number }>(
    `SELECT count(*) AS count ${CAPTURED}`,
    { projectId },
    options,
  );
  return row!.count;
}

/**
 * The newest events of a project, oldest first, with their properties as JSON text. UUIDs of SDKs grow, so they order what has
 * the same time.
 */
export function listCaptured(
  analytics: Analytics,
  projectId: number,
  options: QueryOptions,
): Promise<(Omit<CapturedEventJson, 'properties'> & { properties: string })[]> {
  return analytics.all(
    `SELECT * FROM (
       SELECT uuid, event, distinct_id, timestamp, properties ${CAPTURED}
       ORDER BY timestamp DESC, uuid DESC LIMIT ${MAX_EVENTS}
     ) ORDER BY timestamp, uuid`,
    { projectId },
    options,
  );
}
