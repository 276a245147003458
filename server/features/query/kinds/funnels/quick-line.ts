import type { Expr } from '../../../../hogql/ast.ts';
import { alias, arithmetic, call, constant } from '../../../../hogql/build.ts';
import { ACTOR } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';

const NUMBER = 'number';
const RANK = 'rank';
const TWO = constant(2);
const MICROS_PER_MS = 1_000n;
/** Persons come while a question is asked: places are left for an eighth more than there are. */
const SPARE = 8n;
/** Numbers of DuckDB's BIGINT lie below it. */
export const LEAST_TOO_LARGE = 2n ** 63n;

/** What stands at a moment: an event comes before an attempt, so that one at the moment of the step before comes too early. */
export const KINDS = { event: 0, attempt: 1 } as const;

/**
 * How attempts and events stand in one line, by their actors, then by their ranks. Where all places have numbers that fit, a
 * place is one of them: rows of one number are put in order in half the time that rows of several columns take.
 */
export interface Line {
  /** The columns that say where a row stands, in the order in which they count. */
  readonly names: readonly string[];
  /** Who an actor of the events is in this line. */
  id(actor: Expr): Expr;
  /** These columns of a row of an actor, as `id` gives it, with a rank. */
  place(actor: Expr, rank: Expr): Expr[];
  /** Both, and what the row is of, from the columns. */
  read(column: (name: string) => Expr): { actor: Expr; rank: Expr; kind: Expr };
}

/** The line for a funnel. */
export function lineOf(plan: FunnelPlan): Line {
  const ranks = 2n * microsOf(plan);
  const { actor, personLimit: limit } = plan;
  if (limit === null || actor.isExpression || actor.groupTypeIndex !== null) return APART;
  const places = (BigInt(limit) + BigInt(limit) / SPARE) * ranks;
  return places < LEAST_TOO_LARGE ? together(constant(ranks)) : APART;
}

/** Who and when in two columns. */
const APART: Line = {
  names: [ACTOR, RANK],
  id: (actor) => actor,
  place: (actor, rank) => [alias(actor, ACTOR), alias(rank, RANK)],
  read: (column) => ({ actor: column(ACTOR), rank: column(RANK), kind: kindOf(column(RANK)) }),
};

/** Both in one number. */
function together(ranks: Expr): Line {
  return {
    names: [NUMBER],
    id: (actor) => call('personNumber', actor),
    place: (actor, rank) => [alias(arithmetic('+', arithmetic('*', actor, ranks), rank), NUMBER)],
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

/** Where something stands among what an actor did: twice the microseconds since the funnel begins, and its kind. */
export function rankOf(moment: Expr, kind: keyof typeof KINDS, plan: FunnelPlan): Expr {
  const since = arithmetic('-', moment, constant(startOf(plan)));
  return arithmetic('+', arithmetic('*', since, TWO), constant(KINDS[kind]));
}

/** The moment of a rank, in Unix microseconds. */
export function momentOf(rank: Expr, plan: FunnelPlan): Expr {
  return arithmetic('+', call('intDiv', rank, TWO), constant(startOf(plan)));
}

/** The first moment after all events of a funnel, in Unix microseconds. */
export function endOf({ span }: Pick<FunnelPlan, 'span'>): bigint {
  return BigInt(span.to) * MICROS_PER_MS;
}

/** How many moments it has, with the one that is `endOf`. */
export function microsOf(plan: Pick<FunnelPlan, 'span'>): bigint {
  return endOf(plan) - startOf(plan) + 1n;
}

function startOf({ span }: Pick<FunnelPlan, 'span'>): bigint {
  return BigInt(span.from) * MICROS_PER_MS;
}
