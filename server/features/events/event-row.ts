/** A stored event as it is read for the listing. */
export interface EventRow {
  uuid: string;
  event: string;
  distinctId: string;
  /** ISO 8601, UTC, microseconds. */
  timestamp: string;
  /** JSON text. */
  properties: string;
  elementsChain: string | null;
}
