import { isDeepStrictEqual } from 'node:util';
import type { ServiceChannel } from '../../db/client.ts';
import type { Analytics, Db } from '../../db/db.ts';
import type { ReadStatements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import type { CohortDefinition } from '../../conditions/index.ts';
import { checkFields, checkLeaves } from './check-tree.ts';
import { createCohortBook } from './cohort-book.ts';
import { openConditions, type CohortConditions, type ConditionParts } from './cohort-conditions.ts';
import { createDraft, type CohortDraft } from './cohort-draft.ts';
import { createCohortCounts, type CohortCounts } from './cohort-counts.ts';
import { createCohortPeople } from './cohort-people.ts';
import type { Cohort, CohortFields, KnownCohort } from './cohort-row.ts';
import type { CohortTree } from './kinds/cohort-tree.contract.ts';
import { usesOf, type CohortUse, type FlagUse } from './cohort-uses.ts';
import type { CreateCohortBody, UpdateCohortBody } from './cohorts.contract.ts';
import { findCohortsOf, selectMembers, type PersonCondition } from './cohorts.reads.ts';
import { findCohort, readLiveCohorts } from './cohorts.store.ts';
import { createFixedLists, type FixedLists } from './fixed-lists.ts';
import { namesIn } from './named-persons.ts';
import { knownOf, readTree, storedRule } from './read-rule.ts';
import { createCohortStoreWriter, fieldsAfter } from './write-cohort.ts';

export interface CohortParts {
  db: Db;
  analytics: Analytics;
  channel: ServiceChannel;
  clock: Clock;
  newId: NewId;
  access: Access;
  projects: ConditionParts['projects'];
}

/** What uses cohorts: flags. */
export interface CohortConsumer {
  /** The live flags of a project that name cohorts, from memory. */
  using(projectId: number): readonly FlagUse[];
  /** Afterwards memory has all flags that were committed before. */
  refresh(): Promise<void>;
  /** Called when the persons of fixed cohorts have changed, before that is answered. */
  onPersonsChange(projectId: number): void;
}

/** Cohorts: their filters are cached in memory for flags, their members are queried from the store. */
export interface Cohorts extends Pick<FixedLists, 'addPersons' | 'removePerson'> {
  /** Reads all rules; to be called before the first request. */
  load(): Promise<void>;
  /** The live cohorts of a project as flags read them; the same list until one changes. */
  definitions(projectId: number): readonly CohortDefinition[];
  /** Calls `listener` after a cohort of the project was created, changed or deleted, before the response. */
  onChange(listener: (projectId: number) => void): void;
  /** Adds what uses cohorts: a cohort that is in use is not deleted. */
  addConsumer(consumer: CohortConsumer): void;
  /** Conditions on persons by the project's cohorts as they are now. */
  conditions(projectId: number): Promise<CohortConditions>;
  /**
   * A cohort, and the numbers of its persons as of a moment (Unix milliseconds), as a SELECT of one column; by its id, or by its
   * name. Null when the project has no such cohort.
   */
  members(
    projectId: number,
    now: number,
  ): Promise<(idOrName: number | string) => (PersonCondition & { id: number }) | null>;
  /** A live cohort from memory. */
  known(projectId: number, id: number): KnownCohort | null;
  /** By id. */
  list(projectId: number): readonly KnownCohort[];
  /** Ids of the live cohorts that a person is in. */
  cohortsOf(projectId: number, personId: number, asked: ReadStatements): Promise<number[]>;
  /** The live cohorts that live flags or other cohorts name, with those. */
  usage(projectId: number): CohortUse[];
  /** Understands a rule that is not stored, with the conditions to print it. Throws what is wrong by its field. */
  readRule(
    projectId: number,
    filters: CohortFields['filters'],
  ): Promise<{ tree: CohortTree; conditions: CohortConditions }>;
  readonly counts: CohortCounts;
  /** Also a deleted one. Throws not_found, and access_level. */
  find(actor: Actor, projectId: number, id: number, needed: 'viewer' | 'editor'): Promise<Cohort>;
  create(actor: Actor, projectId: number, body: CreateCohortBody): Promise<Cohort>;
  /** Throws not_found for one that is deleted and not to be restored. */
  update(actor: Actor, projectId: number, id: number, body: UpdateCohortBody): Promise<Cohort>;
  /** Makes a fixed list of those who are in a cohort now. */
  duplicate(actor: Actor, projectId: number, cohort: Cohort): Promise<Cohort>;
  /** Makes a fixed list of persons by their ids. */
  createStatic(
    actor: Actor,
    projectId: number,
    list: { name: string; personIds: readonly number[] },
  ): Promise<Cohort>;
  draft(projectId: number): CohortDraft;
}

const NEW: Omit<CohortFields, 'name'> = {
  description: '',
  groups: [],
  filters: null,
  query: null,
  isStatic: false,
  cohortType: null,
  deleted: false,
};
const MAX_NAME_LENGTH = 400;

export function createCohorts(parts: CohortParts): Cohorts {
  const { db, access } = parts;
  const consumers: CohortConsumer[] = [];
  const flagsUsing = (projectId: number) => consumers.flatMap((consumer) => consumer.using(projectId));
  const book = createCohortBook();
  const counts = createCohortCounts({ ...parts, book });
  const writer = createCohortStoreWriter({ ...parts, flagsUsing });
  const listeners: ((projectId: number) => void)[] = [];
  const conditions = (projectId: number, actionIds?: readonly number[]): Promise<CohortConditions> =>
    openConditions({ ...parts, book }, projectId, actionIds);

  async function members(projectId: number, now: number): ReturnType<Cohorts['members']> {
    const printed = await openConditions({ ...parts, clock: () => now, book }, projectId);
    return (idOrName) => {
      const cohort =
        typeof idOrName === 'number'
          ? book.find(projectId, idOrName)
          : book.list(projectId).find(({ name }) => name === idOrName);
      return cohort ? { id: cohort.id, ...selectMembers(projectId, cohort.id, printed) } : null;
    };
  }

  /** To be called after the commit, without anything awaited between. */
  function keep(cohort: Cohort): Cohort {
    const { projectId, id } = cohort;
    counts.forget(projectId, id);
    if (cohort.deleted) book.remove(projectId, id);
    else book.put(projectId, knownOf(cohort));
    for (const listener of listeners) listener(projectId);
    return cohort;
  }

  /** Throws for what can be seen without the database's transaction. */
  async function checkBody(before: CohortFields, body: UpdateCohortBody): Promise<CohortFields> {
    const fields = fieldsAfter(before, body);
    if (!fields.isStatic && namesIn(body) !== null) {
      const attr = body.csv === undefined ? '_create_static_person_ids' : 'csv';
      throw fail('invalid_input', {
        attr,
        detail: 'Persons can only be added to a static cohort: set is_static.',
      });
    }
    const tree = readTree(fields.filters);
    if (tree !== null) await checkLeaves(db, tree);
    // What is stored already was written once, whatever is refused by now.
    if (tree !== null && !isDeepStrictEqual(fields.filters, before.filters)) checkFields(fields.filters!);
    return fields;
  }

  async function insert(actor: Actor, projectId: number, fields: CohortFields): Promise<Cohort> {
    return keep(await db.transaction((tx) => writer.insert(tx, book, actor, projectId, fields)));
  }

  const lists = createFixedLists({
    people: createCohortPeople(parts),
    conditions,
    onPersonsChange({ projectId, id }) {
      counts.forget(projectId, id);
      for (const consumer of consumers) consumer.onPersonsChange(projectId);
    },
    touch: async (actor, cohort, entry) =>
      keep(await db.transaction((tx) => writer.touch(tx, actor, cohort, entry))),
  });

  return {
    async load() {
      const cohorts = await readLiveCohorts(db);
      book.fill(cohorts.map((cohort) => ({ projectId: cohort.projectId, cohort: storedRule(cohort) })));
    },
    definitions: book.definitions,
    onChange: (listener) => void listeners.push(listener),
    addConsumer: (consumer) => void consumers.push(consumer),
    conditions: (projectId) => conditions(projectId),
    members,
    known: book.find,
    list: book.list,
    async cohortsOf(projectId, personId, asked) {
      const printed = await conditions(projectId);
      const all = book.list(projectId).map(({ id }) => id);
      const pieces = [...book.pieces(projectId, all)];
      const found = await Promise.all(
        pieces.map((piece) => findCohortsOf(asked, projectId, piece, personId, printed)),
      );
      return found.flat();
    },
    usage: (projectId) => usesOf(projectId, book, flagsUsing(projectId)),
    async readRule(projectId, filters) {
      const tree = readTree(filters) ?? { type: 'AND', values: [] };
      await checkLeaves(db, tree);
      if (filters !== null && readTree(filters) !== null) checkFields(filters);
      const known = knownOf({ ...NEW, ...UNNAMED, projectId, filters });
      book.check(projectId, known);
      return { tree, conditions: await conditions(projectId, known.actionIds) };
    },
    counts,
    async find(actor, projectId, id, needed) {
      const found = await findCohort(db, projectId, id);
      if (found === null) throw fail('not_found');
      access.check(actor, projectId, 'cohort', found, needed);
      return found;
    },
    async create(actor, projectId, body) {
      const fields = await checkBody({ ...NEW, name: body.name }, body);
      const made = await insert(actor, projectId, fields);
      const tree = fields.isStatic ? readTree(fields.filters) : null;
      if (tree !== null && tree.values.length > 0) {
        const { actionIds } = knownOf({ ...made, isStatic: false });
        await lists.fill(made, actionIds, (printed, _, alias, bind) => printed.ofTree(tree, alias, bind));
      }
      return await lists.addFrom(actor, made, body);
    },
    async update(actor, projectId, id, body) {
      const before = await findCohort(db, projectId, id);
      if (before === null) throw fail('not_found');
      await checkBody(before, body);
      const after = await db.transaction(async (tx) => {
        // Transactions follow one another: a flag that names this cohort is in memory now, or will see what became of it.
        for (const consumer of consumers) await consumer.refresh();
        return writer.update(tx, book, actor, projectId, { id, body });
      });
      return await lists.addFrom(actor, keep(after), body);
    },
    async duplicate(actor, projectId, cohort) {
      const suffix = ' (static copy)';
      const name = `${cohort.name.slice(0, MAX_NAME_LENGTH - suffix.length)}${suffix}`;
      const { description } = cohort;
      const made = await insert(actor, projectId, { ...NEW, name, description, isStatic: true });
      await lists.fill(made, [], (printed, _, alias, bind) => printed.of(cohort.id, alias, bind) ?? 'false');
      return made;
    },
    async createStatic(actor, projectId, { name, personIds }) {
      const made = await insert(actor, projectId, { ...NEW, name, isStatic: true });
      await lists.addIds(made, personIds);
      return made;
    },
    addPersons: lists.addPersons,
    removePerson: lists.removePerson,
    draft: (projectId) =>
      createDraft({ projectId, book, writer, keep, newFields: (name) => ({ ...NEW, name }), checkBody }),
  };
}

/** The placeholder fields of filters that are not stored as a cohort. */
const UNNAMED = {
  id: 0,
  name: '',
  version: 0,
  lastCalculation: '',
  lastErrorMessage: null,
  createdBy: null,
  createdAt: '',
};
