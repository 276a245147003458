import { setImmediate } from 'node:timers/promises';
import type { ReadStatements } from '../../db/db.ts';
import { findPersonsOfEvents } from './events.reads.ts';
import type { EventRow, EventWithPerson, PersonOfEvent } from './event-row.ts';

/**
 * Characters of events whose persons are read together: a statement costs about the same for one event and for
 * thousands.
 */
const CHARACTERS_AT_ONCE = 16_777_216;
/** Events that are written before other requests have their turn. */
const ROWS_A_TURN = 1_000;

/**
 * Adds persons to events, reading each person once and those of many events in one statement: joined to the whole
 * list, the statement would read all persons to order the events.
 */
export function createPersonLookup(db: ReadStatements, projectId: number) {
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
      let held: EventRow[] = [];
      let characters = 0;
      for await (const rows of pieces) {
        held.push(...rows);
        for (const row of rows) characters += row.properties.length + (row.elementsChain?.length ?? 0);
        if (characters < CHARACTERS_AT_ONCE) continue;
        yield* turnsOf(await addPersons(held));
        held = [];
        characters = 0;
      }
      yield* turnsOf(await addPersons(held));
    },
  };
}

async function* turnsOf<T>(rows: readonly T[]): AsyncGenerator<T[]> {
  for (let at = 0; at < rows.length; at += ROWS_A_TURN) {
    if (at > 0) await setImmediate();
    yield rows.slice(at, at + ROWS_A_TURN);
  }
}
