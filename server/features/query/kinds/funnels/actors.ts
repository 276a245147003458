import { fail, type ApiError } from '../../../../errors.ts';
import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  field,
  from,
  isNotNull,
  isNull,
  not,
  or,
  select,
} from '../../../../hogql/build.ts';
import { BASELINE_VALUE } from '../../breakdown.ts';
import { readDateWord } from '../../dates.ts';
import type { ActorsSelect, KindContext } from '../../query-kind.ts';
import { between, eventsFrom } from '../../series.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import { attemptsOf } from './attempts.ts';
import { groupOfCohort, valuesOfGroup } from './shape.ts';
import {
  bestAttempts,
  attributed,
  withShownValues,
  pickedSteps,
  intervalRows,
  upToPicked,
} from './to-hogql.ts';
import {
  groupsOf,
  ofAnyGroup,
  type FunnelPlan,
  ACTOR,
  BUCKET,
  dimensionsOf,
  namesOf,
  timeName,
  valueName,
} from './plan.ts';
import type { funnelsPoint } from './schema.ts';

type FunnelPoint = ActorsPoint<typeof funnelsPoint>;

/**
 * Selects the actors behind a point of a funnel: those who took a step or, for a negative step, took the previous
 * step and not this one; over time, those who started in an interval and converted or did not. Throws invalid_input
 * for a point that does not exist.
 */
export async function funnelsActors(
  all: FunnelPlan,
  point: FunnelPoint,
  context: KindContext,
): Promise<ActorsSelect> {
  checkListed(all);
  const period = point.compare === 'previous' ? (all.previous ?? all) : all;
  const selected = breakdownValues(point);
  const plan = ofCohort(period, selected);
  const rows = plan.buckets === null ? stepActors(plan, point) : intervalActors(plan, point, context);
  const values = selected === null ? null : valuesOfGroup(selected);
  return listed(withValues(rows, values, plan), plan);
}

/** Throws invalid_input unless those who go through a funnel can be listed. */
export function checkListed({ actor }: FunnelPlan): void {
  if (!actor.isExpression || actor.isSession) return;
  throw refuse('Persons are not available for a funnel aggregated by an expression.');
}

/** Those whom a query finds, by `actor_id`: sessions with the person of their first event. */
export function listed(found: SelectQuery, plan: FunnelPlan): ActorsSelect {
  const { actor, query, span } = plan;
  if (!actor.isSession) return { select: found, groupTypeIndex: actor.groupTypeIndex };
  const sessions = select({
    select: [
      alias(actor.id, 'actor_id'),
      alias(call('argMin', field('person_id'), field('timestamp')), 'person_id'),
    ],
    from: eventsFrom(query),
    where: and(between(field('timestamp'), span), compare('in', actor.id, found)),
    groupBy: [field('actor_id')],
  });
  return { select: sessions, groupTypeIndex: null, isOfSessions: true };
}

function breakdownValues({ funnelStepBreakdown, breakdown }: FunnelPoint): readonly string[] | null {
  const value = funnelStepBreakdown ?? breakdown ?? null;
  if (value === null) return null;
  const values = (Array.isArray(value) ? value : [value]).map(String);
  return values[0] === BASELINE_VALUE ? null : values;
}

/** The funnel of one of the groups of a breakdown by cohorts, by its ID or else its name, or of all of them. */
function ofCohort(plan: FunnelPlan, selected: readonly string[] | null): FunnelPlan {
  if (plan.breakdown?.kind !== 'cohorts') return plan;
  if (selected === null) return ofAnyGroup(plan);
  const [id = ''] = selected;
  const groups = groupsOf(plan).map((group) => ({ group, shown: groupOfCohort(group) }));
  const isId = ({ group, shown }: (typeof groups)[number]): boolean =>
    String(shown.breakdown_value) === id || (group.cohort === null && id === 'all');
  const found = groups.find(isId) ?? groups.find(({ shown }) => shown.breakdown === id);
  if (found === undefined) throw refuse('The funnel does not have a breakdown by this cohort.');
  return found.group.plan;
}

interface FoundRows {
  readonly rows: SelectQuery;
  readonly names: readonly string[];
  readonly where: Expr;
  /** It holds of one of an actor's rows at least, or of none. */
  readonly isNone?: true;
  readonly within: Expr;
}

/** Whether an attempt took a step, counted from 1; a negative step: took the one before that must be taken, and not this one. */
function stepReached(plan: FunnelPlan, step: number): Expr {
  const at = Math.abs(step) - 1;
  if (!Number.isInteger(step) || step === 0 || step === -1 || at >= plan.steps.length) {
    throw refuse(`funnelStep must be 1 to ${plan.steps.length}, or -2 to -${plan.steps.length}.`);
  }
  const taken = isNotNull(field(timeName(at)));
  const before = plan.steps.findLastIndex(({ isOptional }, place) => place < at && !isOptional);
  return step > 0 ? taken : and(isNotNull(field(timeName(before))), not(taken));
}

/** Whether an attempt took a step, or ended at one of several. */
export function stepsReached(
  plan: FunnelPlan,
  { funnelStep, funnelCustomSteps: last }: Pick<FunnelPoint, 'funnelStep' | 'funnelCustomSteps'>,
): Expr {
  if (last === null || last === undefined || last.length === 0) return stepReached(plan, funnelStep ?? 1);
  return or(...last.map((step) => endedAt(plan, step)));
}

function endedAt(plan: FunnelPlan, step: number): Expr {
  if (step < 1 || step > plan.steps.length) {
    throw refuse(`funnelCustomSteps must be steps from 1 to ${plan.steps.length}.`);
  }
  const later = plan.steps.flatMap((_, at) => (at < step ? [] : [isNull(field(timeName(at)))]));
  return and(isNotNull(field(timeName(step - 1))), ...later);
}

function stepActors(plan: FunnelPlan, point: FunnelPoint): FoundRows {
  const where = stepsReached(plan, point);
  const times = plan.steps.map((_, place) => timeName(place));
  return {
    rows: attributed(bestAttempts(attemptsOf(plan), plan), plan),
    names: [ACTOR, ...times],
    where,
    within: constant(true),
  };
}

function intervalActors(whole: FunnelPlan, point: FunnelPoint, context: KindContext): FoundRows {
  const { from: first, to } = pickedSteps(whole);
  const plan = upToPicked(whole);
  const [began, ended] = [isNotNull(field(timeName(first))), isNotNull(field(timeName(to)))];
  const place = placeOf(plan, point, context);
  // Intervals that are left out come last.
  const isShown = compare('<', field(BUCKET), constant(plan.buckets!.starts.length));
  const within = and(began, place === null ? isShown : compare('==', field(BUCKET), constant(place)));
  return {
    rows: attributed(intervalRows(plan), plan),
    names: [ACTOR, BUCKET, timeName(first), timeName(to)],
    where: ended,
    within,
    ...(point.funnelTrendsDropOff === true && { isNone: true as const }),
  };
}

/** The interval in which the moment of the point lies; null: it names none. */
function placeOf(
  { buckets, zone }: FunnelPlan,
  { funnelTrendsEntrancePeriodStart: text, day }: FunnelPoint,
  context: KindContext,
): number | null {
  const selected = text ?? day ?? null;
  if (selected === null || buckets === null) return null;
  const named = buckets.days.indexOf(String(selected));
  if (named >= 0) return named;
  const moment = readDateWord(String(selected), {
    zone,
    weekStart: context.weekStartDay,
    now: context.now,
  })?.exact;
  const at =
    moment === undefined || moment >= buckets.end
      ? -1
      : buckets.starts.findLastIndex((start) => start <= moment);
  if (at < 0) throw refuse(`The funnel does not have the interval ${String(selected).slice(0, 40)}.`);
  return at;
}

function withValues(
  { rows, names, where, within, isNone }: FoundRows,
  selected: readonly string[] | null,
  plan: FunnelPlan,
): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName).slice(0, selected?.length ?? 0);
  const shown = selected === null ? rows : withShownValues(rows, names, plan);
  const same = values.map((name, at) => compare('==', field(name), constant(selected![at]!)));
  const found = call('countIf', where);
  return select({
    select: [alias(field(ACTOR), 'actor_id')],
    from: from(shown),
    where: and(within, ...same),
    groupBy: [field(ACTOR)],
    having: compare(isNone === true ? '==' : '>', found, constant(0)),
  });
}

function refuse(detail: string): ApiError {
  return fail('invalid_input', { detail });
}
