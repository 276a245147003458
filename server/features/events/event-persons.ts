import type { Asked } from '../../db/stoppable.ts';
import { findPersonsOfEvents } from './events.reads.ts';
import type { EventRow, EventWithPerson, PersonOfEvent } from './event-row.ts';

/**
 * Adds to events their persons, asking for each person once and for a piece of events in one statement: joined to the
 * whole list, the statement would read all persons to order the events.
 */
export function createPersonLookup(db: Asked, projectId: number) {
  const known = new Map<number, PersonOfEvent | null>();

  async function addPersons(rows: readonly EventRow[]): Promise<EventWithPerson[]> {
    const unknown = [...new Set(rows.map(({ personId }) => personId))].filter((id) => !known.has(id));
    if (unknown.length > 0) {
      for (const id of unknown) known.set(id, null);
      for (const { eventPersonId, ...person } of await findPersonsOfEvents(db, projectId, unknown)) {
        known.set(eventPersonId, person);
      }
    }
    return rows.map((row) => ({ ...row, person: known.get(row.personId) ?? null }));
  }

  return {
    addPersons,
    /** The same for events that arrive in pieces. */
    async *addToPieces(pieces: AsyncIterable<EventRow[]>): AsyncGenerator<EventWithPerson[]> {
      for await (const rows of pieces) yield await addPersons(rows);
    },
  };
}

export type PersonLookup = ReturnType<typeof createPersonLookup>;
