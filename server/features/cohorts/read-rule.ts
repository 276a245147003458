import { fail } from '../../errors.ts';
import { validate } from '../../http/validation.ts';
import { leavesOf } from './check-tree.ts';
import type { Cohort, CohortFields, KnownCohort } from './cohort-row.ts';
import type { CohortTree, CohortTreeLeaf } from './kinds/cohort-tree.contract.ts';
import { ruleField, type CohortType, type UpdateCohortBody } from './cohorts.contract.ts';
import { filtersOfGroups } from './legacy-groups.ts';
import { filtersOfQuery } from './query-rule.ts';
import { isVirtual } from '../../hogql/tables/table.ts';

/** The tree of conditions that filters hold; null: they say nothing. Throws what is wrong by its field. */
export function readTree(filters: CohortFields['filters']): CohortTree | null {
  if (filters === null) return null;
  const { properties } = filters;
  if (properties === undefined || properties === null) return null;
  const isObject = typeof properties === 'object' && !Array.isArray(properties);
  if (isObject && Object.keys(properties).length === 0) return null;
  return validate(ruleField, { filters }).filters.properties ?? null;
}

/**
 * The filters of a cohort after a change: those that were sent, else what the old groups or the query that were sent mean,
 * else those it had.
 */
export function filtersAfter(
  before: CohortFields['filters'],
  body: UpdateCohortBody,
): CohortFields['filters'] {
  if (body.filters !== undefined && body.filters !== null) return body.filters;
  if (body.query !== undefined && body.query !== null) return filtersOfQuery(body.query);
  if (body.groups !== undefined && body.groups.length > 0) return filtersOfGroups(body.groups);
  return body.filters === null ? null : before;
}

/** A stored cohort as memory keeps it. */
export function knownOf(cohort: Cohort): KnownCohort {
  const tree = cohort.isStatic ? null : readTree(cohort.filters);
  const leaves = tree === null ? [] : [...leavesOf(tree)].map(({ leaf }) => leaf);
  return {
    id: cohort.id,
    name: cohort.name,
    isStatic: cohort.isStatic,
    tree,
    cohortIds: leaves.flatMap((leaf) => (leaf.type === 'cohort' ? [leaf.value] : [])),
    actionIds: leaves.flatMap(actionIdsOf),
    leaves: leaves.length,
    hasBehaviour: leaves.some(({ type }) => type === 'behavioral'),
    isBeyondFlags: leaves.some(
      (leaf) => leaf.type === 'behavioral' || (leaf.type === 'person' && isVirtual(leaf.key)),
    ),
    isTimed: leaves.some(
      (leaf) =>
        leaf.type === 'behavioral' || (leaf.type === 'person' && leaf.operator.startsWith('is_date_')),
    ),
  };
}

/** The same of one that another version may have written: a rule that cannot be read matches no person. */
export function storedRule(cohort: Cohort): KnownCohort {
  try {
    return knownOf(cohort);
  } catch {
    return { ...knownOf({ ...cohort, filters: null }), tree: { type: 'OR', values: [] } };
  }
}

function actionIdsOf(leaf: CohortTreeLeaf): number[] {
  if (leaf.type !== 'behavioral') return [];
  return [
    ...(leaf.event_type === 'actions' ? [Number(leaf.key)] : []),
    ...(leaf.seq_event_type === 'actions' && leaf.seq_event !== null ? [Number(leaf.seq_event)] : []),
  ];
}

/** The type that is shown: what was sent, else what the rule implies. */
export function typeOf(
  { isStatic, cohortType }: Pick<CohortFields, 'isStatic' | 'cohortType'>,
  hasBehaviour: boolean,
): CohortType {
  if (isStatic) return 'static';
  return cohortType ?? (hasBehaviour ? 'behavioral' : 'person_property');
}

/** Throws invalid_input for a type that contradicts the rule. */
export function checkType({ isStatic, cohortType }: CohortFields, hasBehaviour: boolean): void {
  if (cohortType === null) return;
  const refuse = (detail: string): Error => fail('invalid_input', { attr: 'cohort_type', detail });
  if ((cohortType === 'static') !== isStatic) throw refuse('Only static cohorts can have the type static.');
  if (cohortType === 'person_property' && hasBehaviour) {
    throw refuse('Behavioral conditions cannot have the type person_property.');
  }
}
