import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  call,
  compare,
  field,
  from,
  isNotNull,
  join,
  select,
  tuple,
} from '../../../../hogql/build.ts';
import { ACTOR, AT, dimensionsOf, namesOf, valueName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { anyStep, eventsWhere, valueExprs, withMissing } from './step-rows.ts';
import { ATTEMPT, columns, EVENT, type Attempts } from './take-step.ts';

/**
 * Attempts with the values of the breakdown, which stand in them already where they belong to the events of attempts, and
 * are otherwise those of their actor's first, or last, event of any step that has one.
 */
export function attributed({ query, names }: Attempts, plan: FunnelPlan): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName);
  const own = values.filter((name) => names.includes(name));
  if (values.length === 0) return query;
  const others = names.filter((name) => !own.includes(name));
  if (own.length > 0) {
    return select({
      select: [
        ...others.map((name) => field(name)),
        ...own.map((name) => alias(withMissing(field(name)), name)),
      ],
      from: from(query),
    });
  }
  return select({
    select: [
      ...columns(ATTEMPT, others),
      ...values.map((name) => alias(withMissing(field(EVENT, name)), name)),
    ],
    from: join(
      from(query, ATTEMPT),
      'LEFT JOIN',
      from(touches(values, plan), EVENT),
      compare('==', field(ATTEMPT, ACTOR), field(EVENT, ACTOR)),
    ),
  });
}

/** The first, or last, value of each actor that is not missing; of several at one moment, the least or the greatest. */
function touches(names: readonly string[], plan: FunnelPlan): SelectQuery {
  const pick = plan.attribution.kind === 'first_touch' ? 'argMinIf' : 'argMaxIf';
  const events = select({
    select: [
      alias(plan.actor.id, ACTOR),
      alias(field('timestamp'), AT),
      ...valueExprs(plan).map((value, at) => alias(value, names[at]!)),
    ],
    ...eventsWhere(plan, anyStep(plan)),
  });
  const touch = (name: string): Expr => {
    const value = field(name);
    return call(pick, value, tuple(field(AT), value), isNotNull(value));
  };
  return select({
    select: [field(ACTOR), ...names.map((name) => alias(touch(name), name))],
    from: from(events),
    groupBy: [field(ACTOR)],
  });
}
