import type { LiveEvent, LiveMessage } from '../../api/live.api.ts';

/** The rows of the live table and what waits above them. Plain values: every step makes a new buffer. */
export interface LiveBuffer {
  /** Newest first. */
  rows: readonly LiveEvent[];
  /** Arrived while the table is being read; newest first. */
  waiting: readonly LiveEvent[];
  /** How many arrived while held, also those beyond what is kept. */
  waitingCount: number;
  /** Events that never became a row: too many for the stream, or for the waiting list. */
  skipped: number;
}

/** Rows that the table keeps; older ones are in the store. */
export const ROW_LIMIT = 2000;

/** A buffer without rows. */
export function emptyBuffer(): LiveBuffer {
  return { rows: [], waiting: [], waitingCount: 0, skipped: 0 };
}

/** Takes a message of the stream: into the rows, or into the waiting list while the table is held. An event is shown once. */
export function receive(buffer: LiveBuffer, message: LiveMessage, isHeld: boolean): LiveBuffer {
  const fresh = newestFirst(withoutKnown(buffer, message.events));
  const skipped = buffer.skipped + message.skipped;
  if (!isHeld) return { ...buffer, rows: [...fresh, ...buffer.rows].slice(0, ROW_LIMIT), skipped };
  const waiting = [...fresh, ...buffer.waiting];
  return {
    ...buffer,
    waiting: waiting.slice(0, ROW_LIMIT),
    waitingCount: buffer.waitingCount + fresh.length,
    skipped: skipped + Math.max(0, waiting.length - ROW_LIMIT),
  };
}

/** Lets what waits into the rows. */
export function release(buffer: LiveBuffer): LiveBuffer {
  if (buffer.waitingCount === 0) return buffer;
  return {
    ...buffer,
    rows: [...buffer.waiting, ...buffer.rows].slice(0, ROW_LIMIT),
    waiting: [],
    waitingCount: 0,
  };
}

/** Adds stored events: below what came live at the first load, in their place after a break of the stream. */
export function addStored(buffer: LiveBuffer, events: readonly LiveEvent[]): LiveBuffer {
  const missing = withoutKnown(buffer, events);
  if (missing.length === 0) return buffer;
  const rows = newestFirst([...buffer.rows, ...missing]).slice(0, ROW_LIMIT);
  return { ...buffer, rows };
}

function withoutKnown(buffer: LiveBuffer, events: readonly LiveEvent[]): LiveEvent[] {
  const known = new Set([...buffer.rows, ...buffer.waiting].map((event) => event.id));
  return events.filter((event) => !known.has(event.id) && known.add(event.id));
}

/** By arrival; events read from the store, whose arrival is not listed, by their own time. Stable for equal times. */
function newestFirst(events: readonly LiveEvent[]): LiveEvent[] {
  return events.toSorted((a, b) => timeOf(b) - timeOf(a));
}

function timeOf(event: LiveEvent): number {
  return Date.parse(event.received_at ?? event.timestamp);
}
