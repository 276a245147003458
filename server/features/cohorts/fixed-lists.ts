import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { CohortConditions } from './cohort-conditions.ts';
import type { CohortPeople, PeopleAdded } from './cohort-people.ts';
import type { Cohort } from './cohort-row.ts';
import type { UpdateCohortBody } from './cohorts.contract.ts';
import { personCondition } from './cohorts.reads.ts';
import { namesIn, unknownInWords } from './named-persons.ts';

/** Adds persons to static cohorts, and removes them. */
export interface FixedLists {
  /** Adds all persons for whom the condition holds to a new static cohort. */
  fill(
    cohort: Cohort,
    actionIds: readonly number[],
    print: (conditions: CohortConditions, ...place: Parameters<CohortConditions['of']>) => string,
  ): Promise<void>;
  /** Adds the persons that a body names; its answer quotes entries that name no person, which are not stored. */
  addFrom(actor: Actor, cohort: Cohort, body: UpdateCohortBody): Promise<Cohort>;
  /** Adds persons to a new static cohort. */
  addIds(cohort: Cohort, personIds: readonly number[]): Promise<void>;
  /** Adds persons by distinct id or UUID to a fixed list. Throws invalid_input for a rule. */
  addPersons(actor: Actor, cohort: Cohort, names: readonly string[]): Promise<PeopleAdded>;
  removePerson(actor: Actor, cohort: Cohort, personId: number): Promise<void>;
}

export interface FixedListParts {
  people: CohortPeople;
  /** Conditions by the project's cohorts as they are now, with those on actions. */
  conditions: (projectId: number, actionIds: readonly number[]) => Promise<CohortConditions>;
  /** Invalidates what depends on the persons of a list. */
  onPersonsChange: (cohort: Cohort) => void;
  /** Notes in its row, and in the log, that a list has changed. */
  touch: (
    actor: Actor,
    cohort: Cohort,
    entry: { activity: string; lastErrorMessage: string | null },
  ) => Promise<Cohort>;
}

export function createFixedLists({ people, conditions, onPersonsChange, touch }: FixedListParts): FixedLists {
  return {
    async fill(cohort, actionIds, print) {
      const printed = await conditions(cohort.projectId, actionIds);
      const condition = personCondition((alias, bind) => print(printed, cohort.id, alias, bind));
      await people.addMatching(cohort.projectId, cohort.id, condition);
      onPersonsChange(cohort);
    },
    async addFrom(actor, cohort, body) {
      const names = namesIn(body);
      if (names === null) return cohort;
      const { unknown } = await people.addNamed(cohort.projectId, cohort.id, names);
      onPersonsChange(cohort);
      const lastErrorMessage = unknownInWords(unknown.length, names.length, []);
      const after = await touch(actor, cohort, { activity: 'persons added', lastErrorMessage });
      return { ...after, lastErrorMessage: unknownInWords(unknown.length, names.length, unknown) };
    },
    async addIds(cohort, personIds) {
      await people.addIds(cohort.projectId, cohort.id, personIds);
      onPersonsChange(cohort);
    },
    async addPersons(actor, cohort, names) {
      checkStatic(cohort);
      const result = await people.addNamed(cohort.projectId, cohort.id, names);
      onPersonsChange(cohort);
      if (result.added > 0) await touch(actor, cohort, { activity: 'persons added', lastErrorMessage: null });
      return result;
    },
    async removePerson(actor, cohort, personId) {
      checkStatic(cohort);
      await people.remove(cohort.projectId, cohort.id, personId);
      onPersonsChange(cohort);
      await touch(actor, cohort, { activity: 'person removed', lastErrorMessage: null });
    },
  };
}

function checkStatic({ isStatic, deleted }: Cohort): void {
  if (deleted) throw fail('not_found');
  if (isStatic) return;
  throw fail('invalid_input', { detail: 'This cohort is dynamic: persons cannot be added or removed.' });
}
