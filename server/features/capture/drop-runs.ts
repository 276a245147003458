import type { DroppedEvent } from './normalize.ts';

/** Consecutive dropped events with the same reason and library. */
export interface DropRun extends DroppedEvent {
  count: number;
}

/**
 * Adds an event to the last run, or starts the next one, so that millions of empty objects in one request take one
 * entry.
 */
export function addDrop(runs: DropRun[], dropped: DroppedEvent): void {
  const last = runs.at(-1);
  if (last !== undefined && isAlike(last, dropped)) last.count++;
  else runs.push({ ...dropped, count: 1 });
}

function isAlike(a: DroppedEvent, b: DroppedEvent): boolean {
  return a.reason === b.reason && a.event === b.event && a.lib === b.lib && a.libVersion === b.libVersion;
}
