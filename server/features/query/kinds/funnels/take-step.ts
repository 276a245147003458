import type { Expr, JoinExpr, Query, SelectQuery } from '../../../../hogql/ast.ts';
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
  join,
  select,
} from '../../../../hogql/build.ts';
import { ACTOR, AT, timeName } from './funnel-columns.ts';

/** Attempts as far as they are known: a query, and the names of its columns. */
export interface Attempts {
  readonly query: SelectQuery;
  readonly names: readonly string[];
}

/** The attempts, and what is joined to them, in the query that takes a step. */
export const ATTEMPT = 's';
export const EVENT = 'e';

export interface Taking {
  /** The step's place, from 0. */
  readonly step: number;
  /** Rows of the step with the columns `actor` and `at`. */
  readonly rows: Query;
  /** How they belong to attempts, beside the actor; with a comparison of times the nearest row is taken. */
  readonly on: readonly Expr[];
  readonly isNearest: boolean;
  /** What must hold of the event that was found. */
  readonly where: readonly Expr[];
  /** Columns of the event that attempts carry on. */
  readonly carried: readonly string[];
}

/** Adds to attempts when they took a step: NULL where no event was found, or not the way it must be. */
export function takeStep(
  attempts: Attempts,
  { step, rows, on, isNearest, where, carried }: Taking,
): Attempts {
  const isTaken = and(isNotNull(field(EVENT, AT)), ...where);
  const taken = (name: string): Expr => call('if', isTaken, field(EVENT, name), constant(null));
  return {
    query: select({
      select: [
        ...columns(ATTEMPT, attempts.names),
        alias(taken(AT), timeName(step)),
        ...carried.map((name) => alias(taken(name), name)),
      ],
      from: joined(attempts, isNearest ? 'ASOF LEFT JOIN' : 'LEFT JOIN', rows, on),
    }),
    names: [...attempts.names, timeName(step), ...carried],
  };
}

/** Columns of a query by its alias, under their own names. */
export function columns(of: string, names: readonly string[]): Expr[] {
  return names.map((name) => alias(field(of, name), name));
}

/** Attempts with rows of the same actor. */
export function joined(
  { query }: Attempts,
  joinType: NonNullable<JoinExpr['joinType']>,
  rows: Query,
  on: readonly Expr[],
): JoinExpr {
  const same = compare('==', field(ATTEMPT, ACTOR), field(EVENT, ACTOR));
  return join(from(query, ATTEMPT), joinType, from(rows, EVENT), and(same, ...on));
}

/** Later than any event can be, in Unix microseconds. */
export const NEVER = 4_000_000_000_000_000_000n;

/**
 * That the event comes after a moment of the attempt; after none where that is NULL: an ASOF JOIN of DuckDB may find rows for
 * NULL too.
 */
export function isAfter(moment: Expr): Expr {
  return compare('<', call('coalesce', moment, constant(NEVER)), field(EVENT, AT));
}

/** Whether a moment lies in the window that began with the first step. */
export function inWindow(moment: Expr, window: number): Expr {
  const since = arithmetic('-', moment, field(ATTEMPT, timeName(0)));
  return compare('<=', since, constant(window));
}

/** The last of some steps that was taken. */
export function lastTime(steps: readonly number[], of?: string): Expr {
  const times = steps
    .toReversed()
    .map((step) => (of === undefined ? field(timeName(step)) : field(of, timeName(step))));
  return times.length === 1 ? times[0]! : call('coalesce', ...times);
}
