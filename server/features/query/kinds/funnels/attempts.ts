import { isDeepStrictEqual } from 'node:util';
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
  from,
  unionAll,
  join,
  keptCte,
  tuple,
} from '../../../../hogql/build.ts';
import {
  type FunnelPlan,
  type Exclusion,
  AT,
  canShare,
  count,
  timeName,
  ACTOR,
  BUCKET,
  dimensionsOf,
  fields,
  heldName,
  momentName,
  namesOf,
  PLACE,
  MOMENT,
  placeName,
  valueName,
  VOID,
  VOID_PASSED,
} from './plan.ts';
import type { Expr, SelectQuery, JoinExpr, Query } from '../../../../hogql/ast.ts';
import {
  carriedColumns,
  eventsWhere,
  EXCLUDED,
  excludedName,
  isByValue,
  isSequenced,
  micros,
  placedRows,
  runName,
  SEQUENCE,
  sequenceQuery,
  stepConditions,
  sumOf,
  valueKeys,
  type StepColumns,
} from './sequence.ts';

/**
 * Every attempt at a funnel: one for each event at which it can begin, with the times of the steps that it takes. An attempt
 * takes each step at its first event after the step before, or at the same moment (management contract 9.9.1, amendment A-6).
 * Columns: `actor`, the values of the breakdown where they belong to attempts, `bucket` over time, `time_1`…, and with
 * exclusions `void_at`.
 */
export function attemptsOf(plan: FunnelPlan): Attempts {
  const found = withVoid(plan.order === 'unordered' ? unorderedAttempts(plan) : orderedAttempts(plan), plan);
  if (!isSequenced(plan)) return found;
  const ctes = [keptCte(SEQUENCE, sequenceQuery(plan)), ...(found.query.ctes ?? [])];
  return { ...found, query: { ...found.query, ctes } };
}

/** Attempts as far as they are known: a query, and the names of its columns. */
export interface Attempts {
  readonly query: SelectQuery;
  readonly names: readonly string[];
}

/** The attempts, and what is joined to them, in the query that takes a step. */
export const ATTEMPT = 's';
export const EVENT = 'e';

/** Steps in order: the events of the steps alone, or (strict) all events of the actor in an unbroken sequence. */
function orderedAttempts(plan: FunnelPlan): Attempts {
  const required = plan.steps.flatMap(({ isOptional }, at) => (isOptional ? [] : [at]));
  let attempts = ofAttributedValues(beginning(rowsAt(0, plan), 0, plan), plan);
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
  const isBefore = until !== null && canShare(plan, step, until) ? '<' : '<=';
  return takeStep(
    attempts,
    {
      step,
      on: [...sameAs(step, plan), isFrom(step, after, attempts, plan)],
      where: [
        ...sameRun(after, plan),
        inWindow(at, plan),
        ...(end === null ? [] : [or(isNull(end), compare(isBefore, at, end))]),
      ],
    },
    plan,
  );
}

/**
 * That an event can take a step after others of an attempt: it comes after the last of them or at its moment, and has not
 * taken any of them. An ASOF JOIN of DuckDB may find rows for NULL too.
 */
function isFrom(step: number, after: readonly number[], { names }: Attempts, plan: FunnelPlan): Expr {
  if (!isSequenced(plan)) {
    return compare('<=', call('coalesce', lastTime(after, ATTEMPT), constant(NEVER)), field(EVENT, AT));
  }
  // Moments of steps in order only grow: of those that share no event with it, the last one suffices.
  const isLast = (other: number): boolean => after.includes(other);
  const least = count(0, step)
    .filter((other) => names.includes(placeName(other)))
    .filter((other) => isLast(other) || canShare(plan, other, step))
    .map((other) => {
      const first = canShare(plan, other, step) ? afterPlace(other) : field(ATTEMPT, momentName(other));
      return call('coalesce', first, constant(0));
    });
  const hasBegun = isNotNull(lastTime(after, ATTEMPT));
  return compare('<=', call('if', hasBegun, greatest(least), constant(NEVER)), field(EVENT, PLACE));
}

/** The first place behind the event that took a step. */
function afterPlace(step: number): Expr {
  return arithmetic('+', field(ATTEMPT, placeName(step)), constant(1));
}

function greatest(all: readonly Expr[]): Expr {
  return all.length === 1 ? all[0]! : call('greatest', ...all);
}

/** In strict order nothing came in between that does not fit the step at which the attempt is. */
function sameRun(after: readonly number[], plan: FunnelPlan): Expr[] {
  if (plan.order !== 'strict') return [];
  return [isOfRun(after.at(-1)!)];
}

/**
 * That nothing breaks a strict order between an attempt at a step and an event: if the first event that can take
 * the next step comes after a break, all others do too.
 */
function isOfRun(step: number): Expr {
  return compare('==', field(ATTEMPT, runName(step)), field(EVENT, runName(step)));
}

/** An attempt begins at any event; each of the others is taken at its first event from then on. */
function unorderedAttempts(plan: FunnelPlan): Attempts {
  const steps = plan.steps.length;
  const carried = {
    hasValues: valueKeys(plan).length > 0,
    hasBucket: plan.buckets !== null,
    held: allHeld(plan),
  };
  const starts = isSequenced(plan)
    ? placedRows(plan, null, carried)
    : select({
        distinct: true,
        select: fields(columnsOf(carried, plan)),
        from: from(
          unionAll(
            plan.steps.map(({ condition }) =>
              rowsWhere(plan, condition === null ? [] : [condition], carried),
            ),
          ),
        ),
      });
  let attempts = beginning(starts, steps, plan);
  for (const step of count(0, steps)) attempts = takeAnyTime(attempts, step, plan);
  return inTurn(attempts, plan);
}

/**
 * A step at its first event since the beginning that took no other: of steps that share all events each takes the next one,
 * of steps that share some events one takes another event than its first where that was taken.
 */
function takeAnyTime(attempts: Attempts, step: number, plan: FunnelPlan): Attempts {
  const began = plan.steps.length;
  const on = sameAs(step, plan);
  if (!isSequenced(plan)) {
    const isSince = compare('<=', field(ATTEMPT, timeName(began)), field(EVENT, AT));
    return takeStep(
      attempts,
      { step, on: [...on, isSince], where: [inWindow(field(EVENT, AT), plan)] },
      plan,
    );
  }
  const sameEvents = count(0, step).filter((other) => haveSameEvents(plan, other, step));
  const shared = count(0, step).filter((other) => canShare(plan, other, step) && !sameEvents.includes(other));
  const isTaken = (place: Expr): Expr =>
    or(...shared.map((other) => compare('==', place, field(ATTEMPT, placeName(other)))));
  const next = sameEvents.map((other) => call('coalesce', afterPlace(other), constant(NEVER)));
  let since: Expr = greatest([field(ATTEMPT, momentName(began)), ...next]);
  let found = attempts;
  const tries = shared.slice(0, MAX_TRIES).map((_, at) => `try_${at + 1}`);
  for (const name of tries) {
    const isSince = compare('<=', since, field(EVENT, PLACE));
    const query = select({
      select: [...columns(ATTEMPT, found.names), alias(field(EVENT, PLACE), name)],
      from: joined(found, 'ASOF LEFT JOIN', rowsAt(step, plan), [...on, isSince]),
    });
    found = { query, names: [...found.names, name] };
    const tried = field(ATTEMPT, name);
    const after = call('if', isTaken(tried), arithmetic('+', tried, constant(1)), tried);
    since = call('coalesce', after, constant(NEVER));
  }
  const isSince = compare('<=', since, field(EVENT, PLACE));
  const taken = takeStep(
    found,
    { step, on: [...on, isSince], where: [inWindow(field(EVENT, AT), plan)] },
    plan,
  );
  return { query: taken.query, names: taken.names.filter((name) => !tries.includes(name)) };
}

/** Steps that share some of their events: after so many events that took others, a step takes the next one. */
const MAX_TRIES = 3;

/** Whether two steps have the same condition. */
function haveSameEvents({ steps }: FunnelPlan, a: number, b: number): boolean {
  return isDeepStrictEqual(steps[a]!.condition, steps[b]!.condition);
}

/** The times of an attempt's steps from the first to the last, whichever steps they are. */
function inTurn({ query, names }: Attempts, { steps }: FunnelPlan): Attempts {
  const isOfStep = (name: string): boolean => /^(?:time|place|moment)_/.test(name);
  const kept = names.filter((name) => !isOfStep(name));
  const times = count(0, steps.length).map((step) =>
    call('coalesce', field(timeName(step)), constant(NEVER)),
  );
  const sorted = select({
    select: [
      ...fields(kept),
      alias(field(timeName(steps.length)), 'began'),
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

interface Taking {
  /** The step's place, from 0. */
  readonly step: number;
  /** How its rows belong to attempts, beside the actor; by the comparison of places or times the nearest row is taken. */
  readonly on: readonly Expr[];
  /** What must hold of the event that was found. */
  readonly where: readonly Expr[];
}

/** Adds to attempts when they took a step: NULL where no event was found, or not the way it must be. */
function takeStep(attempts: Attempts, { step, on, where }: Taking, plan: FunnelPlan): Attempts {
  const isTaken = and(isNotNull(field(EVENT, AT)), ...where);
  const taken = (name: string, as: string): Expr =>
    alias(call('if', isTaken, field(EVENT, name), constant(null)), as);
  const placed = isSequenced(plan)
    ? [
        [PLACE, placeName(step)],
        [MOMENT, momentName(step)],
        ...(hasRun(step, plan) ? [[runName(step), runName(step)]] : []),
      ]
    : [];
  const added = [[AT, timeName(step)], ...placed] as [string, string][];
  return {
    query: select({
      select: [...columns(ATTEMPT, attempts.names), ...added.map(([name, as]) => taken(name, as))],
      from: joined(attempts, 'ASOF LEFT JOIN', rowsAt(step, plan), on),
    }),
    names: [...attempts.names, ...added.map(([, as]) => as)],
  };
}

function hasRun(step: number, plan: FunnelPlan): boolean {
  return plan.order === 'strict' && step < plan.steps.length - 1;
}

/** Where attempts begin: rows of the first step, whose time and place are those of `step`. */
function beginning(rows: SelectQuery, step: number, plan: FunnelPlan): Attempts {
  const isUnordered = plan.order === 'unordered';
  const hasValues = isByValue(plan) || plan.attribution.kind === 'step';
  const kept = [
    ACTOR,
    ...(hasValues && (isByValue(plan) || isUnordered || attributedStep(plan) === 0) ? valueKeys(plan) : []),
    ...plan.held.map((_, at) => heldName(at)),
    ...(plan.buckets === null ? [] : [BUCKET]),
    ...(hasRun(step, plan) ? [runName(step)] : []),
  ];
  const placed = isSequenced(plan)
    ? [alias(field(PLACE), placeName(step)), alias(field(MOMENT), momentName(step))]
    : [];
  return {
    query: select({
      select: [...fields(kept), alias(field(AT), timeName(step)), ...placed],
      from: from(rows),
    }),
    names: [...kept, timeName(step), ...(isSequenced(plan) ? [placeName(step), momentName(step)] : [])],
  };
}

/** The step whose events say the value of the breakdown; null: none. */
function attributedStep({ attribution, breakdown }: FunnelPlan): number | null {
  return attribution.kind === 'step' && breakdown?.kind === 'values' ? attribution.step : null;
}

/**
 * An attempt for each value that a later step had for its actor, where the breakdown is attributed to that step: those who never
 * had an event of it make none.
 */
function ofAttributedValues(attempts: Attempts, plan: FunnelPlan): Attempts {
  const step = attributedStep(plan);
  if (step === null || step === 0) return attempts;
  const values = valueKeys(plan);
  const had = select({
    distinct: true,
    select: fields([ACTOR, ...values]),
    from: from(rowsAt(step, plan)),
  });
  return {
    query: select({
      select: [...columns(ATTEMPT, attempts.names), ...columns(EVENT, values)],
      from: joined(attempts, 'INNER JOIN', had, []),
    }),
    names: [...attempts.names, ...values],
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

/** Later than any event can be, in Unix microseconds, and more than all places. */
const NEVER = 4_000_000_000_000_000_000n;

/** Whether a moment lies in the window that began with the first step. */
function inWindow(moment: Expr, { window, order, steps }: FunnelPlan): Expr {
  const began = timeName(order === 'unordered' ? steps.length : 0);
  return compare('<=', arithmetic('-', moment, field(ATTEMPT, began)), constant(window));
}

/** The last of some steps that was taken. */
export function lastTime(steps: readonly number[], of?: string): Expr {
  const times = steps
    .toReversed()
    .map((step) => (of === undefined ? field(timeName(step)) : field(of, timeName(step))));
  return times.length === 1 ? times[0]! : call('coalesce', ...times);
}

/** What the event of a step has in common with its attempt. */
function sameAs(step: number, plan: FunnelPlan): Expr[] {
  const isOfValue = isByValue(plan) || (plan.order !== 'unordered' && attributedStep(plan) === step);
  const names = [...(isOfValue ? valueKeys(plan) : []), ...plan.steps[step]!.held.map(heldName)];
  return names.map((name) => compare('==', field(ATTEMPT, name), field(EVENT, name)));
}

function allHeld({ held }: FunnelPlan): number[] {
  return held.map((_, at) => at);
}

/** What rows of a step carry. */
function carriedAt(step: number, plan: FunnelPlan): StepColumns {
  const isFirst = step === 0 && plan.order !== 'unordered';
  return {
    hasValues: isByValue(plan) || attributedStep(plan) === step,
    hasBucket: isFirst && plan.buckets !== null,
    held: isFirst ? allHeld(plan) : plan.steps[step]!.held,
  };
}

/** Rows of a step. */
function rowsAt(step: number, plan: FunnelPlan): SelectQuery {
  const carried = carriedAt(step, plan);
  return isSequenced(plan) ? placedRows(plan, step, carried) : stepRows(plan, step, carried);
}

function columnsOf({ hasValues, hasBucket, held = [] }: StepColumns, plan: FunnelPlan): string[] {
  return [
    ACTOR,
    AT,
    ...held.map(heldName),
    ...(hasValues === true ? namesOf(dimensionsOf(plan), valueName) : []),
    ...(hasBucket === true && plan.buckets !== null ? [BUCKET] : []),
  ];
}

/** The events of a step, one row each. */
function stepRows(plan: FunnelPlan, step: number, carried: StepColumns): SelectQuery {
  return rowsWhere(plan, stepConditions(plan, step), carried);
}

function rowsWhere(plan: FunnelPlan, conditions: readonly Expr[], carried: StepColumns): SelectQuery {
  return select({
    select: [alias(plan.actor.id, ACTOR), alias(micros(), AT), ...carriedColumns(plan, carried)],
    ...eventsWhere(plan, conditions),
  });
}

/**
 * Attempts with how far those come that an exclusion voids: by an excluded event after the one step and before the other, or,
 * where the other was never taken, before the window ends.
 */
function withVoid(attempts: Attempts, plan: FunnelPlan): Attempts {
  const { exclusions, order, steps } = plan;
  if (exclusions.length === 0) return attempts;
  // In strict order an exclusion is between a step and the very next event.
  const spans =
    order === 'strict'
      ? exclusions.flatMap((one) =>
          count(one.from, one.to).map((step) => ({ ...one, from: step, to: step + 1 })),
        )
      : exclusions;
  const marks = plan.buckets === null ? [VOID] : [VOID, VOID_PASSED];
  const clean = {
    query: select({
      select: [...fields(attempts.names), ...marks.map((name) => alias(constant(null), name))],
      from: from(attempts.query),
    }),
    names: [...attempts.names, ...marks],
  };
  const found = spans.reduce<Attempts>((left, span) => voidedBy(left, span, plan), clean);
  const times = steps.map((_, at) => timeName(at));
  const kept = found.names.filter((name) => times.includes(name) || !/^(?:time|moment|run)_/.test(name));
  // Without an order nothing of an attempt counts that an exclusion voids.
  const where = order === 'unordered' ? isNull(field(VOID)) : undefined;
  return {
    query: select({ select: fields(kept), from: from(found.query), ...(where && { where }) }),
    names: kept,
  };
}

function voidedBy(attempts: Attempts, { condition, from: step, to }: Exclusion, plan: FunnelPlan): Attempts {
  const excluded = field(EVENT, AT);
  const since = call('coalesce', field(ATTEMPT, timeName(step)), constant(NEVER));
  const end = nextTime(to, plan.steps.length);
  const isStrict = plan.order === 'strict';
  const began = arithmetic('-', excluded, field(ATTEMPT, timeName(0)));
  const isBefore = call(
    'if',
    isNull(end),
    compare('<=', began, constant(plan.window)),
    compare('<', excluded, end),
  );
  const isVoid = and(isNotNull(excluded), isBefore, ...(isStrict ? [isOfRun(step)] : []));
  // The step before which it is excluded still counts: what comes after it does not.
  const passed = plan.steps.map((_, at) =>
    call(
      'if',
      and(isNotNull(field(ATTEMPT, timeName(at))), compare('<', field(ATTEMPT, timeName(at)), excluded)),
      constant(1),
      constant(0),
    ),
  );
  const taken = plan.steps.map((_, at) =>
    call('if', isNotNull(field(ATTEMPT, timeName(at))), constant(1), constant(0)),
  );
  const level = call('least', sumOf(taken), arithmetic('+', sumOf(passed), constant(1)));
  const before = field(ATTEMPT, VOID);
  const voidAt = call('if', isVoid, call('least', level, call('coalesce', before, level)), before);
  const hasPassed = attempts.names.includes(VOID_PASSED);
  const isEarliest = and(isVoid, compare('<=', level, call('coalesce', before, level)));
  const passedBy = call('if', compare('>', level, sumOf(passed)), constant(1), constant(0));
  const voidPassed = call('if', isEarliest, passedBy, field(ATTEMPT, VOID_PASSED));
  const own = attempts.names.filter((name) => name !== VOID && name !== VOID_PASSED);
  const on = [
    ...valueKeysOf(plan).map((name) => compare('==', field(ATTEMPT, name), field(EVENT, name))),
    compare('<', since, excluded),
  ];
  const query = select({
    select: [
      ...columns(ATTEMPT, own),
      alias(voidAt, VOID),
      ...(hasPassed ? [alias(voidPassed, VOID_PASSED)] : []),
    ],
    from: joined(attempts, 'ASOF LEFT JOIN', excludedRows(plan, condition, step), on),
  });
  return { query, names: [...own, VOID, ...(hasPassed ? [VOID_PASSED] : [])] };
}

/** Of attempts whose events all have one value, the excluded ones have it too. */
function valueKeysOf(plan: FunnelPlan): string[] {
  return isByValue(plan) ? valueKeys(plan) : [];
}

/** When a step was taken, or the first after it that was. */
function nextTime(step: number, steps: number): Expr {
  const times = Array.from({ length: steps - step }, (_, at) => field(ATTEMPT, timeName(step + at)));
  return times.length === 1 ? times[0]! : call('coalesce', ...times);
}

/**
 * Excluded events: not those that happen at the same moment as other events of the funnel, where steps convert in their
 * order whatever else happens.
 */
function excludedRows(plan: FunnelPlan, condition: Expr | null, step: number): SelectQuery {
  const values = valueKeysOf(plan);
  if (plan.order === 'strict') {
    const at = plan.exclusions.findIndex((one) => one.condition === condition);
    return select({
      select: fields([ACTOR, AT, ...values, runName(step)]),
      from: from(SEQUENCE),
      where: and(compare('==', field(excludedName(at)), constant(true)), not(field('is_mixed'))),
    });
  }
  const fits = plan.steps.map((one) => one.condition ?? constant(true));
  const excluded = plan.exclusions.map((one) => one.condition ?? constant(true));
  const events = select({
    select: [
      alias(plan.actor.id, ACTOR),
      alias(micros(), AT),
      ...carriedColumns(plan, { hasValues: values.length > 0 }),
      alias(condition ?? constant(true), EXCLUDED),
      alias(tuple(...fits, ...excluded), 'fits'),
    ],
    ...eventsWhere(plan, [or(...fits, ...excluded)]),
  });
  const keys = fields([ACTOR, AT, ...values]);
  return select({
    select: keys,
    from: from(events),
    groupBy: keys,
    having: and(
      compare('>', call('countIf', field(EXCLUDED)), constant(0)),
      compare('==', call('uniq', field('fits')), constant(1)),
    ),
  });
}
