import type { ServiceChannel } from '../../db/client.ts';
import type { Db } from '../../db/db.ts';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { fail } from '../../errors.ts';
import { MAX_PROPERTIES_SIZE } from '../../lib/properties-size.ts';
import type { PersonOrder, PersonSet } from './person-orders.ts';
import { findPersonIds, hasDistinctId } from './persons.reads.ts';

/** Which person of which project. */
export interface PersonRef {
  projectId: number;
  personId: number;
}

/**
 * Changes to persons. All of them are carried out by the store's thread between two commits, because events change
 * persons too: an answer means that it has happened, and that events after it meet the changed person.
 */
export interface Persons {
  /** Sets properties as `$set` of an event does. Throws not_found, and max_length. */
  setProperties(person: PersonRef, properties: Readonly<Record<string, unknown>>): Promise<void>;
  /** Removes a property; one that is not there is removed already. Throws not_found. */
  unsetProperty(person: PersonRef, key: string): Promise<void>;
  /** Deletes a person, optionally with its events. */
  delete(person: PersonRef, deleteEvents: boolean): Promise<void>;
  /** Deletes those that are found; a distinct id with anonymous events alone counts when events are deleted. */
  deleteMany(
    projectId: number,
    names: { uuids: readonly string[]; distinctIds: readonly string[] },
    deleteEvents: boolean,
  ): Promise<void>;
  /**
   * Gives each distinct id a person of its own; the person itself keeps `mainDistinctId`, or its first. Throws
   * not_found, and does_not_exist when the person does not have that id.
   */
  split(person: PersonRef, mainDistinctId: string | null): Promise<void>;
  /** Calls `listener` before persons are deleted, to delete what else is stored under their distinct IDs. */
  beforeDelete(listener: BeforeDelete): void;
}

type BeforeDelete = (
  projectId: number,
  deleted: { personIds: readonly number[]; distinctIds: readonly string[] },
) => Promise<void>;

export interface PersonParts {
  db: Db;
  channel: ServiceChannel;
}

export function createPersons({ db, channel }: PersonParts): Persons {
  const listeners: BeforeDelete[] = [];
  const beforeDelete: BeforeDelete = async (projectId, deleted) => {
    for (const listener of listeners) await listener(projectId, deleted);
  };
  const give = <T>(message: PersonOrder): Promise<T> => channel.call<T>(message);

  async function change(
    person: PersonRef,
    set: Readonly<Record<string, unknown>> | null,
    unset: string[] | null,
  ): Promise<void> {
    const outcome = await give<PersonSet>({
      kind: 'persons.set',
      ...person,
      set: set && stringifyExactly(set),
      unset,
    });
    if (outcome === 'not_found') throw fail('not_found');
    if (outcome === 'too_large') throw tooLarge();
  }

  return {
    beforeDelete: (listener) => void listeners.push(listener),
    setProperties: (person, properties) => change(person, properties, null),
    unsetProperty: (person, key) => change(person, null, [key]),
    async delete({ projectId, personId }, deleteEvents) {
      const who = { personIds: [personId], distinctIds: [] };
      await beforeDelete(projectId, who);
      await give<number>({ kind: 'persons.delete', projectId, deleteEvents, ...who });
    },
    async deleteMany(projectId, names, deleteEvents) {
      const personIds = await findPersonIds(db, projectId, names);
      const { distinctIds } = names;
      await beforeDelete(projectId, { personIds, distinctIds });
      await give<number>({ kind: 'persons.delete', projectId, personIds, deleteEvents, distinctIds });
    },
    async split(person, mainDistinctId) {
      if (
        mainDistinctId !== null &&
        !(await hasDistinctId(db, person.projectId, person.personId, mainDistinctId))
      ) {
        const detail = 'The person does not have this distinct ID.';
        throw fail('does_not_exist', { attr: 'main_distinct_id', detail });
      }
      const isFound = await give<boolean>({ kind: 'persons.split', ...person, mainDistinctId });
      if (!isFound) throw fail('not_found');
    },
  };
}

function tooLarge(): Error {
  return fail('max_length', {
    detail: `The properties of a person are limited to about ${MAX_PROPERTIES_SIZE} characters.`,
  });
}
