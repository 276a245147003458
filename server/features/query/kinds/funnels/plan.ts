import { isDeepStrictEqual } from 'node:util';
import { fail, type ApiError } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  call,
  compare,
  constant,
  dateTime,
  field,
  from,
  or,
  select,
  tuple,
  tupleAccess,
} from '../../../../hogql/build.ts';
import { timeZone, type TimeZone } from '../../../../lib/time-zone.ts';
import { readBreakdown, type Breakdown } from '../../breakdown.ts';
import { bucketsOf, type Buckets } from '../../buckets.ts';
import { previousSpan, resolveDates, type DateSpan, firstEventOf } from '../../dates.ts';
import { filterContext, filterExpr, type FilterContext, propertyOperand } from '../../filters.ts';
import type { KindContext, NamedCohort } from '../../query-kind.ts';
import {
  entityCondition,
  eventsFrom,
  seriesCondition,
  seriesName,
  scopeConditions,
  actorOf,
  type Actor,
} from '../../series.ts';
import { FIRST_TIMES, type FunnelsQuery } from './schema.ts';
import type { PropertyLeafNode } from '../../node-schema.ts';

/** A step: an event, an action, or one of several of them. */
type StepNode = FunnelsQuery['series'][number];

/** Which of a person's events says the value that a funnel is broken down by. */
type Attribution =
  | { readonly kind: 'first_touch' | 'last_touch' | 'all_events' }
  /** The event that takes this step, counted from 0, in the attempt that counts. */
  | { readonly kind: 'step'; readonly step: number };

interface AttributionFields {
  readonly breakdownAttributionType?: 'first_touch' | 'last_touch' | 'all_events' | 'step' | null | undefined;
  readonly breakdownAttributionValue?: number | null | undefined;
}

/** Reads it of `funnelsFilter`; the first touch unless it says otherwise. Throws invalid_input. */
function readAttribution(
  filter: AttributionFields | null | undefined,
  steps: number,
  order: FunnelOrder,
): Attribution {
  const kind = filter?.breakdownAttributionType ?? 'first_touch';
  if (kind !== 'step') return { kind };
  const step = filter?.breakdownAttributionValue ?? 0;
  if (order === 'unordered' && step !== 0) {
    throw refusal('Without an order a breakdown can be attributed to the first step only.');
  }
  if (step >= 0 && step < steps) return { kind, step };
  throw fail('invalid_input', { detail: `breakdownAttributionValue must be a step from 0 to ${steps - 1}.` });
}
type FunnelOrder = 'ordered' | 'strict' | 'unordered';

/** The empty result of a step. */
interface FunnelStep {
  readonly node: StepNode;
  readonly name: string;
  /** Null: any event. */
  readonly condition: Expr | null;
  /** It may be left out. */
  readonly isOptional: boolean;
  /** Places, in `FunnelPlan.held`, of the properties that keep the value they had at the first step. */
  readonly held: readonly number[];
  /** What one event must have to take it; steps that differ in it never share an event. */
  readonly demands: Demands;
}

/** The names of a step's events, and the values that its filters allow; null: any. */
interface Demands {
  /** The names that are named at all, even where other steps of an action name none. */
  readonly named: ReadonlySet<string>;
  readonly events: ReadonlySet<string> | null;
  /** By the name of an event property. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Events that void an attempt when they come after one step and before another, both counted from 0. */
export interface Exclusion {
  readonly condition: Expr | null;
  readonly from: number;
  readonly to: number;
}

export interface FunnelActor extends Actor {
  readonly isExpression: boolean;
  /** The expression is the id of a session. */
  readonly isSession: boolean;
}

/** A FunnelsQuery, read. */
export interface FunnelPlan {
  readonly query: FunnelsQuery;
  readonly order: FunnelOrder;
  readonly steps: readonly FunnelStep[];
  readonly exclusions: readonly Exclusion[];
  /** Texts of properties that steps hold constant. */
  readonly held: readonly Expr[];
  /** Microseconds from the first step to the last at most. */
  readonly window: number;
  /** Who goes through the funnel: persons, groups, or what an expression says. */
  readonly actor: FunnelActor;
  /** All numbers of persons are below it; null where that is not known. */
  readonly personLimit: number | null;
  /** Conditions of the whole query, without time. */
  readonly scope: readonly Expr[];
  readonly span: DateSpan;
  /** The intervals in which attempts begin; null unless the funnel is shown over time. */
  readonly buckets: Buckets | null;
  /** The same funnel over the span that it is compared to; null: it is compared to none. */
  readonly previous: FunnelPlan | null;
  readonly zone: TimeZone;
  readonly breakdown: Breakdown | null;
  readonly attribution: Attribution;
  readonly filters: FilterContext;
}

/** As in PostHog; over time it has no limit, and a statement of DuckDB has one. */
const MAX_STEPS = 32;
const MAX_STEPS_OVER_TIME = 64;
const SECONDS = {
  second: 1,
  minute: 60,
  hour: 3_600,
  day: 86_400,
  week: 604_800,
  month: 31 * 86_400,
} as const;
const MAX_SECONDS = 100 * 366 * 86_400;

/** Reads a query: its dates, steps, exclusions and breakdown. Throws invalid_input, HogqlError. */
export async function planFunnel(query: FunnelsQuery, context: KindContext): Promise<FunnelPlan> {
  checkSteps(query);
  const periods = await readPeriods(query, context);
  const [current, previous = null] = await Promise.all(
    periods.map((period) => planPeriod(query, period, context)),
  );
  return { ...current!, previous };
}

/** A span of time, with its intervals. */
type Period = Pick<FunnelPlan, 'span' | 'buckets'>;

async function planPeriod(query: FunnelsQuery, period: Period, context: KindContext): Promise<FunnelPlan> {
  const filters = filterContext(context);
  const order = query.funnelsFilter?.funnelOrderType ?? 'ordered';
  const heldNames = heldNamesOf(query);
  const place = { query, heldNames, span: period.span };
  const [scope, breakdown, steps, exclusions, actor] = await Promise.all([
    scopeConditions(query, context, filters),
    readBreakdown(query.breakdownFilter, filters),
    Promise.all(query.series.map((_, at) => readStep({ ...place, at }, context, filters))),
    Promise.all(
      (query.funnelsFilter?.exclusions ?? []).map((one) => readExclusion(one, query, order, filters)),
    ),
    readActor(query, filters),
  ]);
  return {
    query,
    order,
    steps,
    exclusions,
    held: heldNames.map((name) => propertyOperand('event', ['properties', name], filters).text),
    window: windowOf(query),
    actor,
    personLimit: context.personLimit,
    scope: [...scope, ...actor.isKnown, ...onDays(query)],
    ...period,
    previous: null,
    zone: timeZone(context.timezone),
    breakdown,
    attribution: readAttribution(query.funnelsFilter, query.series.length, order),
    filters,
  };
}

/** Throws invalid_input for steps that no funnel can have. */
function checkSteps({ series, funnelsFilter }: FunnelsQuery): void {
  const isOverTime = funnelsFilter?.funnelVizType === 'trends';
  const most = isOverTime ? MAX_STEPS_OVER_TIME : MAX_STEPS;
  if (series.length > most) throw refusal(`A funnel can have up to ${most} steps.`);
  const [from, to] = [funnelsFilter?.funnelFromStep ?? 0, funnelsFilter?.funnelToStep ?? series.length - 1];
  if (!(from >= 0 && from < to && to < series.length)) {
    throw refusal(
      `funnelFromStep must be before funnelToStep; both must be steps from 0 to ${series.length - 1}.`,
    );
  }
  const isOptional = ({ optionalInFunnel }: StepNode): boolean => optionalInFunnel === true;
  if (!series.some(isOptional)) return;
  if (isOptional(series[0]!)) throw refusal('The first step of a funnel cannot be optional.');
  if (funnelsFilter?.funnelOrderType === 'unordered') {
    throw refusal('Optional steps require the step order "ordered" or "strict".');
  }
  if ((funnelsFilter?.funnelVizType ?? 'steps') !== 'steps') {
    throw refusal('Optional steps require the visualization "steps".');
  }
  series.slice(1).forEach((step, at) => {
    if (isOptional(series[at]!) && !isOptional(step) && includes(step, series[at]!)) {
      throw refusal('An optional step cannot be the same as the required step after it.');
    }
  });
}

/** The span of a query with its intervals, then the one that it is compared to. */
async function readPeriods(query: FunnelsQuery, context: KindContext): Promise<Period[]> {
  const { now, weekStartDay: weekStart } = context;
  const zone = timeZone(context.timezone);
  const interval = query.interval ?? 'day';
  const firstEvent = await firstEventOf(query.dateRange, context);
  const dates = { zone, weekStart, now, interval, firstEvent };
  const span = resolveDates(query.dateRange, dates);
  const isOverTime = query.funnelsFilter?.funnelVizType === 'trends';
  const hidesOpen = query.funnelsFilter?.hideIncompleteConversionWindowPeriods === true;
  const elapsed = now - windowOf(query) / 1_000;
  const period = (of: DateSpan): Period => {
    if (!isOverTime) return { span: of, buckets: null };
    const buckets = bucketsOf(of, interval, zone, weekStart);
    return { span: of, buckets: hidesOpen ? endedBy(elapsed, buckets) : buckets };
  };
  const { compare: isCompared, compare_to: compareTo } = query.compareFilter ?? {};
  if (isCompared !== true) return [period(span)];
  return [period(span), period(previousSpan(query.dateRange, span, compareTo, dates))];
}

/** The condition of the days of the week that are looked at. */
function onDays({ dateRange }: FunnelsQuery): Expr[] {
  const days = dateRange?.daysOfWeek ?? [];
  if (days.length === 0) return [];
  return [compare('in', call('toDayOfWeek', field('timestamp')), tuple(...days.map((day) => constant(day))))];
}

/** The intervals that had ended by a moment. */
function endedBy(moment: number, buckets: Buckets): Buckets {
  const length = buckets.starts.filter((_, at) => (buckets.starts[at + 1] ?? buckets.end) <= moment).length;
  return {
    ...buckets,
    starts: buckets.starts.slice(0, length),
    days: buckets.days.slice(0, length),
    labels: buckets.labels.slice(0, length),
    end: buckets.starts[length] ?? buckets.end,
  };
}

interface StepPlace {
  readonly query: FunnelsQuery;
  readonly at: number;
  readonly heldNames: readonly string[];
  readonly span: DateSpan;
}

async function readStep(
  { query, at, heldNames, span }: StepPlace,
  context: KindContext,
  filters: FilterContext,
): Promise<FunnelStep> {
  const node = query.series[at]!;
  const isOptional = node.optionalInFunnel === true;
  const [name, condition, demands] = await Promise.all([
    seriesName(node, context),
    stepCondition(node, query, span, filters),
    demandsOf(node, context),
  ]);
  const names = new Set([...(query.funnelsFilter?.holdConstant ?? []), ...(node.holdConstant ?? [])]);
  const held = heldNames.flatMap((one, place) => (names.has(one) ? [place] : []));
  return { node, name, condition, isOptional, held, demands };
}

/** The condition of a step's events; null: any event. */
async function stepCondition(
  node: StepNode,
  query: FunnelsQuery,
  span: DateSpan,
  filters: FilterContext,
): Promise<Expr | null> {
  const condition = await seriesCondition(node, filters);
  if (!(FIRST_TIMES as readonly unknown[]).includes(node.math)) return condition;
  const [entity, own, fixed] = await Promise.all([
    entityCondition(node, filters),
    filterExpr(node.properties, filters),
    filterExpr(node.fixedProperties, filters),
  ]);
  const demands = [own, fixed].filter((one) => one !== null);
  const ofFitting = node.math === 'first_time_for_user_with_filters';
  const where = [...(entity === null ? [] : [entity]), ...(ofFitting ? demands : [])];
  const first = firstEvents({ where, demands: ofFitting ? [] : demands, query, span }, filters);
  return and(
    ...(condition === null ? [] : [condition]),
    compare('in', field(...filters.path('uuid')), first),
  );
}

interface FirstEvents {
  /** Which events are looked at, from all time. */
  readonly where: readonly Expr[];
  /** What the first of them must be like. */
  readonly demands: readonly Expr[];
  readonly query: FunnelsQuery;
  readonly span: DateSpan;
}

/**
 * Each person's first event of all time, by its UUID, where it lies in the span and fits: of several events at that moment one
 * that fits.
 */
function firstEvents({ where, demands, query, span }: FirstEvents, { path }: FilterContext) {
  const [timestamp, uuid] = [field(...path('timestamp')), field(...path('uuid'))];
  const unfit = call('if', and(...demands), constant(0), constant(1));
  const first = call('argMin', tuple(uuid, timestamp, unfit), tuple(timestamp, unfit, uuid));
  const firsts = select({
    select: [alias(field(...path('person_id')), 'person'), alias(first, 'first')],
    from: eventsFrom(query),
    where: and(compare('<', timestamp, dateTime(span.to)), ...where),
    groupBy: [field('person')],
  });
  return select({
    select: [tupleAccess(field('first'), 1)],
    from: from(firsts),
    where: and(
      compare('>=', tupleAccess(field('first'), 2), dateTime(span.from)),
      compare('==', tupleAccess(field('first'), 3), constant(0)),
    ),
  });
}

async function demandsOf(node: StepNode, context: KindContext): Promise<Demands> {
  const values = new Map<string, ReadonlySet<string>>();
  for (const leaf of [...(node.properties ?? []), ...(node.fixedProperties ?? [])]) {
    const allowed = allowedValues(leaf);
    if (allowed !== null) values.set(String(leaf.key), allowed);
  }
  const entities = node.kind === 'GroupNode' ? node.nodes : [node];
  const names = (await Promise.all(entities.map((one) => eventsOfEntity(one, context)))).flat();
  const named = new Set(names.flatMap((name) => name || []));
  const isNamed = names.every((name) => name !== null && name !== '');
  return { named, events: isNamed ? named : null, values };
}

type Entity = Extract<StepNode, { kind: 'GroupNode' }>['nodes'][number];

/** The names of the events of an event or action; null: any. */
async function eventsOfEntity(
  node: { kind: 'EventsNode'; event?: string | null | undefined } | { kind: 'ActionsNode'; id: number },
  context: Pick<KindContext, 'action'>,
): Promise<(string | null)[]> {
  if (node.kind === 'EventsNode') return [node.event ?? null];
  return (await context.action(node.id))?.steps.map(({ event }) => event ?? null) ?? [];
}

/** The values that an exact filter of an event property allows; null for any other filter. */
function allowedValues({ type, operator, value }: PropertyLeafNode): ReadonlySet<string> | null {
  const isExact = (type ?? 'event') === 'event' && (operator ?? 'exact') === 'exact';
  const list = Array.isArray(value) ? value : [value];
  const isText = list.length > 0 && list.every((one) => typeof one === 'string');
  return isExact && isText ? new Set(list as string[]) : null;
}

/** Whether one event may take either of two steps. */
export function canShare(plan: Pick<FunnelPlan, 'steps'>, a: number, b: number): boolean {
  const [one, other] = [plan.steps[a]!.demands, plan.steps[b]!.demands];
  if (one.events !== null && other.events !== null && !haveCommon(one.events, other.events)) return false;
  return [...one.values].every(([name, allowed]) => {
    const others = other.values.get(name);
    return others === undefined || haveCommon(allowed, others);
  });
}

function haveCommon(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((one) => others.has(one));
}

/** The names of the events that steps name. */
export function eventNamesOf({ steps }: Pick<FunnelPlan, 'steps'>): string[] {
  return [...new Set(steps.flatMap(({ demands }) => [...demands.named]))].toSorted();
}

/** Whether any two steps may share an event. */
export function hasSharedSteps(plan: Pick<FunnelPlan, 'steps'>): boolean {
  return plan.steps.some((_, a) => plan.steps.some((__, b) => a < b && canShare(plan, a, b)));
}

type ExclusionNode = NonNullable<NonNullable<FunnelsQuery['funnelsFilter']>['exclusions']>[number];

async function readExclusion(
  node: ExclusionNode,
  { series }: FunnelsQuery,
  order: FunnelOrder,
  filters: FilterContext,
): Promise<Exclusion> {
  const { funnelFromStep: first, funnelToStep: to } = node;
  if (!(first < to && to < series.length)) {
    throw refusal(`An exclusion must be between two steps from 0 to ${series.length - 1}, in order.`);
  }
  if (order === 'unordered' && (first !== 0 || to !== series.length - 1)) {
    throw refusal('Without an order an exclusion must be between the first step and the last.');
  }
  if (series.slice(first, to + 1).some((step) => includes(step, node))) {
    throw refusal('An excluded event must not be an event of the steps between which it is excluded.');
  }
  return { condition: await seriesCondition(node, filters), from: first, to };
}

/**
 * Whether each event of the other is one of the step: of the same name or action, with no filter that the other lacks. Of
 * several events or actions one suffices.
 */
function includes(step: StepNode, other: StepNode | ExclusionNode): boolean {
  if (other.kind === 'GroupNode') return isDeepStrictEqual(entityOf(step), entityOf(other));
  const parts: readonly (Entity | StepNode)[] = step.kind === 'GroupNode' ? step.nodes : [step];
  const own = step.kind === 'GroupNode' ? textsOf(step) : [];
  const has = new Set(textsOf(other));
  return parts.some(
    (part) =>
      isDeepStrictEqual(entityOf(part), entityOf(other)) &&
      [...own, ...textsOf(part)].every((text) => has.has(text)),
  );
}

/** Which event or action it is, without its own filters. */
function entityOf(node: Entity | StepNode | ExclusionNode): unknown {
  if (node.kind === 'GroupNode') return node.nodes.map((one) => [entityOf(one), textsOf(one)]);
  return node.kind === 'ActionsNode' ? [node.kind, node.id] : [node.kind, node.event ?? null];
}

function textsOf({
  properties,
  fixedProperties,
}: Pick<StepNode, 'properties' | 'fixedProperties'>): string[] {
  return [...(properties ?? []), ...(fixedProperties ?? [])].map(({ type, key, operator, value }) =>
    JSON.stringify([type ?? 'event', key, operator ?? 'exact', value]),
  );
}

/** How queries say that sessions go through a funnel. */
const SESSION_IDS: ReadonlySet<string> = new Set(['properties.$session_id', '$session_id']);

/** Who goes through a funnel: groups of a type, what an expression says, or persons. */
async function readActor(query: FunnelsQuery, filters: FilterContext): Promise<FunnelActor> {
  const text = query.funnelsFilter?.funnelAggregateByHogQL?.trim() ?? '';
  const groupTypeIndex = query.aggregation_group_type_index ?? null;
  if (groupTypeIndex !== null || text === '' || text === 'person_id') {
    return { ...actorOf(groupTypeIndex, filters), isExpression: false, isSession: false };
  }
  const id = call('coalesce', call('toString', await filters.parse.expression(text)), constant(''));
  const isSession = SESSION_IDS.has(text);
  return {
    id,
    isKnown: [compare('!=', id, constant(''))],
    groupTypeIndex: null,
    isExpression: true,
    isSession,
  };
}

function heldNamesOf({ funnelsFilter, series }: FunnelsQuery): string[] {
  const lists = [funnelsFilter?.holdConstant, ...series.map((node) => node.holdConstant)];
  return [...new Set(lists.flatMap((list) => list ?? []))];
}

/** A month of a window has 31 days. */
function windowOf({ funnelsFilter }: FunnelsQuery): number {
  const { funnelWindowInterval: count, funnelWindowIntervalUnit: unit } = funnelsFilter ?? {};
  const seconds = (count ?? 14) * SECONDS[unit ?? 'day'];
  if (seconds > MAX_SECONDS) throw refusal('The conversion window of a funnel can be up to 100 years.');
  return seconds * 1_000_000;
}

/** A group of a breakdown by cohorts: the members of one, or all users (null), or who is not in the only one. */
export interface CohortGroup {
  readonly cohort: NamedCohort | null;
  readonly isOutside: boolean;
}

/** The funnel of each group of a breakdown by cohorts. */
export function groupsOf(plan: FunnelPlan): (CohortGroup & { plan: FunnelPlan })[] {
  return cohortGroups(plan).map((group) => ({ ...group, plan: within(plan, ...memberOf(group)) }));
}

function cohortGroups({ breakdown }: FunnelPlan): CohortGroup[] {
  if (breakdown?.kind !== 'cohorts') return [];
  const groups = breakdown.cohorts.map((cohort) => ({ cohort, isOutside: false }));
  const [only] = breakdown.cohorts;
  const hasRest = breakdown.cohorts.length === 1 && only !== null && only !== undefined;
  return hasRest ? [...groups, { cohort: only, isOutside: true }] : groups;
}

/** The funnel of those who are in any group of a breakdown by cohorts. */
export function ofAnyGroup(plan: FunnelPlan): FunnelPlan {
  const groups = cohortGroups(plan);
  const isEveryone = groups.some(({ cohort, isOutside }) => cohort === null || isOutside);
  return isEveryone ? within(plan) : within(plan, or(...groups.flatMap(memberOf)));
}

function memberOf({ cohort, isOutside }: CohortGroup): Expr[] {
  if (cohort === null) return [];
  return [compare(isOutside ? 'not in cohort' : 'in cohort', field('person_id'), constant(cohort.id))];
}

function within(plan: FunnelPlan, ...conditions: readonly Expr[]): FunnelPlan {
  return { ...plan, breakdown: null, scope: [...plan.scope, ...conditions] };
}

function refusal(detail: string): ApiError {
  return fail('invalid_input', { detail });
}

/** Who tries. */
export const ACTOR = 'actor';
/** When an event was, in Unix microseconds. */
export const AT = 'at';
/** The number of the interval in which an attempt began. */
export const BUCKET = 'bucket';
/** The place of an event in the sequence of its actor, where events are numbered (`isSequenced`). */
export const PLACE = 'place';
/** The least place of the events at its moment. */
export const MOMENT = 'moment';
/** At how many steps an attempt ends that an exclusion voids; NULL: none does. */
export const VOID = 'void_at';
/** Whether such an attempt took a step after the excluded event. */
export const VOID_PASSED = 'void_passed';

/** When a step, counted from 0, was taken: NULL where it was not. */
export function timeName(step: number): string {
  return `time_${step + 1}`;
}

/** The place of the event that took a step, and the first of its moment, where events are numbered. */
export function placeName(step: number): string {
  return `place_${step + 1}`;
}

export function momentName(step: number): string {
  return `moment_${step + 1}`;
}

/** A value of the breakdown. */
export function valueName(dimension: number): string {
  return `value_${dimension + 1}`;
}

/** A property that is held constant. */
export function heldName(place: number): string {
  return `held_${place + 1}`;
}

/** The names of all of something. */
export function namesOf(count: number, name: (at: number) => string): string[] {
  return Array.from({ length: count }, (_, at) => name(at));
}

/** How many values a breakdown by properties has. */
export function dimensionsOf({ breakdown }: Pick<FunnelPlan, 'breakdown'>): number {
  return breakdown?.kind === 'values' ? breakdown.dimensions.length : 0;
}

/** Whole numbers from one, up to but without another. */
export function count(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

/** Columns by their names. */
export function fields(names: readonly string[]): Expr[] {
  return names.map((name) => field(name));
}
