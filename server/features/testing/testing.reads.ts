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
 * The newest events of a project, in the order in which they were captured, with their properties as JSON text. A UUID of version 7
 * has the time and the count of its SDK. The timestamp would mix up requests: what lies between `sent_at` and now, on a busy machine
 * the delay of each, is added to it.
 */
export function listCaptured(
  analytics: Analytics,
  projectId: number,
  options: QueryOptions,
): Promise<(Omit<CapturedEventJson, 'properties'> & { properties: string })[]> {
  return analytics.all(
    `SELECT uuid, event, distinct_id, timestamp, properties FROM (
       SELECT uuid, event, distinct_id, timestamp, properties,
         CASE uuid_extract_version(uuid) WHEN 7 THEN uuid END AS sdk_order,
         coalesce(epoch_ms(uuid_extract_timestamp(sdk_order)), epoch_ms(received_at)) AS captured_at
       ${CAPTURED}
       ORDER BY captured_at DESC, sdk_order DESC, timestamp DESC, uuid DESC LIMIT ${MAX_EVENTS}
     ) ORDER BY captured_at, sdk_order, timestamp, uuid`,
    { projectId },
    options,
  );
}
