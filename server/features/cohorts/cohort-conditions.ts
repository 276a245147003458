import type { Db } from '../../db/db.ts';
import type { Clock } from '../../lib/clock.ts';
import { findActionFilter } from '../actions/index.ts';
import type { FlagProperty } from '../../conditions/index.ts';
import type { Bind, CohortConditions as FilterCohorts, PropertyGroup } from '../property-filters/index.ts';
import type { CohortBook } from './cohort-book.ts';
import { memberSql, treeSql, type CohortSqlContext } from './cohort-sql.ts';
import type { CohortTree } from './kinds/cohort-tree.contract.ts';
import { readTree } from './read-rule.ts';

/** Conditions on persons, rows of the view `persons`, at one time: by cohorts, and by the conditions of flags. */
export interface CohortConditions extends FilterCohorts {
  /** SQL for whether a person has all properties and is in all cohorts of a flag's condition; other types: invalid_input. */
  ofProperties(properties: readonly FlagProperty[], alias: string, bind: Bind): string;
  /** SQL for whether a person fits a rule. */
  ofTree(tree: CohortTree, alias: string, bind: Bind): string;
  /** What printing by other means needs to know. */
  context(alias: string, bind: Bind): CohortSqlContext;
}

export interface ConditionParts {
  db: Db;
  clock: Clock;
  book: CohortBook;
  /** Projects in memory. */
  projects: { find(id: number): { readonly timezone: string } | null };
}

/** Prepares conditions by the cohorts of a project as they are now; a rule that is not stored yet names `actionIds` too. */
export async function openConditions(
  { db, clock, book, projects }: ConditionParts,
  projectId: number,
  actionIds: readonly number[] = [],
): Promise<CohortConditions> {
  const now = clock();
  const timezone = projects.find(projectId)?.timezone ?? 'UTC';
  const actions = await readActions(db, projectId, [
    ...actionIds,
    ...book.list(projectId).flatMap((cohort) => cohort.actionIds),
  ]);
  const context = (alias: string, bind: Bind): CohortSqlContext => ({
    projectId,
    now,
    timezone,
    alias,
    bind,
    rule: (id) => book.find(projectId, id),
    actionFilter: (id) => actions.get(id) ?? null,
  });
  return {
    context,
    has: (cohortId) => book.find(projectId, cohortId) !== null,
    of: (cohortId, alias, bind) =>
      book.find(projectId, cohortId) === null ? null : memberSql(cohortId, context(alias, bind)),
    ofTree: (tree, alias, bind) => treeSql(tree, context(alias, bind)),
    ofProperties(properties, alias, bind) {
      const tree = readTree({ properties: { type: 'AND', values: properties } });
      return treeSql(tree ?? { type: 'AND', values: [] }, context(alias, bind));
    },
  };
}

/** Filters of actions; actions without a usable filter are left out. */
async function readActions(
  db: Db,
  projectId: number,
  ids: readonly number[],
): Promise<Map<number, PropertyGroup>> {
  const found = await Promise.all(
    [...new Set(ids)].map(async (id) => {
      const filter = await findActionFilter(db, projectId, id).catch(() => null);
      return filter === null ? [] : [[id, filter] as const];
    }),
  );
  return new Map(found.flat());
}
