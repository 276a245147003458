import { fail } from '../../../../errors.ts';
import { timeZone } from '../../../../lib/time-zone.ts';
import { type Buckets, readPeriods, type Period } from '../../buckets.ts';
import { addUnits, type DateSpan } from '../../dates.ts';
import { filterContext } from '../../filters.ts';
import type { KindContext } from '../../query-kind.ts';
import {
  isOfMissingAction,
  seriesConditions,
  seriesName,
  scopeConditions,
  actorOf,
  type Actor,
  type Sight,
  seenByInterval,
} from '../../series.ts';
import type { StickinessQuery } from './schema.ts';
import type { SeriesNode } from '../../node-schema.ts';
import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import { alias, call, compare, constant, field, from, select } from '../../../../hogql/build.ts';
import { rewrite } from '../../../../hogql/rewrite.ts';

/** A series before its numbers are known. */
export interface PlannedSeries {
  readonly node: SeriesNode;
  readonly order: number;
  readonly name: string;
  readonly actor: Actor;
  readonly conditions: Sight['conditions'];
}

/** A span that is looked at, in intervals of `intervalCount` units. */
export interface StickyPeriod extends Pick<Period, 'compare' | 'span'> {
  readonly buckets: Sight['buckets'];
  /** How many intervals an actor can be seen in. */
  readonly counts: number;
}

/** A StickinessQuery, read. */
export interface StickinessPlan {
  readonly query: StickinessQuery;
  readonly series: readonly PlannedSeries[];
  readonly periods: readonly StickyPeriod[];
}

/** Reads a query: its dates, conditions and series. Throws invalid_input, HogqlError. */
export async function planStickiness(query: StickinessQuery, context: KindContext): Promise<StickinessPlan> {
  const criteria = query.stickinessFilter?.stickinessCriteria;
  if (criteria?.value === 0 && criteria.operator !== 'gte') {
    throw fail('invalid_input', {
      detail: 'Stickiness criteria with operator exact or lte must use a value greater than 0.',
    });
  }
  const filters = filterContext(context);
  const [periods, scope] = await Promise.all([
    readPeriods(query, 'intervals', timeZone(context.timezone), context),
    scopeConditions(query, context, filters),
  ]);
  const series = query.series.map(async (node, order) => {
    if (await isOfMissingAction(node, context)) return [];
    const [name, own, actor] = await Promise.all([
      seriesName(node, context),
      seriesConditions(node, filters),
      stickyActor(node, query, context),
    ]);
    return [{ node, order, name, actor, conditions: [...scope, ...own] }];
  });
  return {
    query,
    series: (await Promise.all(series)).flat(),
    periods: periods.map(({ compare, span, buckets }) =>
      stickyPeriod(compare, span, buckets!, query, context),
    ),
  };
}

/** Persons, groups, or the values of an expression, in which `e` names the events. */
async function stickyActor(node: SeriesNode, query: StickinessQuery, context: KindContext): Promise<Actor> {
  if (node.math !== 'hogql') {
    const index = node.math === 'unique_group' ? node.math_group_type_index : null;
    return actorOf(index ?? query.aggregation_group_type_index, filterContext(context));
  }
  const value = rewrite(await context.parse.expression(node.math_hogql!), (part) =>
    part.node === 'Field' && part.chain[0] === 'e' && part.chain.length > 1
      ? { ...part, chain: part.chain.slice(1) }
      : part,
  );
  return { id: value, isKnown: [], groupTypeIndex: null };
}

/** So many intervals as one are counted back from the end of the span, as in PostHog. */
function stickyPeriod(
  compared: StickyPeriod['compare'],
  span: DateSpan,
  { interval, starts, end }: Buckets,
  { intervalCount: size }: StickinessQuery,
  { timezone }: Pick<KindContext, 'timezone'>,
): StickyPeriod {
  if (size === null || size === undefined) {
    return { compare: compared, span, buckets: { starts, end }, counts: starts.length };
  }
  const zone = timeZone(timezone);
  const to = zone.localOf(Math.max(span.from, span.to));
  const blocks: number[] = [];
  for (let at = 1; (blocks.at(-1) ?? Infinity) > span.from && at <= starts.length; at++) {
    blocks.push(zone.momentOf(addUnits(to, -size * at, interval)));
  }
  const counts = Math.ceil(starts.length / size);
  return { compare: compared, span, buckets: { starts: blocks.toReversed(), end: span.to }, counts };
}

export const ACTOR = field('actor');
const OPERATORS = { gte: '>=', lte: '<=', exact: '==' } as const;

/** How many actors were seen in how many intervals: columns are the number of intervals and of actors. */
export function stickinessStatement(
  plan: StickinessPlan,
  series: PlannedSeries,
  period: StickyPeriod,
): SelectQuery {
  const perActor = select({
    select: [ACTOR, alias(call('count'), 'intervals')],
    from: from(seen(plan, series, period)),
    groupBy: [ACTOR],
  });
  return select({
    select: [field('intervals'), alias(call('count'), 'actors')],
    from: from(perActor),
    groupBy: [field('intervals')],
  });
}

export function seen(
  { query }: StickinessPlan,
  { actor, conditions }: PlannedSeries,
  period: StickyPeriod,
): SelectQuery {
  const { span, buckets } = period;
  return seenByInterval(query, { actor, span, buckets, conditions }, criterion(query));
}

/** How many events make an interval count. */
function criterion({ stickinessFilter }: StickinessQuery): Expr | undefined {
  const criteria = stickinessFilter?.stickinessCriteria;
  if (!criteria) return undefined;
  return compare(OPERATORS[criteria.operator], call('count'), constant(criteria.value));
}
