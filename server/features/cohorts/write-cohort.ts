import type { Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Access } from '../access/index.ts';
import { activityOfUpdate, changesBetween, recordActivity } from '../activity-log/index.ts';
import type { CohortBook } from './cohort-book.ts';
import type { Cohort, CohortFields, KnownCohort } from './cohort-row.ts';
import { checkUnused, namesFlags, type FlagUse, type HiddenFrom } from './cohort-uses.ts';
import type { UpdateCohortBody } from './cohorts.contract.ts';
import { findCohort, insertCohort, updateCohort } from './cohorts.store.ts';
import { checkType, filtersAfter, knownOf } from './read-rule.ts';
import { cohortResource } from './cohorts.resource.ts';

export interface WriterParts {
  clock: Clock;
  newId: NewId;
  flagsUsing: (projectId: number) => readonly FlagUse[];
  access: Pick<Access, 'levelOf'>;
}

/** Writes cohorts in an open transaction, each with its entry in the log; `book` says which others there are. */
export interface CohortStoreWriter {
  insert(
    tx: Statements,
    book: CohortBook,
    actor: Actor,
    projectId: number,
    fields: CohortFields,
  ): Promise<Cohort>;
  /** Throws not_found for one that is deleted and not to be restored. */
  update(
    tx: Statements,
    book: CohortBook,
    actor: Actor,
    projectId: number,
    change: { id: number; body: UpdateCohortBody },
  ): Promise<Cohort>;
  /** Notes that a fixed list has changed. */
  touch(
    tx: Statements,
    actor: Actor,
    cohort: Cohort,
    entry: { activity: string; lastErrorMessage: string | null },
  ): Promise<Cohort>;
}

/** Fields that say who is in a cohort. */
const RULE: ReadonlySet<string> = new Set(['filters', 'groups', 'query']);
const UNSTORED = { version: 0, lastCalculation: '', lastErrorMessage: null, createdBy: null, createdAt: '' };

export function createCohortStoreWriter({
  clock,
  newId,
  flagsUsing,
  access,
}: WriterParts): CohortStoreWriter {
  async function record(
    tx: Statements,
    actor: Actor,
    cohort: Cohort,
    entry: { activity: string; changes?: ReturnType<typeof changesBetween> },
  ): Promise<void> {
    await recordActivity(tx, {
      id: newId(),
      now: clock(),
      organizationId: actor.organizationId,
      projectId: cohort.projectId,
      userId: actor.user.id,
      scope: cohortResource.activity,
      itemId: String(cohort.id),
      name: cohort.name,
      ...entry,
    });
  }

  const hiddenFrom =
    (actor: Actor, projectId: number): HiddenFrom =>
    (resource, id) =>
      access.levelOf(actor, projectId, resource, { id, createdBy: null }) === 'none';

  function checkBehaviour(
    actor: Actor,
    book: CohortBook,
    projectId: number,
    known: KnownCohort,
    fields: CohortFields,
  ): void {
    const inside = known.cohortIds.flatMap((id) => book.within(projectId, id));
    const all = [known, ...inside];
    checkType(
      fields,
      all.some(({ hasBehaviour }) => hasBehaviour),
    );
    if (!all.some(({ isBeyondFlags }) => isBeyondFlags)) return;
    const users = namesFlags(
      flagsUsing(projectId),
      book.leadingTo(projectId, known.id),
      hiddenFrom(actor, projectId),
    );
    if (users === null) return;
    throw fail('invalid_input', {
      attr: 'filters',
      detail: `Flags cannot use behavioral conditions or virtual properties, and this cohort is used by ${users}.`,
    });
  }

  /** Throws for a rule that cannot be; `id` 0: it is new. */
  function check(actor: Actor, book: CohortBook, projectId: number, id: number, fields: CohortFields): void {
    const known = knownOf({ ...fields, ...UNSTORED, projectId, id });
    if (fields.deleted) return;
    book.check(projectId, known);
    checkBehaviour(actor, book, projectId, known, fields);
  }

  return {
    async insert(tx, book, actor, projectId, fields) {
      check(actor, book, projectId, 0, fields);
      const first = { createdBy: actor.user.id, version: 1, lastErrorMessage: null, now: clock() };
      const cohort = await insertCohort(tx, { ...fields, ...first, projectId });
      await record(tx, actor, cohort, { activity: 'created' });
      return cohort;
    },
    async update(tx, book, actor, projectId, { id, body }) {
      const before = await findCohort(tx, projectId, id);
      // What is deleted can only be restored (management contract 3.5).
      if (before === null || (before.deleted && body.deleted !== false)) throw fail('not_found');
      const fields = fieldsAfter(before, body);
      if (fields.isStatic !== before.isStatic) {
        const detail =
          'A cohort cannot change between dynamic and static. Duplicate it as a static cohort instead.';
        throw fail('invalid_input', { attr: 'is_static', detail });
      }
      const changes = changesBetween(cohortResource.activity, logFieldsOf(before), logFieldsOf(fields));
      if (changes.length === 0) return before;
      check(actor, book, projectId, id, fields);
      if (fields.deleted)
        checkUnused(projectId, id, book, flagsUsing(projectId), hiddenFrom(actor, projectId));
      const isMoved = changes.some(({ field }) => RULE.has(field));
      const version = before.version + (isMoved ? 1 : 0);
      const { lastErrorMessage } = before;
      const cohort = await updateCohort(tx, {
        ...fields,
        id,
        version,
        lastErrorMessage,
        isMoved,
        now: clock(),
      });
      await record(tx, actor, cohort, { activity: activityOfUpdate(changes), changes });
      return cohort;
    },
    async touch(tx, actor, { projectId, id }, { activity, lastErrorMessage }) {
      const before = await findCohort(tx, projectId, id);
      if (before === null) throw fail('not_found');
      const version = before.version + 1;
      const cohort = await updateCohort(tx, {
        ...before,
        version,
        lastErrorMessage,
        now: clock(),
        isMoved: true,
      });
      await record(tx, actor, cohort, { activity });
      return cohort;
    },
  };
}

/** What the body says, and the rest as it was. */
export function fieldsAfter(old: CohortFields, body: UpdateCohortBody): CohortFields {
  return {
    name: body.name ?? old.name,
    description: body.description ?? old.description,
    groups: body.groups ?? old.groups,
    filters: filtersAfter(old.filters, body),
    query: body.query === undefined ? old.query : body.query,
    isStatic: body.is_static ?? old.isStatic,
    cohortType: body.cohort_type === undefined ? old.cohortType : body.cohort_type,
    deleted: body.deleted ?? old.deleted,
  };
}

/** The fields of a cohort in the activity log, by the names of the wire. */
function logFieldsOf({ name, description, groups, filters, query, cohortType, deleted }: CohortFields) {
  return { name, description, groups, filters, query, cohort_type: cohortType, deleted };
}
