import type { SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  call,
  compare,
  constant,
  cte,
  field,
  from,
  isNotNull,
  select,
} from '../../../../hogql/build.ts';
import { beginning, carriedAt, isByValue, isThere, sameAs, takenOver } from './attempt-rows.ts';
import {
  ACTOR,
  AT,
  BUCKET,
  count,
  dimensionsOf,
  fields,
  heldName,
  PLACE,
  timeName,
} from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { fitName, MOMENTS, momentsQuery, type StepColumns } from './step-rows.ts';
import { ATTEMPT, EVENT, inWindow, takeStep, type Attempts } from './take-step.ts';

/** Each step is taken at the actor's very next moment: what else was then does not matter, what was between would. */
export function strictAttempts(plan: FunnelPlan): Attempts {
  const isByMoment = [PLACE];
  const rows = (step: number): SelectQuery => {
    const { values, held, hasBucket } = carriedAt(step, plan);
    const byValue = isByValue(plan) ? values : [];
    const keys = [
      ACTOR,
      AT,
      ...isByMoment,
      ...held.map(heldName),
      ...byValue,
      ...(hasBucket ? [BUCKET] : []),
    ];
    const known = step === 0 ? [] : plan.steps[step]!.held.map((place) => isThere(field(heldName(place))));
    const least = values.filter((name) => !byValue.includes(name));
    return select({
      select: [...fields(keys), ...least.map((name) => alias(call('min', field(name)), name))],
      from: from(MOMENTS),
      where: and(compare('==', field(fitName(step)), constant(true)), ...known),
      groupBy: fields(keys),
    });
  };
  let attempts = beginning(rows(0), plan, carriedAt(0, plan).values, isByMoment);
  for (const step of count(1, plan.steps.length)) {
    const place = arithmetic('+', field(ATTEMPT, PLACE), constant(step));
    attempts = takeStep(attempts, {
      step,
      rows: rows(step),
      on: [
        ...sameAs(step, plan),
        compare(
          '==',
          call('if', isNotNull(field(ATTEMPT, timeName(step - 1))), place, constant(null)),
          field(EVENT, PLACE),
        ),
      ],
      isNearest: false,
      where: [inWindow(field(EVENT, AT), plan.window)],
      carried: takenOver(step, plan),
    });
  }
  return {
    ...attempts,
    query: { ...attempts.query, ctes: [cte(MOMENTS, momentsQuery(plan, allCarried(plan)))] },
  };
}

function allCarried(plan: FunnelPlan): StepColumns {
  return {
    hasValues: isByValue(plan) || (plan.attribution.kind === 'step' && dimensionsOf(plan) > 0),
    hasBucket: plan.buckets !== null,
    held: plan.held.map((_, at) => at),
  };
}
