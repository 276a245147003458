import {
  compare,
  field,
  isNull,
  or,
  and,
  call,
  isNotNull,
  not,
  select,
  alias,
  arithmetic,
  constant,
  cte,
  from,
  unionAll,
  join,
  over,
  order,
} from '../../../../hogql/build.ts';
import {
  type FunnelPlan,
  type Exclusion,
  AT,
  count,
  timeName,
  ACTOR,
  BUCKET,
  dimensionsOf,
  fields,
  heldName,
  PLACE,
  namesOf,
  valueName,
} from './plan.ts';
import type { Expr, SelectQuery, JoinExpr, Query } from '../../../../hogql/ast.ts';
import { NULL_VALUE } from '../../breakdown.ts';
import { bucketIndex } from '../../buckets.ts';
import { eventsFrom, inSpan, anyOf } from '../../series.ts';

/**
 * The attempts that no exclusion voids: without an excluded event after the one step and before the other, or, where the
 * other was never taken, before the window ends.
 */
function withoutVoid(attempts: Attempts, plan: FunnelPlan): Attempts {
  return plan.exclusions.reduce((left, exclusion) => without(left, exclusion, plan), attempts);
}

function without(attempts: Attempts, { condition, from: step, to }: Exclusion, plan: FunnelPlan): Attempts {
  const excluded = field(EVENT, AT);
  const later = isAfter(field(ATTEMPT, timeName(step)));
  const end = nextTime(to, plan.steps.length);
  const isBefore = call('if', isNull(end), inWindow(excluded, plan.window), compare('<', excluded, end));
  const query = select({
    select: columns(ATTEMPT, attempts.names),
    from: joined(attempts, 'ASOF LEFT JOIN', stepRows(plan, condition), [later]),
    where: not(and(isNotNull(excluded), isBefore)),
  });
  return { query, names: attempts.names };
}

/** When a step was taken, or the first after it that was. */
function nextTime(step: number, steps: number): Expr {
  const times = Array.from({ length: steps - step }, (_, at) => field(ATTEMPT, timeName(step + at)));
  return times.length === 1 ? times[0]! : call('coalesce', ...times);
}

/** Attempts before exclusions, by the order of a funnel. */
const BY_ORDER = { ordered, strict: strictAttempts, unordered: unorderedAttempts } as const;

/**
 * Every attempt at a funnel: one for each moment at which it can begin, with the times of the steps that it takes. An attempt
 * takes each step at its first event after the step before (management contract 9.9.1); those that an exclusion voids are
 * left out. Columns: `actor`, the values of the breakdown where they belong to attempts, `bucket` over time, `time_1`….
 */
export function attemptsOf(plan: FunnelPlan): Attempts {
  return withoutVoid(BY_ORDER[plan.order](plan), plan);
}

function ordered(plan: FunnelPlan): Attempts {
  const required = plan.steps.flatMap(({ isOptional }, at) => (isOptional ? [] : [at]));
  let attempts = beginning(rowsAt(0, plan), plan, carriedAt(0, plan).values);
  for (const [at, step] of required.entries()) {
    const next = required[at + 1];
    if (next !== undefined) attempts = takeLater(attempts, next, [step], null, plan);
    // Steps that may be left out are taken on the way to the next that may not.
    const optional = count(step + 1, next ?? plan.steps.length);
    for (const between of optional) {
      attempts = takeLater(attempts, between, count(step, between), next ?? null, plan);
    }
  }
  return attempts;
}

/** A step at its first event after the last of others, and before `until` where that was taken. */
function takeLater(
  attempts: Attempts,
  step: number,
  after: readonly number[],
  until: number | null,
  plan: FunnelPlan,
): Attempts {
  const at = field(EVENT, AT);
  const end = until === null ? null : field(ATTEMPT, timeName(until));
  return takeStep(attempts, {
    step,
    rows: rowsAt(step, plan),
    on: [...sameAs(step, plan), isAfter(lastTime(after, ATTEMPT))],
    isNearest: true,
    where: [inWindow(at, plan.window), ...(end === null ? [] : [or(isNull(end), compare('<', at, end))])],
    carried: takenOver(step, plan),
  });
}

/** Each step is taken at the actor's very next moment: what else was then does not matter, what was between would. */
function strictAttempts(plan: FunnelPlan): Attempts {
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

/** An attempt begins at any step; each of the others is taken at its first event from then on. */
function unorderedAttempts(plan: FunnelPlan): Attempts {
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

/** Attempts as far as they are known: a query, and the names of its columns. */
export interface Attempts {
  readonly query: SelectQuery;
  readonly names: readonly string[];
}

/** The attempts, and what is joined to them, in the query that takes a step. */
export const ATTEMPT = 's';
export const EVENT = 'e';

interface Taking {
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
function takeStep(attempts: Attempts, { step, rows, on, isNearest, where, carried }: Taking): Attempts {
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
function joined(
  { query }: Attempts,
  joinType: NonNullable<JoinExpr['joinType']>,
  rows: Query,
  on: readonly Expr[],
): JoinExpr {
  const same = compare('==', field(ATTEMPT, ACTOR), field(EVENT, ACTOR));
  return join(from(query, ATTEMPT), joinType, from(rows, EVENT), and(same, ...on));
}

/** Later than any event can be, in Unix microseconds. */
const NEVER = 4_000_000_000_000_000_000n;

/**
 * That the event comes after a moment of the attempt; after none where that is NULL: an ASOF JOIN of DuckDB may find rows for
 * NULL too.
 */
function isAfter(moment: Expr): Expr {
  return compare('<', call('coalesce', moment, constant(NEVER)), field(EVENT, AT));
}

/** Whether a moment lies in the window that began with the first step. */
function inWindow(moment: Expr, window: number): Expr {
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

/** Whether an attempt's events all have one value of the breakdown, so that it is an attempt of an actor and a value. */
export function isByValue({ attribution, breakdown }: FunnelPlan): boolean {
  return breakdown?.kind === 'values' && attribution.kind === 'all_events';
}

/** What rows of a step carry. */
function carriedAt(step: number, plan: FunnelPlan): Required<StepColumns> & { values: string[] } {
  const { attribution } = plan;
  const isAttributed = attribution.kind === 'step' && attribution.step === step;
  const hasValues = isByValue(plan) || (isAttributed && dimensionsOf(plan) > 0);
  const isFirst = step === 0 || plan.order === 'unordered';
  return {
    hasValues,
    hasBucket: isFirst && plan.buckets !== null,
    held: step === 0 || plan.order === 'unordered' ? plan.held.map((_, at) => at) : plan.steps[step]!.held,
    values: hasValues ? namesOf(dimensionsOf(plan), valueName) : [],
  };
}

/** Rows of a step; where a value is carried that does not tell attempts apart, one of those at the same moment. */
function rowsAt(step: number, plan: FunnelPlan): SelectQuery {
  const carried = carriedAt(step, plan);
  const { condition, held } = plan.steps[step]!;
  const isBeginning = step === 0 && plan.order !== 'unordered';
  const known = isBeginning ? [] : held.map((place) => isThere(heldText(place, plan)));
  const rows = stepRows(plan, condition, carried, known);
  return carried.hasValues && !isByValue(plan) ? momentsOf(rows, carried, dimensionsOf(plan)) : rows;
}

/** What is held constant is a value: nothing is not the same as nothing. */
function isThere(held: Expr): Expr {
  return compare('!=', held, constant(''));
}

/** Where attempts begin: rows of the first step. */
function beginning(
  rows: SelectQuery,
  plan: FunnelPlan,
  values: readonly string[],
  further: readonly string[] = [],
): Attempts {
  const kept = [
    ACTOR,
    ...values,
    ...plan.held.map((_, at) => heldName(at)),
    ...(plan.buckets === null ? [] : [BUCKET]),
    ...further,
  ];
  return {
    query: select({
      select: [...fields(kept), alias(field(AT), timeName(0))],
      from: from(rows),
    }),
    names: [...kept, timeName(0)],
  };
}

/** What the event of a step has in common with its attempt. */
function sameAs(step: number, plan: FunnelPlan): Expr[] {
  const values = isByValue(plan) ? namesOf(dimensionsOf(plan), valueName) : [];
  const names = [...values, ...plan.steps[step]!.held.map(heldName)];
  return names.map((name) => compare('==', field(ATTEMPT, name), field(EVENT, name)));
}

/** Values that attempts take over from the event of a step. */
function takenOver(step: number, plan: FunnelPlan): string[] {
  return isByValue(plan) ? [] : carriedAt(step, plan).values;
}

const TIMESTAMP = field('timestamp');

/** What rows of a step carry beside who and when. */
interface StepColumns {
  /** Its values of the breakdown. */
  readonly hasValues?: boolean;
  /** The interval in which it lies. */
  readonly hasBucket?: boolean;
  /** Properties that are held constant, by their places. */
  readonly held?: readonly number[];
}

/** The name of the query that holds what actors did, moment by moment. */
const MOMENTS = 'moments';

/** The events of a step, of an exclusion, or of all (null), one row each. */
function stepRows(
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
 * Selects one row for each moment of a step, with the smallest of its values: two events at the same moment count as
 * one. `step` names the query of all moments that rows are taken from; without it they come from events.
 */
function momentsOf(
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
function momentsQuery(plan: FunnelPlan, carried: StepColumns): SelectQuery {
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
function heldText(place: number, { held }: FunnelPlan): Expr {
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
