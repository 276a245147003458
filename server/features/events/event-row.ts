/** A stored event as it is read for the listing. */
export interface EventRow {
  uuid: string;
  event: string;
  distinctId: string;
  /** The person at the time of storing: one merged away since, or a placeholder, perhaps. */
  personId: number;
  /** ISO 8601, UTC, microseconds. */
  timestamp: string;
  /** JSON text. */
  properties: string;
  elementsChain: string | null;
}

/** What an event shows of its person (management contract 7.2). */
export interface PersonOfEvent {
  isIdentified: boolean;
  /** The first of its distinct ids; null when none is left. */
  distinctId: string | null;
  /** JSON texts; null: the person has no such property. */
  email: string | null;
  name: string | null;
  username: string | null;
}

/** An event and the person that it belongs to now; null when there is none. */
export type EventWithPerson = EventRow & { person: PersonOfEvent | null };
