import { compare, field, isNull, or, and, call, isNotNull, not, select } from '../../../../hogql/build.ts';
import { beginning, carriedAt, rowsAt, sameAs, takenOver } from './attempt-rows.ts';
import { AT, count, timeName } from './funnel-columns.ts';
import type { FunnelPlan, Exclusion } from './funnels-plan.ts';
import { strictAttempts } from './strict-attempts.ts';
import {
  ATTEMPT,
  EVENT,
  inWindow,
  isAfter,
  lastTime,
  takeStep,
  columns,
  joined,
  type Attempts,
} from './take-step.ts';
import { unorderedAttempts } from './unordered-attempts.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { stepRows } from './step-rows.ts';

/**
 * The attempts that no exclusion voids: without an excluded event after the one step and before the other, or, where the
 * other was never taken, before the window ends.
 */
function withoutVoid(attempts: Attempts, plan: FunnelPlan): Attempts {
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

/** Attempts before exclusions, by the order of a funnel. */
const BY_ORDER = { ordered, strict: strictAttempts, unordered: unorderedAttempts } as const;

/**
 * Every attempt at a funnel: one for each moment at which it can begin, with the times of the steps that it takes. An attempt
 * takes each step at its first event after the step before (management contract 9.9.1); those that an exclusion voids are
 * left out. Columns: `actor`, the values of the breakdown where they belong to attempts, `bucket` over time, `time_1`….
 */
export function attemptsOf(plan: FunnelPlan): Attempts {
  return withoutVoid(BY_ORDER[plan.order](plan), plan);
}

function ordered(plan: FunnelPlan): Attempts {
  const required = plan.steps.flatMap(({ isOptional }, at) => (isOptional ? [] : [at]));
  let attempts = beginning(rowsAt(0, plan), plan, carriedAt(0, plan).values);
  for (const [at, step] of required.entries()) {
    const next = required[at + 1];
    if (next !== undefined) attempts = takeLater(attempts, next, [step], null, plan);
    // Steps that may be left out are taken on the way to the next that may not.
    const optional = count(step + 1, next ?? plan.steps.length);
    for (const between of optional) {
      attempts = takeLater(attempts, between, count(step, between), next ?? null, plan);
    }
  }
  return attempts;
}

/** A step at its first event after the last of others, and before `until` where that was taken. */
export function takeLater(
  attempts: Attempts,
  step: number,
  after: readonly number[],
  until: number | null,
  plan: FunnelPlan,
): Attempts {
  const at = field(EVENT, AT);
  const end = until === null ? null : field(ATTEMPT, timeName(until));
  return takeStep(attempts, {
    step,
    rows: rowsAt(step, plan),
    on: [...sameAs(step, plan), isAfter(lastTime(after, ATTEMPT))],
    isNearest: true,
    where: [inWindow(at, plan.window), ...(end === null ? [] : [or(isNull(end), compare('<', at, end))])],
    carried: takenOver(step, plan),
  });
}
