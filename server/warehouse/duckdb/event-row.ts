import type { JsonSlice } from './json-slice.ts';

/** One event as it is appended: the columns of `events_recent` that its sender decides. */
export interface EventRow {
  projectId: number;
  /** Canonical lower-case UUID text. */
  uuid: string;
  /** The sender gave the UUID, so that the same event may come again. */
  hasClientUuid: boolean;
  event: string;
  distinctId: string;
  /** Unix microseconds, a whole number. */
  timestamp: number;
  /** JSON text of an object. */
  properties: string | JsonSlice;
  elementsChain: string | null;
  /** Unix microseconds, a whole number. */
  receivedAt: number;
  historical: boolean;
}
