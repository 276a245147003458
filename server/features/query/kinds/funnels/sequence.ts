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
  order,
  or,
  over,
  select,
} from '../../../../hogql/build.ts';
import { NULL_VALUE } from '../../breakdown.ts';
import { bucketIndex } from '../../buckets.ts';
import { anyOf, eventsFrom, inSpan } from '../../series.ts';
import {
  ACTOR,
  AT,
  BUCKET,
  count,
  dimensionsOf,
  fields,
  hasSharedSteps,
  heldName,
  MOMENT,
  namesOf,
  PLACE,
  valueName,
  type FunnelPlan,
} from './plan.ts';

/** The name of the query that holds the events of actors in their sequence. */
export const SEQUENCE = 'sequence';
/** Whether an event is excluded. */
export const EXCLUDED = 'excluded';

/** The same by one exclusion, counted from 0. */
export function excludedName(exclusion: number): string {
  return `${EXCLUDED}_${exclusion + 1}`;
}

/**
 * Whether events are numbered: in strict order, where all count, and where two steps may share an event, so that one
 * event must not take both. Otherwise their times suffice.
 */
export function isSequenced(plan: FunnelPlan): boolean {
  return plan.order === 'strict' || hasSharedSteps(plan);
}

/** Whether an attempt's events all have one value of the breakdown, so that it is an attempt of an actor and a value. */
export function isByValue({ attribution, breakdown }: FunnelPlan): boolean {
  return breakdown?.kind === 'values' && attribution.kind === 'all_events';
}

/** Values by which attempts of an actor differ: those of all its events, or of the step that says them. */
export function valueKeys(plan: FunnelPlan): string[] {
  const { kind } = plan.attribution;
  return kind === 'all_events' || kind === 'step' ? namesOf(dimensionsOf(plan), valueName) : [];
}

/** What rows of a step carry beside who and when. */
export interface StepColumns {
  /** Its values of the breakdown. */
  readonly hasValues?: boolean;
  /** The interval in which it lies. */
  readonly hasBucket?: boolean;
  /** Properties that are held constant, by their places. */
  readonly held?: readonly number[];
}

/** FROM and WHERE of the query's events. */
export function eventsWhere(plan: FunnelPlan, conditions: readonly Expr[]) {
  return {
    from: eventsFrom(plan.query),
    where: and(inSpan(plan.span, plan.filters), ...plan.scope, ...conditions),
  };
}

/** What an event must be like to take a step. */
export function stepConditions(plan: FunnelPlan, step: number): Expr[] {
  const { condition, held } = plan.steps[step]!;
  const isBeginning = step === 0 && plan.order !== 'unordered';
  return [
    ...(condition === null ? [] : [condition]),
    ...(isBeginning ? [] : held.map((place) => isThere(heldText(place, plan)))),
  ];
}

/** What is held constant is a value: nothing is not the same as nothing. */
function isThere(held: Expr): Expr {
  return compare('!=', held, constant(''));
}

/** Rows of the sequence that fit a step; null: those that fit any. */
export function placedRows(
  plan: FunnelPlan,
  step: number | null,
  { hasValues, hasBucket, held = [] }: StepColumns,
): SelectQuery {
  const isFirst = step === null || (step === 0 && plan.order !== 'unordered');
  const demanded = isFirst ? [] : plan.steps[step]!.held.map((place) => isThere(field(heldName(place))));
  const isOfStep = step === null ? [] : [compare('==', field(fitName(step)), constant(true))];
  const runs = plan.order === 'strict' ? count(0, plan.steps.length - 1).map(runName) : [];
  return select({
    select: fields([
      ACTOR,
      AT,
      PLACE,
      MOMENT,
      ...held.map(heldName),
      ...(hasValues === true ? namesOf(dimensionsOf(plan), valueName) : []),
      ...(hasBucket === true && plan.buckets !== null ? [BUCKET] : []),
      ...runs,
    ]),
    from: from(SEQUENCE),
    where: and(...isOfStep, ...demanded),
  });
}

/** How many events that break a run came before one of the sequence, for attempts that stand at a step. */
export function runName(step: number): string {
  return `run_${step + 1}`;
}

/**
 * Events of actors, numbered: at one moment those first that fit earlier steps, so that steps can be taken in their order. In
 * strict order all events of those who took the first step, and by `run_1`… how many came before that end an attempt that
 * is at that step, because they do not fit it; at a moment of different events none does (amendment A-6).
 */
export function sequenceQuery(plan: FunnelPlan): SelectQuery {
  const isStrict = plan.order === 'strict';
  const steps = plan.steps.map((_, at) => at);
  const fits = (step: number): Expr => compare('==', field(fitName(step)), constant(true));
  const last = call(
    'multiIf',
    ...steps.toReversed().flatMap((at) => [fits(at), constant(at + 1)]),
    constant(0),
  );
  const first = call('multiIf', ...steps.flatMap((at) => [fits(at), constant(at + 1)]), constant(0));
  const keys = fields([ACTOR, ...(isByValue(plan) ? valueKeys(plan) : [])]);
  const excluded = plan.exclusions.map((_, at) => excludedName(at));
  const names = [
    ACTOR,
    AT,
    ...steps.map(fitName),
    ...plan.held.map((_, at) => heldName(at)),
    ...namesOf(dimensionsOf(plan), valueName),
    ...(plan.buckets === null ? [] : [BUCKET]),
    ...(isStrict ? excluded : []),
  ];
  const carried = { hasValues: dimensionsOf(plan) > 0, hasBucket: true, held: plan.held.map((_, at) => at) };
  const began = plan.steps[0]!.condition;
  const actors = select({
    select: [alias(plan.actor.id, ACTOR)],
    ...eventsWhere(plan, began === null ? [] : [began]),
  });
  const events = select({
    select: [
      alias(plan.actor.id, ACTOR),
      alias(micros(), AT),
      alias(field(...plan.filters.path('uuid')), 'id'),
      ...fitsOf(plan),
      ...carriedColumns(plan, carried),
      ...(isStrict
        ? plan.exclusions.map(({ condition }, at) => alias(condition ?? constant(true), excluded[at]!))
        : []),
    ],
    ...eventsWhere(plan, isStrict ? [compare('in', plan.actor.id, actors)] : anyStep(plan)),
  });
  const marks = isStrict ? marksOf([...steps.map(fitName), ...excluded]) : [];
  const markName = (at: number): string => `mark_${at + 1}`;
  const numbered = select({
    select: [
      ...fields(names),
      alias(
        over(call('row_number'), {
          partitionBy: keys,
          orderBy: [order(field(AT)), order(first), order(last), order(field('id'))],
        }),
        PLACE,
      ),
      ...marks.map((mark, at) => alias(mark, markName(at))),
    ],
    from: from(events),
  });
  const moment = { partitionBy: [...keys, field(AT)] };
  const isMixed = or(
    ...marks.map((_, at) => {
      const mark = field(markName(at));
      return compare('!=', over(call('min', mark), moment), over(call('max', mark), moment));
    }),
  );
  const placed = select({
    select: [
      ...fields([...names, PLACE]),
      alias(over(call('min', field(PLACE)), moment), MOMENT),
      ...(isStrict ? [alias(isMixed, 'is_mixed')] : []),
    ],
    from: from(numbered),
  });
  if (!isStrict) return placed;
  const before = { partitionBy: keys, orderBy: [order(field(PLACE))] };
  const breaks = (step: number): Expr =>
    call('if', field('is_mixed'), constant(0), call('if', fits(step), constant(0), constant(1)));
  return select({
    select: [
      ...fields([...names, PLACE, MOMENT, 'is_mixed']),
      ...steps
        .slice(0, -1)
        .map((step) =>
          alias(arithmetic('-', over(call('sum', breaks(step)), before), breaks(step)), runName(step)),
        ),
    ],
    from: from(placed),
  });
}

/** So many bits has a number of DuckDB to spare. */
const BITS = 60;

/** Numbers that are the same for events that fit the same: a bit for each of the names. */
function marksOf(names: readonly string[]): Expr[] {
  return count(0, Math.ceil(names.length / BITS)).map((at) =>
    sumOf(
      names
        .slice(at * BITS, (at + 1) * BITS)
        .map((name, bit) => call('if', field(name), constant(2n ** BigInt(bit)), constant(0))),
    ),
  );
}

export function sumOf(terms: readonly Expr[]): Expr {
  return terms.reduce((left, right) => arithmetic('+', left, right));
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

/** Whether an event fits a step, counted from 0. */
export function fitName(step: number): string {
  return `is_${step + 1}`;
}

/** The condition of the events that fit any step; none when all do. */
export function anyStep({ steps }: FunnelPlan): Expr[] {
  const conditions = steps.flatMap(({ condition }) => condition ?? []);
  return conditions.length < steps.length ? [] : [anyOf(conditions)];
}

/** Values of the breakdown; NULL where they are missing. */
export function valueExprs({ breakdown }: FunnelPlan): Expr[] {
  if (breakdown?.kind !== 'values') return [];
  return breakdown.dimensions.map(({ text }) => call('nullIf', text, constant('')));
}

/** The same with a word for what is missing. */
export function withMissing(value: Expr): Expr {
  return call('coalesce', value, constant(NULL_VALUE));
}

/** The value of a property that is held constant; empty where it is missing. */
function heldText(place: number, { held }: FunnelPlan): Expr {
  return call('coalesce', held[place]!, constant(''));
}

/** Columns of what rows of a step carry. */
export function carriedColumns(plan: FunnelPlan, { hasValues, hasBucket, held = [] }: StepColumns): Expr[] {
  const values = hasValues === true ? valueExprs(plan) : [];
  return [
    ...held.map((place) => alias(heldText(place, plan), heldName(place))),
    ...values.map((value, at) => alias(withMissing(value), valueName(at))),
    ...(hasBucket === true && plan.buckets !== null
      ? [alias(bucketIndex(field('timestamp'), plan.buckets), BUCKET)]
      : []),
  ];
}

/** When an event was, in Unix microseconds. */
export function micros(): Expr {
  return call('toUnixTimestamp64Micro', field('timestamp'));
}
