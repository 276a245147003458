import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  field,
  from,
  over,
  order,
  select,
} from '../../../../hogql/build.ts';
import { NULL_VALUE } from '../../breakdowns/breakdown.ts';
import { bucketIndex } from '../../dates/buckets.ts';
import { anyOf } from '../../series/any-of.ts';
import { eventsFrom, inSpan } from '../../series/query-scope.ts';
import { ACTOR, AT, BUCKET, heldName, namesOf, PLACE, valueName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';

const TIMESTAMP = field('timestamp');

/** What rows of a step carry beside who and when. */
export interface StepColumns {
  /** Its values of the breakdown. */
  readonly hasValues?: boolean;
  /** The interval in which it lies. */
  readonly hasBucket?: boolean;
  /** Properties that are held constant, by their places. */
  readonly held?: readonly number[];
}

/** The name of the query that holds what actors did, moment by moment. */
export const MOMENTS = 'moments';

/** The events of a step, of an exclusion, or of all (null), one row each. */
export function stepRows(
  plan: FunnelPlan,
  condition: Expr | null,
  carried: StepColumns = {},
  further: readonly Expr[] = [],
): SelectQuery {
  return select({
    select: [alias(plan.actor.id, ACTOR), alias(micros(), AT), ...carriedColumns(plan, carried)],
    ...eventsWhere(plan, [...(condition === null ? [] : [condition]), ...further]),
  });
}

/** FROM and WHERE of the query's events. */
export function eventsWhere(plan: FunnelPlan, conditions: readonly Expr[]) {
  return {
    from: eventsFrom(plan.query),
    where: and(inSpan(plan.span, plan.filters), ...plan.scope, ...conditions),
  };
}

/**
 * One row for each moment of a step, with the least of its values: two events at once are one. `step` names the query of all
 * moments that rows are taken from; without it they come from events.
 */
export function momentsOf(
  rows: SelectQuery,
  { held = [], hasBucket }: StepColumns,
  dimensions: number,
): SelectQuery {
  const kept = [ACTOR, AT, ...held.map(heldName), ...(hasBucket === true ? [BUCKET] : [])];
  const values = namesOf(dimensions, valueName).map((name) => alias(call('min', field(name)), name));
  return select({
    select: [...kept.map((name) => field(name)), ...values],
    from: from(rows),
    groupBy: kept.map((name) => field(name)),
  });
}

/**
 * Every event of those who took the first step, with the number of its moment among those of its actor, and which steps it
 * fits (`is_1`, `is_2`…).
 */
export function momentsQuery(plan: FunnelPlan, carried: StepColumns): SelectQuery {
  const first = plan.steps[0]!.condition;
  const began = select({
    select: [alias(plan.actor.id, ACTOR)],
    ...eventsWhere(plan, first === null ? [] : [first]),
  });
  const place = over(call('dense_rank'), {
    partitionBy: [plan.actor.id],
    orderBy: [order(TIMESTAMP)],
  });
  return select({
    select: [
      alias(plan.actor.id, ACTOR),
      alias(micros(), AT),
      alias(place, PLACE),
      ...fitsOf(plan),
      ...carriedColumns(plan, carried),
    ],
    ...eventsWhere(plan, [compare('in', plan.actor.id, began)]),
  });
}

/** The events that fit any step, one row each: who, when, and which steps it fits (`is_1`, `is_2`…). */
export function eventsOfSteps(plan: FunnelPlan): SelectQuery {
  return select({
    select: [alias(plan.actor.id, ACTOR), alias(micros(), AT), ...fitsOf(plan)],
    ...eventsWhere(plan, anyStep(plan)),
  });
}

function fitsOf({ steps }: FunnelPlan): Expr[] {
  return steps.map(({ condition }, at) => alias(condition ?? constant(true), fitName(at)));
}

/** Whether a moment fits a step, counted from 0. */
export function fitName(step: number): string {
  return `is_${step + 1}`;
}

/** The condition of the events that fit any step; none when all do. */
export function anyStep({ steps }: FunnelPlan): Expr[] {
  const conditions = steps.flatMap(({ condition }) => condition ?? []);
  return conditions.length < steps.length ? [] : [anyOf(conditions)];
}

/** Values of the breakdown, with a word for what is missing. */
export function valueExprs({ breakdown }: FunnelPlan): Expr[] {
  if (breakdown?.kind !== 'values') return [];
  return breakdown.dimensions.map(({ text }) => call('nullIf', text, constant('')));
}

/** The same with a word for what is missing. */
export function withMissing(value: Expr): Expr {
  return call('coalesce', value, constant(NULL_VALUE));
}

/** The value of a property that is held constant; empty where it is missing. */
export function heldText(place: number, { held }: FunnelPlan): Expr {
  return call('coalesce', held[place]!, constant(''));
}

function carriedColumns(plan: FunnelPlan, { hasValues, hasBucket, held = [] }: StepColumns): Expr[] {
  const values = hasValues === true ? valueExprs(plan) : [];
  return [
    ...held.map((place) => alias(heldText(place, plan), heldName(place))),
    ...values.map((value, at) => alias(withMissing(value), valueName(at))),
    ...(hasBucket === true && plan.buckets !== null
      ? [alias(bucketIndex(TIMESTAMP, plan.buckets), BUCKET)]
      : []),
  ];
}

function micros(): Expr {
  return call('toUnixTimestamp64Micro', TIMESTAMP);
}
