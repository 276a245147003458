import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  call,
  compare,
  constant,
  field,
  from,
  isNotNull,
  keptCte,
  order,
  over,
  select,
  unionAll,
} from '../../../../hogql/build.ts';
import { ACTOR, AT, fields, timeName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { eventsOfSteps, fitName } from './step-rows.ts';
import type { Attempts } from './take-step.ts';

/** The name of the query that holds the events of all steps. */
const EVENTS = 'step_events';
/** Where a row stands among those of its actor. */
const RANK = 'rank';
const NEXT = 'next';
const TWO = constant(2);

/** Whether a funnel is one for `quickAttempts`: steps in order, and nothing else. */
export function isQuick({ order: kind, exclusions, steps, held, buckets, breakdown }: FunnelPlan): boolean {
  const isPlain = exclusions.length === 0 && held.length === 0 && buckets === null && breakdown === null;
  return kind === 'ordered' && isPlain && !steps.some(({ isOptional }) => isOptional);
}

/**
 * The attempts of a plain funnel that get to its second step, as far as they decide which attempt of an actor counts: a query
 * over `withStepEvents`. Of two attempts that take a step at one event, the later one is in the window for longer and takes all
 * that follows alike, so it alone takes that step here, and the other ends before it. Then an attempt and the event that it
 * takes stand next to each other when both are put in order of time: one look at the next row, and nothing is joined.
 */
export function quickAttempts(plan: FunnelPlan): Attempts {
  const continued = select({
    select: [field(ACTOR)],
    from: from(EVENTS),
    where: field(fitName(1)),
  });
  const starts = select({
    select: [field(ACTOR), alias(field(AT), timeName(0))],
    from: from(EVENTS),
    where: and(field(fitName(0)), compare('in', field(ACTOR), continued)),
  });
  let attempts: Attempts = { query: starts, names: [ACTOR, timeName(0)] };
  for (let step = 1; step < plan.steps.length; step += 1) {
    attempts = takeNext(attempts, step, plan);
  }
  return attempts;
}

/**
 * Adds when a step was taken: by the row behind the attempt, if that is an event of the step, of the same actor and in time. One
 * number says where a row stands and what it is: twice the microseconds of an event, and one more than that for an attempt that
 * came to there, so that an event at the moment of the step before, which comes too early, stands in front of it.
 */
function takeNext({ query, names }: Attempts, step: number, plan: FunnelPlan): Attempts {
  const twice = (moment: Expr): Expr => arithmetic('*', moment, TWO);
  const nothing = names.slice(1).map((name) => alias(constant(null), name));
  const rows = unionAll([
    select({
      select: [...fields(names), alias(arithmetic('+', twice(field(timeName(step - 1))), constant(1)), RANK)],
      from: from(query),
    }),
    select({
      select: [field(ACTOR), ...nothing, alias(twice(field(AT)), RANK)],
      from: from(EVENTS),
      where: field(fitName(step)),
    }),
  ]);
  const next = (name: string): Expr =>
    alias(over(call('lead', field(name), constant(1), constant(null)), NEXT), `${NEXT}_${name}`);
  const followed = select({
    select: [...fields(names), next(ACTOR), next(RANK)],
    from: from(rows),
    windows: [{ name: NEXT, window: { orderBy: [order(field(ACTOR)), order(field(RANK))] } }],
  });
  const rank = field(`${NEXT}_${RANK}`);
  const end = call('intDiv', rank, TWO);
  const isTaken = and(
    compare('==', call('modulo', rank, TWO), constant(0)),
    compare('==', field(`${NEXT}_${ACTOR}`), field(ACTOR)),
    compare('<=', arithmetic('-', end, field(timeName(0))), constant(plan.window)),
  );
  // What has not begun is no attempt, and one that ends before the second step decides nothing.
  const begun = isNotNull(field(timeName(0)));
  return {
    query: select({
      select: [
        ...fields(names),
        alias(step === 1 ? end : call('if', isTaken, end, constant(null)), timeName(step)),
      ],
      from: from(followed),
      where: step === 1 ? and(begun, isTaken) : begun,
    }),
    names: [...names, timeName(step)],
  };
}

/** How many took the first step: a query over `withStepEvents`. */
export function enteredCount(): SelectQuery {
  return select({
    select: [alias(call('uniq', field(ACTOR)), 'entered')],
    from: from(EVENTS),
    where: field(fitName(0)),
    mostGroups: 1,
  });
}

/** A query made of `quickAttempts`, with the events that they are taken from: these are read once. */
export function withStepEvents(query: SelectQuery, plan: FunnelPlan): SelectQuery {
  // Each step reads them: planned for each of them, a short question takes longer to plan than to answer.
  const events = keptCte(EVENTS, eventsOfSteps(plan));
  return { ...query, ctes: [events, ...(query.ctes ?? [])] };
}
