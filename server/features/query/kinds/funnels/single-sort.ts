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
import { type FunnelPlan, ACTOR, AT, fields, hasSharedSteps, timeName } from './plan.ts';
import { type Attempts, lastTime } from './attempts.ts';
import { eventsOfSteps, fitName } from './sequence.ts';
import { taken, bestName } from './to-hogql.ts';

/** The name of the query that holds the events of all steps. */
const EVENTS = 'step_events';
const NEXT = 'next';

/**
 * Whether `singleSortAttempts` supports the funnel: ordered steps that share no event, without exclusions, holdouts,
 * intervals or breakdown, and keys that fit.
 */
export function canUseSingleSort(plan: FunnelPlan): boolean {
  const { order: kind, exclusions, steps, held, buckets, breakdown } = plan;
  const isPlain = exclusions.length === 0 && held.length === 0 && buckets === null && breakdown === null;
  const isInOrder =
    kind === 'ordered' && !steps.some(({ isOptional }) => isOptional) && !hasSharedSteps(plan);
  // Progress and time of an attempt are packed into one number (`bestQuickAttempts`).
  return isPlain && isInOrder && BigInt(steps.length + 1) * microsOf(plan) < BIGINT_LIMIT;
}

/**
 * The attempts of a plain funnel that get to its second step, as far as they decide which attempt of an actor counts:
 * a query over `withStepEvents`. Of two attempts that take a step at one event, the later one stays in the window
 * longer and takes the same later steps, so only it takes that step here. Attempts and the events they take are then
 * adjacent when sorted by time: a lead() window replaces joins.
 */
export function singleSortAttempts(plan: FunnelPlan): Attempts {
  const sortKey = sortKeyOf(plan);
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
    select: [alias(sortKey.id(field(ACTOR)), ACTOR), alias(field(AT), timeName(0))],
    from: from(beginnings),
  });
  let attempts: Attempts = { query: starts, names: [ACTOR, timeName(0)] };
  for (let step = 1; step < plan.steps.length; step += 1) {
    attempts = takeNext(attempts, step, sortKey, plan);
  }
  return attempts;
}

/**
 * Adds when a step was taken: by the row after the attempt, if that is an event of the step, of the same actor and
 * within the conversion window. The row of an attempt is sorted at the moment of its last step, so that moment is
 * read from its sort key; an attempt that ended earlier is sorted after all events.
 */
function takeNext({ query, names }: Attempts, step: number, sortKey: SortKey, plan: FunnelPlan): Attempts {
  const [last, carried] = [timeName(step - 1), names.slice(1, -1)];
  const mayHaveEnded = step > 2;
  const end = constant(endOf(plan));
  const standing = mayHaveEnded ? call('coalesce', field(last), end) : field(last);
  const rows = unionAll([
    select({
      select: [...fields(carried), ...sortKey.columns(field(ACTOR), rankOf(standing, 'attempt', plan))],
      from: from(query),
    }),
    select({
      select: [
        ...carried.map((name) => alias(constant(null), name)),
        ...sortKey.columns(sortKey.id(field(ACTOR)), rankOf(field(AT), 'event', plan)),
      ],
      from: from(EVENTS),
      where: field(fitName(step)),
    }),
  ]);
  const lead = (name: string): Expr =>
    alias(over(call('lead', field(name), constant(1), constant(null)), NEXT), nextName(name));
  const followed = select({
    select: [...fields(carried), ...fields(sortKey.names), ...sortKey.names.map(lead)],
    from: from(rows),
    windows: [{ name: NEXT, window: { orderBy: sortKey.names.map((name) => order(field(name))) } }],
  });
  const [own, next] = [sortKey.read(field), sortKey.read((name) => field(nextName(name)))];
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

/** The number of actors that took the first step: a query over `withStepEvents`. */
export function enteredCount(): SelectQuery {
  // No WHERE: if all who read those events had one, DuckDB would look at the steps of each event twice.
  return select({
    select: [alias(call('uniqIf', field(ACTOR), field(fitName(0))), 'entered')],
    from: from(EVENTS),
    mostGroups: 1,
  });
}

/** Adds the events of the steps to a query over them as a common table expression, so that they are read once. */
export function withStepEvents(query: SelectQuery, plan: FunnelPlan): SelectQuery {
  // Each step reads them: planned for each of them, a short question takes longer to plan than to answer.
  const events = keptCte(EVENTS, eventsOfSteps(plan));
  return { ...query, ctes: [events, ...(query.ctes ?? [])] };
}

const NUMBER = 'number';
const RANK = 'rank';
const TWO = constant(2);
const MICROS_PER_MS = 1_000n;
/** New persons may arrive during the query, so the range has an eighth of spare IDs. */
const SPARE = 8n;
/** Numbers of DuckDB's BIGINT lie below it. */
const BIGINT_LIMIT = 2n ** 63n;

/** An attempt sorts before an event at the same moment, so that steps at one moment convert in their order. */
const KINDS = { attempt: 0, event: 1 } as const;

/**
 * The sort key of attempts and events: actor, then rank. If all keys fit into a BIGINT, both are packed into one
 * number, which sorts twice as fast as several columns.
 */
interface SortKey {
  /** The columns of the key, most significant first. */
  readonly names: readonly string[];
  /** The actor's ID in the key. */
  id(actor: Expr): Expr;
  /** The key columns of a row, for an actor as returned by `id` and a rank. */
  columns(actor: Expr, rank: Expr): Expr[];
  /** Actor, rank and kind of a row, from its key columns. */
  read(column: (name: string) => Expr): { actor: Expr; rank: Expr; kind: Expr };
}

/** The sort key of a funnel. */
function sortKeyOf(plan: FunnelPlan): SortKey {
  const ranks = 2n * microsOf(plan);
  const { actor, personLimit: limit } = plan;
  if (limit === null || actor.isExpression || actor.groupTypeIndex !== null) return SEPARATE_COLUMNS;
  const places = (BigInt(limit) + BigInt(limit) / SPARE) * ranks;
  return places < BIGINT_LIMIT ? packedSortKey(constant(ranks)) : SEPARATE_COLUMNS;
}

/** Actor and rank in two columns. */
const SEPARATE_COLUMNS: SortKey = {
  names: [ACTOR, RANK],
  id: (actor) => actor,
  columns: (actor, rank) => [alias(actor, ACTOR), alias(rank, RANK)],
  read: (column) => ({ actor: column(ACTOR), rank: column(RANK), kind: kindOf(column(RANK)) }),
};

/** Actor and rank packed into one number. */
function packedSortKey(ranks: Expr): SortKey {
  return {
    names: [NUMBER],
    id: (actor) => call('personNumber', actor),
    columns: (actor, rank) => [alias(arithmetic('+', arithmetic('*', actor, ranks), rank), NUMBER)],
    read: (column) => ({
      actor: call('intDiv', column(NUMBER), ranks),
      rank: call('modulo', column(NUMBER), ranks),
      // There is an even number of ranks.
      kind: kindOf(column(NUMBER)),
    }),
  };
}

function kindOf(rank: Expr): Expr {
  return call('modulo', rank, TWO);
}

/** The rank of a moment: twice the microseconds since the start of the funnel, plus its kind. */
function rankOf(moment: Expr, kind: keyof typeof KINDS, plan: FunnelPlan): Expr {
  const since = arithmetic('-', moment, constant(startOf(plan)));
  return arithmetic('+', arithmetic('*', since, TWO), constant(KINDS[kind]));
}

/** The moment of a rank, in Unix microseconds. */
function momentOf(rank: Expr, plan: FunnelPlan): Expr {
  return arithmetic('+', call('intDiv', rank, TWO), constant(startOf(plan)));
}

/** The first moment after all events of a funnel, in Unix microseconds. */
function endOf({ span }: Pick<FunnelPlan, 'span'>): bigint {
  return BigInt(span.to) * MICROS_PER_MS;
}

/** The number of moments in the funnel, including `endOf`. */
function microsOf(plan: Pick<FunnelPlan, 'span'>): bigint {
  return endOf(plan) - startOf(plan) + 1n;
}

function startOf({ span }: Pick<FunnelPlan, 'span'>): bigint {
  return BigInt(span.from) * MICROS_PER_MS;
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
