import type { DroppedRow } from '../../../server/features/ingestion/ingestion.contract.ts';
import type { CaptureBody } from '../../api/capture.api.ts';
import type { LiveEvent } from '../../api/live.api.ts';
import { reasonLabelOf } from '../../composables/reason-labels.ts';

/** Milliseconds between happening and arrival; `null` when the arrival is not known. */
export function delayOf(event: LiveEvent): number | null {
  return event.received_at === null ? null : Date.parse(event.received_at) - Date.parse(event.timestamp);
}

/** The event as a new one: same name, person and properties, its own uuid and, by default, the time of its arrival. */
export function captureBodyOf(event: LiveEvent, apiKey: string, newId: () => string): CaptureBody {
  return {
    api_key: apiKey,
    uuid: newId(),
    event: event.event,
    distinct_id: event.distinct_id,
    properties: event.properties,
  };
}

/** A command that sends the event again, for any POSIX shell. Without uuid, so that every run is a new event. */
export function curlOf(event: LiveEvent, host: string, apiKey: string): string {
  const { event: name, distinct_id, properties } = event;
  const body = JSON.stringify({ api_key: apiKey, event: name, distinct_id, properties }, null, 2);
  return [
    `curl ${host}/capture/ \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  --data-raw ${quote(body)}`,
  ].join('\n');
}

/** Single quotes keep every character unchanged, except the quote itself. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

export interface DropGroup {
  reason: string;
  title: string;
  hint: string;
  count: number;
  rows: readonly DroppedRow[];
}

/** Dropped events by reason, the most frequent first; within it by SDK and version. */
export function groupDrops(rows: readonly DroppedRow[]): DropGroup[] {
  const reasons = [...new Set(rows.map((row) => row.reason))];
  return reasons.map((reason) => groupOf(reason, rows)).toSorted((a, b) => b.count - a.count);
}

function groupOf(reason: string, all: readonly DroppedRow[]): DropGroup {
  const rows = all.filter((row) => row.reason === reason).toSorted((a, b) => b.count - a.count);
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  const { title, advice } = reasonLabelOf(reason);
  return { reason, title, hint: advice, count, rows };
}
