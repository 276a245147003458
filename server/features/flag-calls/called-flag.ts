import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { textOfJson } from '../../warehouse/duckdb/json-slice.ts';

/** What SDKs send when a flag was asked for (ingestion contract 11). */
export const FLAG_CALLED = '$feature_flag_called';

/** The key of the flag that such an event names, or null. */
export function calledFlag({ properties }: Pick<EventRow, 'properties'>): string | null {
  const { $feature_flag: key } = JSON.parse(textOfJson(properties)) as { $feature_flag?: unknown };
  return typeof key === 'string' ? key : null;
}
