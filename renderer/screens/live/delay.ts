import type { LiveEvent } from '../../api/live.api.ts';

/** Milliseconds between happening and arrival; `null` when the arrival is not known. */
export function delayOf(event: LiveEvent): number | null {
  return event.received_at === null ? null : Date.parse(event.received_at) - Date.parse(event.timestamp);
}
