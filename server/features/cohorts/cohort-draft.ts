import type { Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { CohortDefinition } from '../../conditions/index.ts';
import type { CohortBook } from './cohort-book.ts';
import type { Cohort, CohortFields } from './cohort-row.ts';
import type { CreateCohortBody, UpdateCohortBody } from './cohorts.contract.ts';
import { findCohort } from './cohorts.store.ts';
import { knownOf } from './read-rule.ts';
import type { CohortStoreWriter } from './write-cohort.ts';

/** Cohorts written in a transaction of the caller's. No other request sees them before `keep`. */
export interface CohortDraft {
  /** Takes no persons. */
  create(tx: Statements, actor: Actor, body: CreateCohortBody): Promise<Cohort>;
  update(tx: Statements, actor: Actor, id: number, body: UpdateCohortBody): Promise<Cohort>;
  /** Those of the project with what was written so far. */
  definitions(): readonly CohortDefinition[];
  /** To be called after the commit, before anything is answered. */
  keep(): void;
}

/** Begins a draft over a copy of what is known; `keep` takes one cohort of it over. */
export function createDraft(parts: {
  projectId: number;
  book: CohortBook;
  writer: CohortStoreWriter;
  keep: (cohort: Cohort) => void;
  newFields: (name: string) => CohortFields;
  checkBody: (before: CohortFields, body: UpdateCohortBody) => Promise<CohortFields>;
}): CohortDraft {
  const { projectId, writer, checkBody } = parts;
  const book = parts.book.copy(projectId);
  const written = new Map<number, Cohort>();

  function note(cohort: Cohort): Cohort {
    written.set(cohort.id, cohort);
    if (cohort.deleted) book.remove(projectId, cohort.id);
    else book.put(projectId, knownOf(cohort));
    return cohort;
  }

  return {
    async create(tx, actor, body) {
      const fields = await checkBody(parts.newFields(body.name), body);
      return note(await writer.insert(tx, book, actor, projectId, fields));
    },
    async update(tx, actor, id, body) {
      const before = await findCohort(tx, projectId, id);
      if (before === null) throw fail('not_found');
      await checkBody(before, body);
      return note(await writer.update(tx, book, actor, projectId, { id, body }));
    },
    definitions: () => book.definitions(projectId),
    keep: () => written.forEach((cohort) => parts.keep(cohort)),
  };
}
