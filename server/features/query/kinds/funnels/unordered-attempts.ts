import { alias, call, compare, constant, field, from, select, unionAll } from '../../../../hogql/build.ts';
import { beginning, isByValue, rowsAt, sameAs, takenOver } from './attempt-rows.ts';
import {
  ACTOR,
  AT,
  BUCKET,
  count,
  dimensionsOf,
  fields,
  heldName,
  namesOf,
  timeName,
  valueName,
} from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { stepRows } from './step-rows.ts';
import { ATTEMPT, EVENT, inWindow, NEVER, takeStep, type Attempts } from './take-step.ts';

/** An attempt begins at any step; each of the others is taken at its first event from then on. */
export function unorderedAttempts(plan: FunnelPlan): Attempts {
  const byValue = isByValue(plan) ? namesOf(dimensionsOf(plan), valueName) : [];
  const carried = {
    hasValues: isByValue(plan),
    hasBucket: plan.buckets !== null,
    held: plan.held.map((_, at) => at),
  };
  const starts = select({
    distinct: true,
    select: fields([
      ACTOR,
      AT,
      ...carried.held.map(heldName),
      ...byValue,
      ...(carried.hasBucket ? [BUCKET] : []),
    ]),
    from: from(unionAll(plan.steps.map(({ condition }) => stepRows(plan, condition, carried)))),
  });
  let attempts = beginning(starts, plan, byValue);
  for (const step of count(0, plan.steps.length)) {
    attempts = takeStep(attempts, {
      step: plan.steps.length + step,
      rows: rowsAt(step, plan),
      on: [...sameAs(step, plan), compare('<=', field(ATTEMPT, timeName(0)), field(EVENT, AT))],
      isNearest: true,
      where: [inWindow(field(EVENT, AT), plan.window)],
      carried: takenOver(step, plan),
    });
  }
  return inTurn(attempts, plan);
}

/** The times of an attempt's steps from the first to the last, whichever steps they are. */
function inTurn({ query, names }: Attempts, { steps }: FunnelPlan): Attempts {
  const kept = names.filter((name) => !name.startsWith('time_'));
  const times = count(steps.length, 2 * steps.length).map((step) =>
    call('coalesce', field(timeName(step)), constant(NEVER)),
  );
  const sorted = select({
    select: [
      ...fields(kept),
      alias(field(timeName(0)), 'began'),
      alias(call('arraySort', call('array', ...times)), 'times'),
    ],
    from: from(query),
  });
  const taken = count(0, steps.length).map((at) => {
    const time = call('nullIf', call('arrayElement', field('times'), constant(at + 1)), constant(NEVER));
    // The event that an attempt began with took a step, even if it has no value to be held.
    return alias(at === 0 ? call('coalesce', time, field('began')) : time, timeName(at));
  });
  return {
    query: select({ select: [...fields(kept), ...taken], from: from(sorted) }),
    names: [...kept, ...count(0, steps.length).map(timeName)],
  };
}
