import { isDeepStrictEqual } from 'node:util';
import { fail } from '../../../../errors.ts';
import type { Expr } from '../../../../hogql/ast.ts';
import { readBreakdown, type Breakdown } from '../../breakdown.ts';
import { filterExpr, filterContext, type FilterContext, propertyOperand } from '../../filters.ts';
import type { KindContext, NamedCohort } from '../../query-kind.ts';
import { entityCondition, scopeConditions, actorOf, type Actor } from '../../series.ts';
import type { RetentionQuery } from './schema.ts';
import { timeZone, type TimeZone } from '../../../../lib/time-zone.ts';
import { bucketsOf, type Buckets } from '../../buckets.ts';
import {
  resolveDates,
  type DateSpan,
  type Interval,
  addUnits,
  isClockUnit,
  startOfUnit,
  unitAround,
  firstEventOf,
} from '../../dates.ts';
import { compare, constant, field } from '../../../../hogql/build.ts';

type Entity = NonNullable<RetentionQuery['retentionFilter']['targetEntity']>;

/** Start or return events. */
export interface Occurrence {
  /** The event or action alone; null: any event. */
  readonly entity: Expr | null;
  /** What else is demanded of it. */
  readonly filters: readonly Expr[];
}

/** A RetentionQuery, read. */
export interface RetentionPlan {
  readonly query: RetentionQuery;
  readonly dates: RetentionDates;
  readonly target: Occurrence;
  readonly returning: Occurrence;
  /** Start and return events are the same. */
  readonly isSame: boolean;
  /** Conditions of the whole query. */
  readonly scope: readonly Expr[];
  readonly actor: Actor;
  readonly breakdown: Breakdown | null;
  /**
   * `each`: actors start in every interval; otherwise with their first matching event, or their first event if it
   * matches.
   */
  readonly beginning: 'each' | 'first fitting' | 'first of all';
  /** Events that an interval needs to count. */
  readonly minimum: number;
  /** Cumulative: actors that return later also count in earlier intervals. */
  readonly isCumulative: boolean;
  /** The number whose sum or average is shown with each count; null: none. */
  readonly aggregated: {
    readonly type: 'sum' | 'avg';
    readonly number: Expr;
    /** In the first interval return events after the start event count too, as they are other events. */
    readonly withReturns: boolean;
  } | null;
}

/**
 * Whether each actor and value of the breakdown is followed by itself (amendment A-6): start and return events have the
 * same value, or with windows of their own, actors start with every value that they are seen with. Otherwise the value is
 * that of the start event.
 */
export function isByValue({ breakdown, beginning, dates }: RetentionPlan): boolean {
  return breakdown?.kind === 'values' && (beginning !== 'first of all' || dates.windowMs !== null);
}

const DEFAULT_ENTITY: Entity = { id: '$pageview', type: 'events' };

/** Reads a query: its dates, conditions and breakdown. Throws invalid_input, HogqlError. */
export async function planRetention(query: RetentionQuery, context: KindContext): Promise<RetentionPlan> {
  const filters = filterContext(context);
  const { retentionFilter: filter } = query;
  const [dates, scope, target, returning, breakdown] = await Promise.all([
    retentionDates(query, context),
    scopeConditions(query, context, filters),
    occurrence(filter.targetEntity, 'targetEntity', filters),
    occurrence(filter.returningEntity, 'returningEntity', filters),
    readBreakdown(query.breakdownFilter, filters),
  ]);
  const aggregated = aggregatedOf(query, filters);
  if (dates.windowMs !== null && filter.cumulative === true) {
    throw fail('invalid_input', { detail: 'Cumulative retention is not supported for 24 hour windows.' });
  }
  return {
    query,
    dates,
    target,
    returning,
    isSame: isDeepStrictEqual(target, returning),
    scope,
    actor: actorOf(query.aggregation_group_type_index, filters),
    breakdown: withoutBins(breakdown),
    beginning: beginningOf(filter.retentionType),
    // Windows of their own and sums of a property count every return event.
    minimum: dates.windowMs === null && aggregated === null ? (filter.minimumOccurrences ?? 1) : 1,
    isCumulative: filter.cumulative ?? false,
    aggregated,
  };
}

function beginningOf(type: RetentionQuery['retentionFilter']['retentionType']): RetentionPlan['beginning'] {
  if (type === 'retention_first_time') return 'first fitting';
  return type === 'retention_first_ever_occurrence' ? 'first of all' : 'each';
}

async function occurrence(
  sent: Entity | null | undefined,
  field: string,
  context: FilterContext,
): Promise<Occurrence> {
  const entity = sent ?? DEFAULT_ENTITY;
  const [condition, filters] = await Promise.all([
    entityCondition(nodeOf(entity, field), context),
    filterExpr(entity.properties, context),
  ]);
  return { entity: condition, filters: filters === null ? [] : [filters] };
}

function nodeOf({ id, type, kind }: Entity, field: string) {
  if (type === 'new_entity' || type === 'data_warehouse') {
    throw fail('invalid_input', {
      detail: `${field} must be an event or an action, with the type events or actions.`,
    });
  }
  const isAction = kind === 'ActionsNode' || type === 'actions';
  if (!isAction)
    return { kind: 'EventsNode' as const, event: id === null || id === undefined ? null : String(id) };
  if (!Number.isSafeInteger(Number(id)) || id === '') {
    throw fail('invalid_input', { detail: `${field} must reference an action by its id, a whole number.` });
  }
  return { kind: 'ActionsNode' as const, id: Number(id) };
}

function withoutBins(breakdown: Breakdown | null): Breakdown | null {
  if (breakdown?.kind === 'values' && breakdown.dimensions.some(({ bins }) => bins !== null)) {
    throw fail('invalid_input', { detail: 'Retention does not support histogram breakdowns.' });
  }
  return breakdown;
}

function aggregatedOf({ retentionFilter: filter }: RetentionQuery, context: FilterContext) {
  const { aggregationType: type, aggregationProperty: name, aggregationPropertyType: owner } = filter;
  if (type !== 'sum' && type !== 'avg') return null;
  if (!name) throw fail('invalid_input', { detail: `aggregationType ${type} requires aggregationProperty.` });
  const { number } =
    owner === 'person'
      ? propertyOperand('person', ['person', 'properties', name], context)
      : propertyOperand('event', ['properties', name], context);
  const nameOf = (entity: Entity | null | undefined) => [String(entity?.id), entity?.type ?? 'events'].join();
  const withReturns =
    nameOf(filter.targetEntity ?? DEFAULT_ENTITY) !== nameOf(filter.returningEntity ?? DEFAULT_ENTITY);
  return { type, number, withReturns };
}

/** A column of the answer: intervals since a person began, the last one exclusive. */
export interface Place {
  readonly from: number;
  readonly to: number;
  /** `Day 3`, of several intervals `Day 3-5`. */
  readonly label: string;
}

/** When persons begin, and when they are seen again. */
export interface RetentionDates {
  readonly period: PeriodName;
  readonly zone: TimeZone;
  /** All intervals that are looked at: those in which persons begin are the first of them. */
  readonly buckets: Buckets;
  /** How many of them are rows of the answer. */
  readonly rows: number;
  readonly places: readonly Place[];
  /** The interval in which an actor must start. */
  readonly begun: DateSpan;
  /** The interval in which an actor must return. */
  readonly seen: DateSpan;
  /** Milliseconds of the windows that follow each person's own beginning; null: intervals of the calendar. */
  readonly windowMs: number | null;
}

type PeriodName = 'Hour' | 'Day' | 'Week' | 'Month';

const DEFAULT_INTERVALS = 8;
const MAX_CELLS = 100_000;
const MAX_INTERVALS = 1_000;
const MAX_BRACKETS = 100;
const INTERVALS: Readonly<Record<PeriodName, Interval>> = {
  Hour: 'hour',
  Day: 'day',
  Week: 'week',
  Month: 'month',
};
const HOUR_MS = 3_600_000;
/** A month by the clock alone is 30 days. */
const WINDOWS: Readonly<Record<PeriodName, number>> = {
  Hour: HOUR_MS,
  Day: 24 * HOUR_MS,
  Week: 7 * 24 * HOUR_MS,
  Month: 30 * 24 * HOUR_MS,
};

/**
 * Reads when a retention begins and ends. The last interval is that of `date_to`, whole; what comes after it is not looked at
 * (amendment A-6). Without `date_from` there are `totalIntervals` of them. Throws invalid_input.
 */
async function retentionDates(query: RetentionQuery, context: KindContext): Promise<RetentionDates> {
  const { retentionFilter: filter, dateRange: range } = query;
  const period = filter.period ?? 'Day';
  const interval = INTERVALS[period];
  const total = filter.totalIntervals ?? DEFAULT_INTERVALS;
  const brackets = filter.retentionCustomBrackets ?? [];
  if (total > MAX_INTERVALS) throw tooMany('intervals', MAX_INTERVALS);
  if (brackets.length > MAX_BRACKETS) throw tooMany('brackets', MAX_BRACKETS);
  const places = placesOf(period, total, brackets);
  if (places.at(-1)!.to > MAX_INTERVALS) throw tooMany('intervals', MAX_INTERVALS);
  const zone = timeZone(context.timezone);
  const { now, weekStartDay: weekStart } = context;
  const firstEvent = await firstEventOf(range, context);
  const resolved = resolveDates(range, { zone, weekStart, now, interval, firstEvent });
  const step = (ms: number, count: number): number => stepped(ms, count, interval, zone);
  const startOf = (ms: number): number => unitAround(ms, interval, zone, weekStart).start;
  const hasFrom = Boolean(range?.date_from);
  const last = startOf(resolved.to - 1);
  const from = hasFrom ? startOf(resolved.from) : step(last, 1 - total);
  const to = unitAround(resolved.to - 1, interval, zone, weekStart).end;
  const rows = hasFrom ? countUnits(from, to, interval, context) : total;
  if (rows * places.length > MAX_CELLS) throw tooMany('cells', MAX_CELLS);
  const windowMs = filter.timeWindowMode === '24_hour_windows' ? WINDOWS[period] : null;
  return {
    period,
    zone,
    buckets: bucketsOf({ from, to }, interval, zone, weekStart),
    rows,
    places,
    begun: { from, to },
    seen: { from, to },
    windowMs,
  };
}

/** How many columns of a row have begun. */
export function placesInRow({ buckets, places }: RetentionDates, row: number): number {
  return places.filter(({ from }) => row + from < buckets.starts.length).length;
}

function placesOf(period: PeriodName, total: number, brackets: readonly number[]): Place[] {
  const sizes = brackets.length === 0 ? Array.from({ length: total - 1 }, () => 1) : brackets;
  const places: Place[] = [{ from: 0, to: 1, label: `${period} 0` }];
  for (const size of sizes) {
    const from = places.at(-1)!.to;
    const to = from + size;
    places.push({ from, to, label: size === 1 ? `${period} ${from}` : `${period} ${from}-${to - 1}` });
  }
  return places;
}

function countUnits(from: number, to: number, interval: Interval, context: KindContext): number {
  return bucketsOf({ from, to }, interval, timeZone(context.timezone), context.weekStartDay).starts.length;
}

/** The beginning of an interval some intervals later, or earlier. */
function stepped(ms: number, count: number, interval: Interval, zone: TimeZone): number {
  if (isClockUnit(interval)) return ms + count * HOUR_MS;
  // Where clocks skip midnight a day begins later than its name says.
  const local = startOfUnit(zone.localOf(ms), 'day', 'sunday');
  return zone.momentOf(addUnits(local, count, interval));
}

function tooMany(what: string, most: number) {
  return fail('invalid_input', {
    detail: `The result would have more than ${most} ${what}: choose a longer period, or fewer intervals.`,
  });
}

/** The breakdown value of a cohort: its id; of all users 0, as in PostHog. */
export function cohortValue(cohort: NamedCohort | null): string {
  return String(cohort?.id ?? 0);
}

/** The plan for the members of a cohort; null: all users. */
export function ofCohort(plan: RetentionPlan, cohort: NamedCohort | null): RetentionPlan {
  if (cohort === null) return plan;
  const isMember = compare('in cohort', field('person_id'), constant(cohort.id));
  return { ...plan, scope: [...plan.scope, isMember] };
}
