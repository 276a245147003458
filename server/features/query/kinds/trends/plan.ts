import type { Expr } from '../../../../hogql/ast.ts';
import { and, compare, constant, field, arithmetic, call, parametric } from '../../../../hogql/build.ts';
import { timeZone, type TimeZone } from '../../../../lib/time-zone.ts';
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
import { entityCondition, seriesName, scopeConditions } from '../../series.ts';
import type { TrendsQuery } from './schema.ts';
import { type SeriesNode, missingOfMath } from '../../node-schema.ts';
import { fail } from '../../../../errors.ts';

/** Displays that show one number instead of one for each interval. */
const TOTAL_DISPLAYS: ReadonlySet<string> = new Set([
  'BoldNumber',
  'ActionsPie',
  'ActionsBarValue',
  'ActionsTable',
  'WorldMap',
]);
/** A map has a place for every country. */
const MAP_LIMIT = 300;

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
export async function planTrends(query: TrendsQuery, context: KindContext): Promise<TrendsPlan> {
  const filters = filterContext(context);
  const isTotal = TOTAL_DISPLAYS.has(query.trendsFilter?.display ?? '');
  const zone = timeZone(context.timezone);
  const limit = query.trendsFilter?.display === 'WorldMap' ? MAP_LIMIT : undefined;
  const [periods, scope, breakdown, series] = await Promise.all([
    readPeriods(query, isTotal, zone, context),
    scopeConditions(query, context, filters),
    readBreakdown(query.breakdownFilter, filters, limit),
    Promise.all(query.series.map((node, order) => planSeries(query, node, order, context, filters))),
  ]);
  const isByCohort = breakdown?.kind === 'cohorts';
  return {
    query,
    series: isByCohort
      ? series.flatMap((one) => breakdown.cohorts.map((cohort) => ofCohort(one, cohort)))
      : series,
    scope,
    breakdown: isByCohort ? null : breakdown,
    periods,
    zone,
    isTotal,
    filterContext: filters,
  };
}

/** The condition of all of a series; null where there is none. */
export function conditionOf({ entity, filters }: PlannedSeries): Expr | null {
  const conditions = [...(entity === null ? [] : [entity]), ...filters];
  return conditions.length === 0 ? null : and(...conditions);
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
  const once = countedOnce(query, node, math);
  return {
    node,
    order,
    name,
    math: once === null ? math : onceMath(once),
    entity,
    filters: [own, fixed].filter((one) => one !== null),
    once,
  };
}

/** Whether each point shows the sum since the beginning. */
export function isGrowing({ trendsFilter }: TrendsQuery): boolean {
  return trendsFilter?.display === 'ActionsLineGraphCumulative';
}

/** A cumulative sum counts each actor once, over all intervals. Active users of a window are not cumulative. */
function countedOnce(query: TrendsQuery, { math }: SeriesNode, { unique }: SeriesMath): Expr | null {
  const isWindow = math === 'weekly_active' || math === 'monthly_active';
  return isGrowing(query) && !isWindow ? (unique ?? null) : null;
}

function ofCohort(series: PlannedSeries, cohort: NamedCohort | null): PlannedSeries {
  if (cohort === null) return { ...series, cohort };
  const isMember = compare('in cohort', field('person_id'), constant(cohort.id));
  return { ...series, cohort, filters: [...series.filters, isMember] };
}

/**
 * How the events of a series become a number: in one step, or in two, of which the first groups them by breakdown and
 * interval, so that values can be ranked and those beyond the limit combined without reading events twice.
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
  /** How the values of a breakdown are ranked, from the groups of each. */
  rank(keys: readonly Expr[], parts: readonly Expr[]): Expr;
  /** An aggregate of the numbers that `combine` gives for each actor or session; absent where there is no such second step. */
  readonly perActor?: (count: Expr) => Expr;
  /** Each key counts once for each value that is shown: in the first interval in which it is there. */
  readonly isOnce?: true;
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
      return unique(field(...context.path('person_id')));
    case 'unique_session':
      return unique(call('nullIf', field(...context.path('$session_id')), constant('')));
    case 'unique_group':
      return unique(groupKey(node, context));
    case 'hogql':
      return expression(await context.parse.expression(node.math_hogql!));
    default:
  }
  if (math.endsWith(PER_ACTOR)) {
    return countPerActor(math.slice(0, -PER_ACTOR.length), field(...context.path('person_id')));
  }
  if (isOfSession(node)) {
    return perSession(math, mathProperty(node, context), field(...context.path('$session_id')));
  }
  return ofProperty(math, mathProperty(node, context));
}

/** How many rows there are. */
function total(): SeriesMath {
  return {
    direct: (condition) => (condition === null ? call('count') : call('countIf', condition)),
    keys: [],
    parts: [call('count')],
    isRaw: false,
    combine: (_, [count]) => call('sum', count!),
    rank: (_, [count]) => call('sum', count!),
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
    rank: ([one]) => call('count', one!),
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
    rank: (_, [part]) => aggregate(part!, null),
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
    rank: combine,
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
    rank: (_, [part]) => ofSessions(part!),
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
    rank: () => aggregate,
    isCount: false,
  };
}

function groupKey({ math_group_type_index: index }: SeriesNode, context: FilterContext): Expr {
  return call('nullIf', field(...context.path(`$group_${index}`)), constant(''));
}

/** The property as a number: of the event, unless `math_property_type` names another owner; or the length of the session. */
function mathProperty(node: SeriesNode, context: FilterContext): Expr {
  const name = node.math_property!;
  if (isOfSession(node)) return sessionOperand(name, context).number;
  if (node.math_property_type === 'person_properties') {
    return propertyOperand('person', ['person', 'properties', name], context).number;
  }
  return propertyOperand('event', ['properties', name], context).number;
}

function isOfSession({ math_property: name, math_property_type: type }: SeriesNode): boolean {
  return type === 'session_properties' || name === '$session_duration';
}

/** The aggregate of the rows that `onceSource` groups by `key`. */
function onceMath(key: Expr): SeriesMath {
  return {
    ...total(),
    keys: [field('one')],
    parts: [],
    isOnce: true,
    rank: () => call('count'),
    unique: key,
  };
}
