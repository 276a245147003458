import type { Expr } from '../../../../hogql/ast.ts';
import { and, compare, constant, field, arithmetic, call, or, parametric } from '../../../../hogql/build.ts';
import { timeZone, type TimeZone } from '../../../../lib/time-zone.ts';
import type { Interval } from '../../dates.ts';
import { readBreakdown, type Breakdown } from '../../breakdown.ts';
import { readPeriods, type Period } from '../../buckets.ts';
import {
  filterExpr,
  filterContext,
  type FilterContext,
  propertyOperand,
  sessionOperand,
} from '../../filters.ts';
import type { KindContext, NamedCohort } from '../../query-kind.ts';
import { entityCondition, inSpan, isOfMissingAction, seriesName, scopeConditions } from '../../series.ts';
import type { TrendsQuery } from './schema.ts';
import { formulasOf, isTotalDisplay } from './trends-filter.contract.ts';
import { type SeriesNode, missingOfMath } from '../../node-schema.ts';
import { fail } from '../../../../errors.ts';

/** A map has a place for every country. */
const MAP_LIMIT = 250;

/** A series of the answer before its numbers are known. */
export interface PlannedSeries {
  readonly node: SeriesNode;
  /** Its place in the query. */
  readonly order: number;
  readonly name: string;
  readonly math: SeriesMath;
  /** The condition of its event or action alone; null: any event. */
  readonly entity: Expr | null;
  /** The conditions of its filters. */
  readonly filters: readonly Expr[];
  /** Each of these counts once, where it first appears in the span; null: what counts is up to the math. */
  readonly once: Expr | null;
  /** How many days up to the end of an interval it looks back; null: it looks at the interval. */
  readonly window: number | null;
  /** The cohort of the breakdown; null: all users; absent when the breakdown is not by cohort. */
  readonly cohort?: NamedCohort | null;
}

/** A TrendsQuery, read. */
export interface TrendsPlan {
  readonly query: TrendsQuery;
  readonly series: readonly PlannedSeries[];
  /** Conditions of the whole query. */
  readonly scope: readonly Expr[];
  readonly breakdown: Extract<Breakdown, { kind: 'values' }> | null;
  readonly periods: readonly Period[];
  readonly zone: TimeZone;
  readonly isTotal: boolean;
  readonly filterContext: FilterContext;
}

/** Reads a query: its dates, conditions, series and breakdown. Throws invalid_input, HogqlError. */
export async function planTrends(asked: TrendsQuery, context: KindContext): Promise<TrendsPlan> {
  const query = isSlope(asked) ? asSlope(asked) : asked;
  const filters = filterContext(context);
  const display = query.trendsFilter?.display ?? '';
  const isTotal = isTotalDisplay(display);
  const shape = display === 'BoldNumber' ? 'number' : isTotal ? 'total' : 'intervals';
  const zone = timeZone(context.timezone);
  const limit = display === 'WorldMap' ? MAP_LIMIT : undefined;
  const [periods, scope, breakdown, series] = await Promise.all([
    readPeriods(query, shape, zone, context),
    scopeConditions(query, context, filters),
    readBreakdown(query.breakdownFilter, filters, limit),
    planAll(query, context, filters),
  ]);
  const isByCohort = breakdown?.kind === 'cohorts';
  return {
    query,
    series: isByCohort
      ? series.flatMap((one) => breakdown.cohorts.map((cohort) => ofCohort(one, cohort)))
      : series,
    scope: [...scope, ...slopeScope(query, series, periods[0]!, filters)],
    breakdown: isByCohort ? null : breakdown,
    periods,
    zone,
    isTotal,
    filterContext: filters,
  };
}

/** Whether only the first and the last interval are drawn. */
export function isSlope({ trendsFilter }: TrendsQuery): boolean {
  return trendsFilter?.display === 'SlopeGraph';
}

/** Its two ends are the comparison, and between them there is nothing to smooth. */
function asSlope(query: TrendsQuery): TrendsQuery {
  return { ...query, compareFilter: null, trendsFilter: { ...query.trendsFilter, smoothingIntervals: null } };
}

/** A slope ranks by its two ends alone, unless a series looks back from them. */
function slopeScope(
  query: TrendsQuery,
  series: readonly PlannedSeries[],
  { buckets }: Period,
  filters: FilterContext,
): Expr[] {
  const { starts = [], end = 0 } = buckets ?? {};
  if (!isSlope(query) || starts.length < 3 || series.some(({ window }) => window !== null)) return [];
  const first = inSpan({ from: starts[0]!, to: starts[1]! }, filters);
  return [or(first, inSpan({ from: starts.at(-1)!, to: end }, filters))];
}

/** Throws invalid_input for what a distribution does not show. */
export function checkAlone(
  { breakdownFilter, compareFilter, trendsFilter }: TrendsQuery,
  display: string,
): void {
  const { breakdown, breakdowns } = breakdownFilter ?? {};
  const shown = {
    breakdown: (breakdown ?? null) !== null || (breakdowns ?? []).length > 0,
    comparison: compareFilter?.compare === true,
    formula: formulasOf(trendsFilter).length > 0,
  };
  const [first] = Object.entries(shown).flatMap(([name, isThere]) => (isThere ? [name] : []));
  if (first !== undefined)
    throw fail('invalid_input', { detail: `${display} has no ${first}: remove it first.` });
}

/** The condition of all of a series; null where there is none. */
export function conditionOf({ entity, filters }: PlannedSeries): Expr | null {
  const conditions = [...(entity === null ? [] : [entity]), ...filters];
  return conditions.length === 0 ? null : and(...conditions);
}

/** The series of a query, without those of actions that are not there any more. */
async function planAll(
  query: TrendsQuery,
  context: KindContext,
  filters: FilterContext,
): Promise<PlannedSeries[]> {
  const planned = query.series.map(async (node, order) =>
    (await isOfMissingAction(node, context)) ? [] : [await planSeries(query, node, order, context, filters)],
  );
  return (await Promise.all(planned)).flat();
}

async function planSeries(
  query: TrendsQuery,
  node: SeriesNode,
  order: number,
  context: KindContext,
  filters: FilterContext,
): Promise<PlannedSeries> {
  const [name, math, entity, own, fixed] = await Promise.all([
    seriesName(node, context),
    seriesMath(node, filters),
    entityCondition(node, filters),
    filterExpr(node.properties, filters),
    filterExpr(node.fixedProperties, filters),
  ]);
  const window = windowOf(node, query.interval ?? 'day');
  const once = isGrowing(query) && window === null ? (math.unique ?? null) : null;
  return {
    node,
    order,
    name,
    math: once === null ? math : onceMath(once),
    entity,
    filters: [own, fixed].filter((one) => one !== null),
    once,
    window,
  };
}

/** Days up to the end of an interval in which the actor was active. */
const WINDOWS: Readonly<Record<string, number>> = { weekly_active: 7, monthly_active: 30 };
const LONG: Readonly<Record<string, ReadonlySet<Interval>>> = {
  weekly_active: new Set(['week', 'month', 'quarter', 'year']),
  monthly_active: new Set(['month', 'quarter', 'year']),
};

/** An interval as long as the window is its own window. */
function windowOf({ math }: SeriesNode, interval: Interval): number | null {
  const window = WINDOWS[math ?? ''];
  return window === undefined || LONG[math!]!.has(interval) ? null : window;
}

/** Whether each point shows the sum since the beginning; each actor counts once in it. */
export function isGrowing({ trendsFilter }: TrendsQuery): boolean {
  return trendsFilter?.display === 'ActionsLineGraphCumulative';
}

function ofCohort(series: PlannedSeries, cohort: NamedCohort | null): PlannedSeries {
  if (cohort === null) return { ...series, cohort };
  const isMember = compare('in cohort', field('person_id'), constant(cohort.id));
  return { ...series, cohort, filters: [...series.filters, isMember] };
}

/**
 * How the events of a series become a number: in one step, or in two, of which the first groups them by breakdown and
 * interval, so that values can be ranked and those beyond the limit added up without reading events twice.
 */
export interface SeriesMath {
  /** The number, of those events of which the condition holds; of all without one. */
  direct(condition: Expr | null): Expr;
  /** What else the first step groups by, such as the person. None and no `isRaw`: breakdown and interval alone. */
  readonly keys: readonly Expr[];
  /** What the first step computes of each group, or (`isRaw`) takes of each event. */
  readonly parts: readonly Expr[];
  readonly isRaw: boolean;
  /** The number of several groups, from their keys and parts. */
  combine(keys: readonly Expr[], parts: readonly Expr[]): Expr;
  /** It cannot be taken apart: `direct` alone computes it. */
  readonly isTotal?: true;
  /** An aggregate of the numbers that `combine` gives for each actor or session; absent where there is no such second step. */
  readonly perActor?: (count: Expr) => Expr;
  /** What it counts the different ones of. */
  readonly unique?: Expr;
  /** Whether the number grows with the number of events, so that the result of a sample is scaled up. */
  readonly isCount: boolean;
}

const QUANTILES: Readonly<Record<string, number>> = {
  median: 0.5,
  p75: 0.75,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
};
const PER_ACTOR = '_count_per_actor';

/** The math of a series whose events count as they come (management contract 9.9). Throws invalid_input, HogqlError. */
async function seriesMath(node: SeriesNode, context: FilterContext): Promise<SeriesMath> {
  const math = node.math ?? 'total';
  const missing = missingOfMath(node);
  if (missing !== null) throw fail('invalid_input', { detail: `The math ${math} requires ${missing}.` });
  switch (math) {
    case 'total':
    case 'first_time_for_user':
    case 'first_time_for_user_with_filters':
    case 'first_matching_event_for_user':
      return total();
    case 'dau':
    case 'weekly_active':
    case 'monthly_active':
      return unique(isOfGroups(node) ? groupKey(node, context) : field(...context.path('person_id')));
    case 'unique_session':
      // Events without a session count as one, as in PostHog.
      return unique(call('ifNull', field(...context.path('$session_id')), constant('')));
    case 'unique_group':
      return unique(groupKey(node, context));
    case 'hogql':
      return expression(await context.parse.expression(node.math_hogql!));
    default:
  }
  if (math.endsWith(PER_ACTOR)) {
    return countPerActor(math.slice(0, -PER_ACTOR.length), field(...context.path('person_id')));
  }
  const value = mathValue(node, context);
  return isOfSession(node)
    ? perSession(math, value, field(...context.path('$session_id')))
    : ofProperty(math, value);
}

/** How many rows there are. */
function total(): SeriesMath {
  return {
    direct: (condition) => (condition === null ? call('count') : call('countIf', condition)),
    keys: [],
    parts: [call('count')],
    isRaw: false,
    combine: (_, [count]) => call('sum', count!),
    isCount: true,
  };
}

/** How many different ones there are; those without do not count. */
function unique(key: Expr): SeriesMath {
  return {
    direct: (condition) => (condition === null ? call('uniq', key) : call('uniqIf', key, condition)),
    keys: [key],
    parts: [],
    isRaw: false,
    combine: ([one]) => call('uniq', one!),
    unique: key,
    isCount: true,
  };
}

function ofProperty(math: string, value: Expr): SeriesMath {
  if (math === 'avg') return average(value);
  const quantile = QUANTILES[math];
  const aggregate = (x: Expr, condition: Expr | null): Expr => {
    const name = quantile === undefined ? math : 'quantile';
    const args = condition === null ? [x] : [x, condition];
    const suffixed = condition === null ? name : `${name}If`;
    return quantile === undefined
      ? call(suffixed, ...args)
      : parametric(suffixed, [constant(quantile)], ...args);
  };
  const isRaw = quantile !== undefined;
  return {
    direct: (condition) => aggregate(value, condition),
    keys: [],
    parts: [isRaw ? value : aggregate(value, null)],
    isRaw,
    combine: (_, [part]) => aggregate(part!, null),
    isCount: math === 'sum',
  };
}

function average(value: Expr): SeriesMath {
  const combine = (_: readonly Expr[], [sum, count]: readonly Expr[]): Expr =>
    arithmetic('/', call('sum', sum!), call('nullIf', call('sum', count!), constant(0)));
  return {
    direct: (condition) => (condition === null ? call('avg', value) : call('avgIf', value, condition)),
    keys: [],
    parts: [call('sum', value), call('count', value)],
    isRaw: false,
    combine,
    isCount: false,
  };
}

/** An aggregate of the event counts per actor, over actors with at least one event. */
function countPerActor(math: string, actor: Expr): SeriesMath {
  return {
    ...total(),
    keys: [actor],
    perActor: (count) => ofProperty(math, count).direct(null),
    isCount: false,
  };
}

/** A session counts once in an interval, however many of its events are looked at. */
function perSession(math: string, value: Expr, session: Expr): SeriesMath {
  const ofSessions = (one: Expr): Expr => ofProperty(math, one).direct(null);
  return {
    direct: (condition) => ofProperty(math, value).direct(condition),
    keys: [session],
    parts: [call('max', value)],
    isRaw: false,
    combine: (_, [part]) => call('max', part!),
    perActor: ofSessions,
    isCount: math === 'sum',
  };
}

/** An aggregate of HogQL cannot be taken apart: it is computed of events alone. */
function expression(aggregate: Expr): SeriesMath {
  return {
    direct: () => aggregate,
    keys: [],
    parts: [],
    isRaw: true,
    isTotal: true,
    combine: () => aggregate,
    isCount: false,
  };
}

/** Active users may be groups of a type. */
export function isOfGroups({ math, math_group_type_index: index }: SeriesNode): boolean {
  const canBe = math === 'unique_group' || math === 'dau' || Object.hasOwn(WINDOWS, math ?? '');
  return canBe && index !== null && index !== undefined;
}

function groupKey({ math_group_type_index: index }: SeriesNode, context: FilterContext): Expr {
  return call('nullIf', field(...context.path(`$group_${index}`)), constant(''));
}

/** The property as a number: of the event, unless `math_property_type` names another owner; or the length of the session. */
/** The property of which a series is computed, times its factor. */
export function mathValue(node: SeriesNode, context: FilterContext): Expr {
  const property = mathProperty(node, context);
  const { math_multiplier: factor } = node;
  return factor === null || factor === undefined ? property : arithmetic('*', property, constant(factor));
}

function mathProperty(node: SeriesNode, context: FilterContext): Expr {
  const name = node.math_property!;
  if (isOfSession(node)) return sessionOperand(name, context).number;
  if (node.math_property_type === 'person_properties') {
    return propertyOperand('person', ['person', 'properties', name], context).number;
  }
  return propertyOperand('event', ['properties', name], context).number;
}

/** Whether the property is one of the event's session. */
export function isOfSession({ math_property: name, math_property_type: type }: SeriesNode): boolean {
  return type === 'session_properties' || name === '$session_duration';
}

/** The count of the rows that `onceSource` groups by `key`. */
function onceMath(key: Expr): SeriesMath {
  return { ...total(), unique: key };
}
