import type { Expr } from '../../../../hogql/ast.ts';
import { alias, arithmetic, call, constant } from '../../../../hogql/build.ts';
import { ACTOR } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';

const NUMBER = 'number';
const RANK = 'rank';
const TWO = constant(2);
const MICROS_PER_MS = 1_000n;
/** New persons may arrive during the query, so the range has an eighth of spare IDs. */
const SPARE = 8n;
/** Numbers of DuckDB's BIGINT lie below it. */
export const BIGINT_LIMIT = 2n ** 63n;

/**
 * An event sorts before an attempt at the same moment, so that an event at the moment of the previous step is too
 * early.
 */
export const KINDS = { event: 0, attempt: 1 } as const;

/**
 * The sort key of attempts and events: actor, then rank. If all keys fit into a BIGINT, both are packed into one
 * number, which sorts twice as fast as several columns.
 */
export interface SortKey {
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
export function sortKeyOf(plan: FunnelPlan): SortKey {
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

/** The number of moments in the funnel, including `endOf`. */
export function microsOf(plan: Pick<FunnelPlan, 'span'>): bigint {
  return endOf(plan) - startOf(plan) + 1n;
}

function startOf({ span }: Pick<FunnelPlan, 'span'>): bigint {
  return BigInt(span.from) * MICROS_PER_MS;
}
