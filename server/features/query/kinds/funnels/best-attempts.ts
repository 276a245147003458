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
import { endOf, microsOf } from './sort-key.ts';
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

/**
 * The attempt that counts of every actor, of those that `quickAttempts` follows. No two of an actor take their last step at one
 * moment there, so how far they come and when decides: a number, by which each time is found. Tuples are compared more slowly.
 */
export function bestQuickAttempts({ query }: Attempts, plan: FunnelPlan): Attempts {
  const times = plan.steps.map((_, at) => timeName(at));
  const end = constant(endOf(plan));
  const last = lastTime(times.map((_, at) => at));
  const further = arithmetic('*', taken(plan, false), constant(microsOf(plan)));
  const number = arithmetic('+', further, arithmetic('-', end, last));
  // What was not taken is no value to `argMax`: its moment is behind all events.
  const found = times.map((name) =>
    alias(call('argMax', call('coalesce', field(name), end), number), bestName(name)),
  );
  const best = select({ select: [field(ACTOR), ...found], from: from(query), groupBy: [field(ACTOR)] });
  const columns = times.map((name) => alias(call('nullIf', field(bestName(name)), end), name));
  return {
    query: select({ select: [field(ACTOR), ...columns], from: from(best) }),
    names: [ACTOR, ...times],
  };
}

/** Which of two attempts counts: the greater. */
function rank(plan: FunnelPlan): Expr {
  const { steps } = plan;
  const last = lastTime(steps.map((_, at) => at));
  return tuple(
    taken(plan, false),
    ...(steps.some(({ isOptional }) => isOptional) ? [taken(plan, true)] : []),
    arithmetic('-', constant(0), last),
    field(timeName(0)),
  );
}

/** How many steps an attempt takes: those that may be left out, or the others. */
function taken({ steps }: FunnelPlan, optional: boolean): Expr {
  return sumOf(
    steps.flatMap(({ isOptional }, at) =>
      isOptional === optional ? [call('if', isNotNull(field(timeName(at))), constant(1), constant(0))] : [],
    ),
  );
}

function bestName(name: string): string {
  return `best_${name}`;
}

function sumOf(terms: readonly Expr[]): Expr {
  return terms.reduce((left, right) => arithmetic('+', left, right));
}
