import type { EventRow } from '../../warehouse/duckdb/event-row.ts';
import { textOfJson } from '../../warehouse/duckdb/json-slice.ts';
import type { LiveEvent } from './capture-messages.ts';

/** An event as the live view shows it. */
export function liveEvent(row: EventRow): LiveEvent {
  return {
    projectId: row.projectId,
    id: row.uuid,
    event: row.event,
    distinctId: row.distinctId,
    timestamp: row.timestamp,
    receivedAt: row.receivedAt,
    properties: textOfJson(row.properties),
    elementsChain: row.elementsChain ?? '',
    lib: row.lib,
    libVersion: row.libVersion,
  };
}
