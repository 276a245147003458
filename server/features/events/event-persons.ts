import type { Asked } from '../../db/stoppable.ts';
import { findPersonsOfEvents } from './events.reads.ts';
import type { EventRow, EventWithPerson, PersonOfEvent } from './event-row.ts';

/** Events whose persons are asked for at once: a statement costs about the same for one and for thousands. */
const ROWS_AT_ONCE = 10_000;
const CHARACTERS_AT_ONCE = 8_388_608;

/**
 * Adds to events their persons, asking for each person once and for those of many events in one statement: joined to the
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
    /** The same for events that arrive in pieces; the pieces that come out are larger. */
    async *addToPieces(pieces: AsyncIterable<EventRow[]>): AsyncGenerator<EventWithPerson[]> {
      let held: EventRow[] = [];
      let characters = 0;
      for await (const rows of pieces) {
        held.push(...rows);
        for (const { properties } of rows) characters += properties.length;
        if (held.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue;
        yield await addPersons(held);
        held = [];
        characters = 0;
      }
      if (held.length > 0) yield await addPersons(held);
    },
  };
}
