/**
 * How far rows may be moved out of the tables of recent changes, so that a warehouse beside the file receives each of them;
 * Infinity: there is none. Numbers are those of `warehouse_stream`.
 */
export interface StreamHold {
  eventsThrough: number;
  personsThrough: number;
  groupsThrough: number;
  /** What was stored before is being copied, and retention waits. */
  isCopying: boolean;
}

export function createStreamHold(): StreamHold {
  return { eventsThrough: Infinity, personsThrough: Infinity, groupsThrough: Infinity, isCopying: false };
}
