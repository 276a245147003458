import type { Expr } from '../../../hogql/ast.ts';
import { compare, constant, field } from '../../../hogql/build.ts';
import type { FilterContext } from '../filters/filter-context.ts';

/** Whom an insight counts: persons, or groups of a type. */
export interface Actor {
  /** Of an event. */
  readonly id: Expr;
  /** Conditions of the events that have one. */
  readonly isKnown: readonly Expr[];
  /** Null: persons. */
  readonly groupTypeIndex: number | null;
}

/** Whom a query counts that names the type of groups, or none. */
export function actorOf(
  groupTypeIndex: number | null | undefined,
  context: Pick<FilterContext, 'path'>,
): Actor {
  if (groupTypeIndex === null || groupTypeIndex === undefined) {
    return { id: field(...context.path('person_id')), isKnown: [], groupTypeIndex: null };
  }
  const id = field(...context.path(`$group_${groupTypeIndex}`));
  return { id, isKnown: [compare('!=', id, constant(''))], groupTypeIndex };
}
