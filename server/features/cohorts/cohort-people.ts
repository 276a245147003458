import type { ServiceChannel } from '../../db/client.ts';
import type { Analytics } from '../../db/db.ts';
import type { CohortOrder } from './cohort-orders.ts';
import { findNamedPersons, streamPersonIds, type PersonCondition } from './cohorts.reads.ts';

/** What became of persons that were named. */
export interface PeopleAdded {
  added: number;
  /** Names without a person. */
  unknown: string[];
}

/** Who is in fixed cohorts. */
export interface CohortPeople {
  /** Adds persons by distinct id or UUID; who is in it already stays so. */
  addNamed(projectId: number, cohortId: number, names: readonly string[]): Promise<PeopleAdded>;
  /** Adds every person of whom the condition holds. */
  addMatching(projectId: number, cohortId: number, condition: PersonCondition): Promise<void>;
  addIds(projectId: number, cohortId: number, personIds: readonly number[]): Promise<void>;
  remove(projectId: number, cohortId: number, personId: number): Promise<void>;
}

/** Names looked up by one statement, and persons written by one order. */
const NAMES_AT_ONCE = 10_000;
const PERSONS_AT_ONCE = 50_000;

export function createCohortPeople(parts: { analytics: Analytics; channel: ServiceChannel }): CohortPeople {
  const { analytics, channel } = parts;
  const give = (order: CohortOrder): Promise<void> => channel.call<void>(order);

  async function addIds(projectId: number, cohortId: number, personIds: readonly number[]): Promise<void> {
    if (personIds.length > 0) await give({ kind: 'cohorts.add', projectId, cohortId, personIds });
  }

  return {
    addIds,
    remove: (projectId, cohortId, personId) =>
      give({ kind: 'cohorts.remove', projectId, cohortId, personId }),
    async addNamed(projectId, cohortId, names) {
      const unknown: string[] = [];
      let added = 0;
      for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
        const piece = names.slice(at, at + NAMES_AT_ONCE);
        const found = await findNamedPersons(analytics, projectId, cohortId, piece);
        const known = new Set(found.map(({ name }) => name));
        for (const name of piece) if (!known.has(name)) unknown.push(name);
        const fresh = new Set(found.flatMap(({ id, isMember }) => (isMember ? [] : [id])));
        await addIds(projectId, cohortId, [...fresh]);
        added += fresh.size;
      }
      return { added, unknown };
    },
    async addMatching(projectId, cohortId, condition) {
      let waiting: number[] = [];
      for await (const piece of streamPersonIds(analytics, projectId, condition)) {
        for (const id of piece) waiting.push(id);
        if (waiting.length < PERSONS_AT_ONCE) continue;
        await addIds(projectId, cohortId, waiting);
        waiting = [];
      }
      await addIds(projectId, cohortId, waiting);
    },
  };
}
