import type {
  CohortProperty,
  CompiledCohort,
  CompiledLeaf,
  CompiledProperty,
  CompiledTree,
  DependencyProperty,
  ValueProperty,
} from './compiled-flag.ts';
import type { FlagContext } from './flag-context.ts';
import { knownOf } from './known.ts';
import { sourceOf, valueFrom, type Subject } from './property-source.ts';
import { groupOf } from './subject.ts';

/** Whom a condition asks: its own subject, and the person, whose cohorts count. */
export interface Asked {
  readonly context: FlagContext;
  readonly person: Subject;
  readonly subject: Subject;
}

/** Whether a property holds. The flags that it asks for were evaluated before. */
export function holds(property: CompiledProperty, asked: Asked): boolean {
  switch (property.kind) {
    case 'value':
      return valueHolds(property, subjectOf(property, asked), asked.context.now);
    case 'cohort':
      return cohortHolds(property, asked);
    case 'flag':
      return dependencyHolds(property, asked.context);
  }
}

/** Whose property is meant; null when the request does not name that group. */
export function subjectOf({ groupIndex }: ValueProperty, { context, subject }: Asked): Subject | null {
  return groupIndex === null || subject.identityKey === '$group_key' ? subject : groupOf(context, groupIndex);
}

export function valueHolds(
  { key, comparison }: ValueProperty,
  subject: Subject | null,
  now: number,
): boolean {
  const source = subject === null ? 'none' : sourceOf(key, subject);
  if (source === 'none') return comparison.whenMissing;
  try {
    return comparison.matches(valueFrom(source, key, subject!), now);
  } catch {
    // A value that no operator can take, such as one nested deeper than the stack (P-10).
    return false;
  }
}

export function cohortHolds({ cohort, isNegative }: CohortProperty, asked: Asked): boolean {
  return isIn(cohort, asked) !== isNegative;
}

/** Computed once for each subject: cohorts may ask for each other many times. */
export function isIn(cohort: CompiledCohort, asked: Asked): boolean {
  if (cohort.isStatic) return asked.context.memberOf?.has(cohort.id) ?? false;
  const { cohorts } = knownOf(asked.context);
  let known = cohorts.get(cohort.id);
  if (known === undefined) {
    known = treeHolds(cohort.tree, asked);
    cohorts.set(cohort.id, known);
  }
  return known;
}

function treeHolds({ isAnd, parts }: CompiledTree, asked: Asked): boolean {
  for (const part of parts) {
    const isTrue = part.kind === 'tree' ? treeHolds(part, asked) : leafHolds(part, asked);
    if (isTrue !== isAnd) return isTrue;
  }
  return isAnd;
}

/** Cohorts are about the person, also in a condition about a group. */
export function leafHolds({ property, isNegated }: CompiledLeaf, { context, person }: Asked): boolean {
  const isTrue = holds(property, { context, person, subject: person });
  return isTrue !== isNegated;
}

/** F-16. */
export function dependencyHolds({ flag, definition }: DependencyProperty, context: FlagContext): boolean {
  if (flag === null) return false;
  const value = knownOf(context).flags.get(flag);
  const wanted = definition.value;
  return typeof wanted === 'boolean' ? (value !== false) === wanted : value === wanted;
}
