import type { Expr } from '../../../../hogql/ast.ts';
import { and, call, compare, field, isNotNull, isNull, not, select } from '../../../../hogql/build.ts';
import { AT, timeName } from './funnel-columns.ts';
import type { Exclusion, FunnelPlan } from './funnels-plan.ts';
import { stepRows } from './step-rows.ts';
import { ATTEMPT, columns, EVENT, inWindow, isAfter, joined, type Attempts } from './take-step.ts';

/**
 * The attempts that no exclusion voids: without an excluded event after the one step and before the other, or, where the
 * other was never taken, before the window ends.
 */
export function withoutVoid(attempts: Attempts, plan: FunnelPlan): Attempts {
  return plan.exclusions.reduce((left, exclusion) => without(left, exclusion, plan), attempts);
}

function without(attempts: Attempts, { condition, from: step, to }: Exclusion, plan: FunnelPlan): Attempts {
  const excluded = field(EVENT, AT);
  const later = isAfter(field(ATTEMPT, timeName(step)));
  const end = nextTime(to, plan.steps.length);
  const isBefore = call('if', isNull(end), inWindow(excluded, plan.window), compare('<', excluded, end));
  const query = select({
    select: columns(ATTEMPT, attempts.names),
    from: joined(attempts, 'ASOF LEFT JOIN', stepRows(plan, condition), [later]),
    where: not(and(isNotNull(excluded), isBefore)),
  });
  return { query, names: attempts.names };
}

/** When a step was taken, or the first after it that was. */
function nextTime(step: number, steps: number): Expr {
  const times = Array.from({ length: steps - step }, (_, at) => field(ATTEMPT, timeName(step + at)));
  return times.length === 1 ? times[0]! : call('coalesce', ...times);
}
