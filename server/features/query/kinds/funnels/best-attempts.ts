import type { Expr } from '../../../../hogql/ast.ts';
import {
  alias,
  arithmetic,
  call,
  constant,
  field,
  from,
  isNotNull,
  select,
  tuple,
  tupleAccess,
} from '../../../../hogql/build.ts';
import { isByValue } from './attempt-rows.ts';
import { ACTOR, dimensionsOf, fields, namesOf, timeName, valueName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { lastTime, type Attempts } from './take-step.ts';

/**
 * The attempt that counts of every actor, or of every actor and value where attempts go by value: the one that comes
 * furthest; of those the one that takes most steps that may be left out, then that gets there first, then that began last.
 */
export function bestAttempts({ query, names }: Attempts, plan: FunnelPlan): Attempts {
  const values = namesOf(dimensionsOf(plan), valueName).filter((name) => names.includes(name));
  const keys = [ACTOR, ...(isByValue(plan) ? values : [])];
  const parts = [...plan.steps.map((_, at) => timeName(at)), ...(isByValue(plan) ? [] : values)];
  const best = select({
    select: [...fields(keys), alias(call('argMax', tuple(...fields(parts)), rank(plan)), 'best')],
    from: from(query),
    groupBy: fields(keys),
  });
  const columns = parts.map((name, at) => alias(tupleAccess(field('best'), at + 1), name));
  return {
    query: select({ select: [...fields(keys), ...columns], from: from(best) }),
    names: [...keys, ...parts],
  };
}

/** Which of two attempts counts: the greater. */
function rank({ steps }: FunnelPlan): Expr {
  const taken = (optional: boolean): Expr[] =>
    steps.flatMap(({ isOptional }, at) =>
      isOptional === optional ? [call('if', isNotNull(field(timeName(at))), constant(1), constant(0))] : [],
    );
  const optional = taken(true);
  const last = lastTime(steps.map((_, at) => at));
  return tuple(
    sumOf(taken(false)),
    ...(optional.length === 0 ? [] : [sumOf(optional)]),
    arithmetic('-', constant(0), last),
    field(timeName(0)),
  );
}

function sumOf(terms: readonly Expr[]): Expr {
  return terms.reduce((left, right) => arithmetic('+', left, right));
}
