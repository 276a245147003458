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
  /** JSON text of an object, or its UTF-8 bytes. */
  properties: string | Uint8Array;
  elementsChain: string | null;
  /** Unix microseconds, a whole number. */
  receivedAt: number;
  historical: boolean;
}
