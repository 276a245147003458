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
  keptCte,
  order,
  over,
  select,
  unionAll,
} from '../../../../hogql/build.ts';
import { ACTOR, AT, fields, timeName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import {
  endOf,
  KINDS,
  lineOf,
  microsOf,
  momentOf,
  LEAST_TOO_LARGE,
  rankOf,
  type Line,
} from './quick-line.ts';
import { eventsOfSteps, fitName } from './step-rows.ts';
import type { Attempts } from './take-step.ts';

/** The name of the query that holds the events of all steps. */
const EVENTS = 'step_events';
const NEXT = 'next';

/** Whether a funnel is one for `quickAttempts`: steps in order, nothing else, and numbers that fit. */
export function isQuick(plan: FunnelPlan): boolean {
  const { order: kind, exclusions, steps, held, buckets, breakdown } = plan;
  const isPlain = exclusions.length === 0 && held.length === 0 && buckets === null && breakdown === null;
  const isInOrder = kind === 'ordered' && !steps.some(({ isOptional }) => isOptional);
  // How far an attempt came and when is one number (`bestQuickAttempts`).
  return isPlain && isInOrder && BigInt(steps.length + 1) * microsOf(plan) < LEAST_TOO_LARGE;
}

/**
 * The attempts of a plain funnel that get to its second step, as far as they decide which attempt of an actor counts: a query
 * over `withStepEvents`. Of two attempts that take a step at one event, the later one is in the window for longer and takes all
 * that follows alike, so it alone takes that step here, and the other ends before it. Then an attempt and the event that it
 * takes stand next to each other when both are put in order of time: one look at the next row, and nothing is joined.
 */
export function quickAttempts(plan: FunnelPlan): Attempts {
  const line = lineOf(plan);
  const continued = select({
    select: [field(ACTOR)],
    from: from(EVENTS),
    where: field(fitName(1)),
  });
  const beginnings = select({
    select: fields([ACTOR, AT]),
    from: from(EVENTS),
    where: and(field(fitName(0)), compare('in', field(ACTOR), continued)),
  });
  // A query of its own: beside the alias, `actor` would mean the number, also in the condition.
  const starts = select({
    select: [alias(line.id(field(ACTOR)), ACTOR), alias(field(AT), timeName(0))],
    from: from(beginnings),
  });
  let attempts: Attempts = { query: starts, names: [ACTOR, timeName(0)] };
  for (let step = 1; step < plan.steps.length; step += 1) {
    attempts = takeNext(attempts, step, line, plan);
  }
  return attempts;
}

/**
 * Adds when a step was taken: by the row behind the attempt, if that is an event of the step, of the same actor and in time. A
 * row of an attempt stands where its last step was taken, so that moment is read from its place; where the attempt had ended
 * before, it stands behind all events.
 */
function takeNext({ query, names }: Attempts, step: number, line: Line, plan: FunnelPlan): Attempts {
  const [last, carried] = [timeName(step - 1), names.slice(1, -1)];
  const mayHaveEnded = step > 2;
  const end = constant(endOf(plan));
  const standing = mayHaveEnded ? call('coalesce', field(last), end) : field(last);
  const rows = unionAll([
    select({
      select: [...fields(carried), ...line.place(field(ACTOR), rankOf(standing, 'attempt', plan))],
      from: from(query),
    }),
    select({
      select: [
        ...carried.map((name) => alias(constant(null), name)),
        ...line.place(line.id(field(ACTOR)), rankOf(field(AT), 'event', plan)),
      ],
      from: from(EVENTS),
      where: field(fitName(step)),
    }),
  ]);
  const lead = (name: string): Expr =>
    alias(over(call('lead', field(name), constant(1), constant(null)), NEXT), nextName(name));
  const followed = select({
    select: [...fields(carried), ...fields(line.names), ...line.names.map(lead)],
    from: from(rows),
    windows: [{ name: NEXT, window: { orderBy: line.names.map((name) => order(field(name))) } }],
  });
  const [own, next] = [line.read(field), line.read((name) => field(nextName(name)))];
  const [reached, taken] = [momentOf(own.rank, plan), momentOf(next.rank, plan)];
  const began = step === 1 ? reached : field(timeName(0));
  const isTaken = and(
    compare('==', next.kind, constant(KINDS.event)),
    compare('==', next.actor, own.actor),
    compare('<=', arithmetic('-', taken, began), constant(plan.window)),
  );
  const isAttempt = compare('==', own.kind, constant(KINDS.attempt));
  return {
    query: select({
      select: [
        alias(own.actor, ACTOR),
        ...fields(carried),
        alias(mayHaveEnded ? call('nullIf', reached, end) : reached, last),
        // An attempt that ends before the second step decides nothing.
        alias(step === 1 ? taken : call('if', isTaken, taken, constant(null)), timeName(step)),
      ],
      from: from(followed),
      where: step === 1 ? and(isAttempt, isTaken) : isAttempt,
    }),
    names: [...names, timeName(step)],
  };
}

function nextName(name: string): string {
  return `${NEXT}_${name}`;
}

/** How many took the first step: a query over `withStepEvents`. */
export function enteredCount(): SelectQuery {
  // No WHERE: if all who read those events had one, DuckDB would look at the steps of each event twice.
  return select({
    select: [alias(call('uniqIf', field(ACTOR), field(fitName(0))), 'entered')],
    from: from(EVENTS),
    mostGroups: 1,
  });
}

/** A query made of `quickAttempts`, with the events that they are taken from: these are read once. */
export function withStepEvents(query: SelectQuery, plan: FunnelPlan): SelectQuery {
  // Each step reads them: planned for each of them, a short question takes longer to plan than to answer.
  const events = keptCte(EVENTS, eventsOfSteps(plan));
  return { ...query, ctes: [events, ...(query.ctes ?? [])] };
}
