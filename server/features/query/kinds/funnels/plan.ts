import { fail, type ApiError } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { call, compare, constant, field } from '../../../../hogql/build.ts';
import { timeZone, type TimeZone } from '../../../../lib/time-zone.ts';
import { readBreakdown, type Breakdown } from '../../breakdown.ts';
import { bucketsOf, type Buckets } from '../../buckets.ts';
import { resolveDates, type DateSpan, firstEventOf } from '../../dates.ts';
import { filterContext, type FilterContext, propertyOperand } from '../../filters.ts';
import type { KindContext, NamedCohort } from '../../query-kind.ts';
import { seriesCondition, seriesName, scopeConditions, actorOf, type Actor } from '../../series.ts';
import type { FunnelsQuery } from './schema.ts';
import type { SeriesNode } from '../../node-schema.ts';

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
function readAttribution(filter: AttributionFields | null | undefined, steps: number): Attribution {
  const kind = filter?.breakdownAttributionType ?? 'first_touch';
  if (kind !== 'step') return { kind };
  const step = filter?.breakdownAttributionValue ?? 0;
  if (step >= 0 && step < steps) return { kind, step };
  throw fail('invalid_input', { detail: `breakdownAttributionValue must be a step from 0 to ${steps - 1}.` });
}
type FunnelOrder = 'ordered' | 'strict' | 'unordered';

/** The empty result of a step. */
interface FunnelStep {
  readonly node: SeriesNode;
  readonly name: string;
  /** Null: any event. */
  readonly condition: Expr | null;
  /** It may be left out. */
  readonly isOptional: boolean;
  /** Places, in `FunnelPlan.held`, of the properties that keep the value they had at the first step. */
  readonly held: readonly number[];
}

/** Events that void an attempt when they come after one step and before another, both counted from 0. */
export interface Exclusion {
  readonly condition: Expr | null;
  readonly from: number;
  readonly to: number;
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
  readonly actor: Actor & { readonly isExpression: boolean };
  /** All numbers of persons are below it; null where that is not known. */
  readonly personLimit: number | null;
  /** Conditions of the whole query, without time. */
  readonly scope: readonly Expr[];
  readonly span: DateSpan;
  /** The intervals in which attempts begin; null unless the funnel is shown over time. */
  readonly buckets: Buckets | null;
  readonly zone: TimeZone;
  readonly breakdown: Breakdown | null;
  readonly attribution: Attribution;
  readonly filters: FilterContext;
}

const MAX_STEPS = 30;
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
  const filters = filterContext(context);
  const order = query.funnelsFilter?.funnelOrderType ?? 'ordered';
  if (query.series.length > MAX_STEPS) throw refusal(`A funnel can have up to ${MAX_STEPS} steps.`);
  const heldNames = heldNamesOf(query);
  const zone = timeZone(context.timezone);
  const [dates, scope, breakdown, steps, exclusions, actor] = await Promise.all([
    readDates(query, zone, context),
    scopeConditions(query, context, filters),
    readBreakdown(query.breakdownFilter, filters),
    Promise.all(query.series.map((node, at) => readStep({ query, order, at, heldNames }, context, filters))),
    Promise.all((query.funnelsFilter?.exclusions ?? []).map((one) => readExclusion(one, query, filters))),
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
    scope: [...scope, ...actor.isKnown],
    ...dates,
    zone,
    breakdown,
    attribution: readAttribution(query.funnelsFilter, query.series.length),
    filters,
  };
}

async function readDates(query: FunnelsQuery, zone: TimeZone, context: KindContext) {
  const { now, weekStartDay: weekStart } = context;
  const interval = query.interval ?? 'day';
  const firstEvent = await firstEventOf(query.dateRange, context);
  const span = resolveDates(query.dateRange, { zone, weekStart, now, interval, firstEvent });
  if (query.funnelsFilter?.funnelVizType !== 'trends') return { span, buckets: null };
  const buckets = bucketsOf(span, interval, zone, weekStart);
  const isExact = query.dateRange?.explicitDate === true;
  return { span: { from: isExact ? span.from : (buckets.starts[0] ?? span.from), to: span.to }, buckets };
}

interface StepPlace {
  readonly query: FunnelsQuery;
  readonly order: FunnelOrder;
  readonly at: number;
  readonly heldNames: readonly string[];
}

async function readStep(
  { query, order, at, heldNames }: StepPlace,
  context: KindContext,
  filters: FilterContext,
): Promise<FunnelStep> {
  const node = query.series[at]!;
  const isOptional = node.optionalInFunnel === true;
  if (isOptional && at === 0) throw refusal('The first step of a funnel cannot be optional.');
  if (isOptional && order !== 'ordered') throw refusal('Optional steps require the step order "ordered".');
  const [name, condition] = await Promise.all([seriesName(node, context), seriesCondition(node, filters)]);
  const names = new Set([...(query.funnelsFilter?.holdConstant ?? []), ...(node.holdConstant ?? [])]);
  const held = heldNames.flatMap((one, place) => (names.has(one) ? [place] : []));
  return { node, name, condition, isOptional, held };
}

type ExclusionNode = NonNullable<NonNullable<FunnelsQuery['funnelsFilter']>['exclusions']>[number];

async function readExclusion(
  node: ExclusionNode,
  { series }: FunnelsQuery,
  filters: FilterContext,
): Promise<Exclusion> {
  const { funnelFromStep: from, funnelToStep: to } = node;
  if (!(from < to && to < series.length)) {
    throw refusal(`An exclusion must be between two steps from 0 to ${series.length - 1}, in order.`);
  }
  return { condition: await seriesCondition(node, filters), from, to };
}

/** Who goes through a funnel: what an expression says where there is one. */
async function readActor(
  query: FunnelsQuery,
  filters: FilterContext,
): Promise<Actor & { isExpression: boolean }> {
  const text = query.funnelsFilter?.funnelAggregateByHogQL?.trim() ?? '';
  if (text === '' || text === 'person_id') {
    return { ...actorOf(query.aggregation_group_type_index, filters), isExpression: false };
  }
  const id = call('coalesce', call('toString', await filters.parse.expression(text)), constant(''));
  return { id, isKnown: [compare('!=', id, constant(''))], groupTypeIndex: null, isExpression: true };
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

/** The funnel per cohort of the breakdown; null: all users. */
export function groupsOf(plan: FunnelPlan): { cohort: NamedCohort | null; plan: FunnelPlan }[] {
  if (plan.breakdown?.kind !== 'cohorts') return [];
  return plan.breakdown.cohorts.map((cohort) => {
    const isMember = cohort === null ? [] : [compare('in cohort', field('person_id'), constant(cohort.id))];
    return { cohort, plan: { ...plan, breakdown: null, scope: [...plan.scope, ...isMember] } };
  });
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
/** The number of a moment among those at which an actor did anything. */
export const PLACE = 'place';

/** When a step, counted from 0, was taken: NULL where it was not. */
export function timeName(step: number): string {
  return `time_${step + 1}`;
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
