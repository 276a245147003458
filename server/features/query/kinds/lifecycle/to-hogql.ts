import { timeZone, type TimeZone } from '../../../../lib/time-zone.ts';
import { type Buckets, bucketIndex, readPeriods } from '../../buckets.ts';
import { unitAround } from '../../dates.ts';
import { filterContext, propertyOperand, type FilterContext } from '../../filters.ts';
import type { KindContext } from '../../query-kind.ts';
import {
  between,
  seriesConditions,
  seriesName,
  scopeConditions,
  actorOf,
  type Actor,
  type Sight,
  seenByInterval,
} from '../../series.ts';
import type { LifecycleQuery } from './schema.ts';
import type { SeriesNode } from '../../node-schema.ts';
import type { Expr, Field, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  call,
  compare,
  constant,
  cte,
  dateTime,
  field,
  from,
  isNotNull,
  join,
  select,
  unionAll,
} from '../../../../hogql/build.ts';

/** A LifecycleQuery, read. */
export interface LifecyclePlan {
  readonly query: LifecycleQuery;
  readonly node: SeriesNode;
  readonly name: string;
  /** The intervals of the answer. */
  readonly buckets: Buckets;
  /** What is looked at: one interval more at the beginning, so that those of the answer count from 1. */
  readonly sight: Sight;
  readonly zone: TimeZone;
}

/** Reads a query: its dates, conditions and series. Throws invalid_input, HogqlError. */
export async function planLifecycle(query: LifecycleQuery, context: KindContext): Promise<LifecyclePlan> {
  const filters = filterContext(context);
  const [node] = query.series as [SeriesNode];
  const zone = timeZone(context.timezone);
  const index = node.math === 'unique_group' ? node.math_group_type_index : null;
  const { interval, dateRange } = query;
  const [[period], scope, own, name] = await Promise.all([
    readPeriods({ interval, dateRange }, 'intervals', zone, context),
    scopeConditions(query, context, filters),
    seriesConditions(node, filters),
    seriesName(node, context),
  ]);
  const buckets = period!.buckets!;
  const first = buckets.starts[0] ?? period!.span.from;
  const before = unitAround(first - 1, buckets.interval, zone, context.weekStartDay).start;
  return {
    query,
    node,
    name,
    buckets,
    sight: {
      actor: actorOf(index ?? query.aggregation_group_type_index, filters),
      // The last interval counts whole, as the first one does.
      span: { from: before, to: buckets.end },
      buckets: { starts: [before, ...buckets.starts], end: buckets.end },
      conditions: [...scope, ...own, hasProfile(filters)],
    },
    zone,
  };
}

/** Events without a person profile are not counted, as in PostHog: their persons are not stored. */
function hasProfile(filters: FilterContext): Expr {
  const { text } = propertyOperand('event', ['properties', '$process_person_profile'], filters);
  return compare('!=', call('coalesce', text, constant('')), constant('false'));
}

export const ACTOR = field('actor');
export const BUCKET = field('bucket');
export const STATUS = field('status');
const ONE = constant(1);

/**
 * How many actors have which status in which interval: a row for each status with two arrays of the same length, the
 * numbers of intervals from 1, and the actors.
 */
export function lifecycleStatement(plan: LifecyclePlan): SelectQuery {
  const counts = select({
    select: [STATUS, BUCKET, alias(call('count'), 'actors')],
    from: from('statuses'),
    groupBy: [STATUS, BUCKET],
  });
  return {
    ...select({
      select: [
        STATUS,
        alias(call('groupArray', BUCKET), 'buckets'),
        alias(call('groupArray', field('actors')), 'counts'),
      ],
      from: from(counts),
      groupBy: [STATUS],
    }),
    ctes: ctesOf(plan),
  };
}

export function ctesOf({ query, sight }: LifecyclePlan) {
  const firsts = select({
    select: [ACTOR, alias(call('min', BUCKET), 'first')],
    from: from('seen'),
    groupBy: [ACTOR],
  });
  return [
    cte('seen', seenByInterval(query, sight)),
    cte('earlier', neighbours('+')),
    cte('later', neighbours('-')),
    cte('firsts', firsts),
    cte('created', createdQuery(sight)),
    cte('statuses', unionAll([active(), dormant(sight.buckets.starts.length)])),
  ];
}

/** All seen actors, shifted one interval later or earlier. */
function neighbours(direction: '+' | '-'): SelectQuery {
  return select({
    select: [ACTOR, alias(arithmetic(direction, BUCKET, ONE), 'beside')],
    from: from('seen'),
  });
}

/** New: first seen in the interval of their creation. Returning: also seen in the interval before. */
function active(): SelectQuery {
  const isNew = compare('==', field('created', 'born'), field('seen', 'bucket'));
  const status = call(
    'multiIf',
    and(isNotNull(field('created', 'born')), isNew),
    constant('new'),
    isNotNull(field('earlier', 'beside')),
    constant('returning'),
    constant('resurrecting'),
  );
  const isSameActor = compare('==', field('seen', 'actor'), field('created', 'actor'));
  const withEarlier = join(from('seen'), 'LEFT JOIN', from('earlier'), isBeside('earlier'));
  return select({
    select: [
      alias(field('seen', 'actor'), 'actor'),
      alias(field('seen', 'bucket'), 'bucket'),
      alias(status, 'status'),
    ],
    from: join(withEarlier, 'LEFT JOIN', from('created'), isSameActor),
    where: compare('>=', field('seen', 'bucket'), ONE),
  });
}

/** Seen in the interval before, and not in this one. */
function dormant(intervals: number): SelectQuery {
  const next = arithmetic('+', field('seen', 'bucket'), ONE);
  return select({
    select: [
      alias(field('seen', 'actor'), 'actor'),
      alias(next, 'bucket'),
      alias(constant('dormant'), 'status'),
    ],
    from: join(from('seen'), 'LEFT ANTI JOIN', from('later'), isBeside('later')),
    where: compare('<', next, constant(intervals)),
  });
}

function isBeside(name: string): Expr {
  return and(
    compare('==', field('seen', 'actor'), field(name, 'actor')),
    compare('==', field('seen', 'bucket'), field(name, 'beside')),
  );
}

/**
 * Actors created in an interval (`born`) and not seen before it: by the stored creation time of persons and groups,
 * or by the first event of actors that have no row.
 */
function createdQuery({ actor, buckets, span }: Sight): SelectQuery {
  const known = profiles(actor);
  const isSame = compare('==', field('firsts', 'actor'), field('profiles', 'actor'));
  const newActors = select({
    select: [alias(field('firsts', 'actor'), 'actor')],
    from: join(from('firsts'), 'LEFT ANTI JOIN', from(known, 'profiles'), isSame),
  });
  const firstEvents = select({
    select: [alias(actor.id, 'actor'), alias(call('min', field('timestamp')), 'at')],
    from: from('events'),
    where: and(
      compare('<', field('timestamp'), dateTime(span.to)),
      compare('in', actor.id, newActors),
      ...actor.isKnown,
    ),
    groupBy: [ACTOR],
  });
  const at = field('births', 'at');
  const createdAt = bucketIndex(at, buckets);
  return select({
    select: [alias(field('births', 'actor'), 'actor'), alias(createdAt, 'born')],
    from: join(
      from(unionAll([known, firstEvents]), 'births'),
      'INNER JOIN',
      from('firsts'),
      compare('==', field('births', 'actor'), field('firsts', 'actor')),
    ),
    where: and(
      between(at, { from: span.from, to: buckets.end }),
      compare('==', createdAt, field('firsts', 'first')),
    ),
  });
}

/** Also without access to persons: the kind shows none. */
const PERSONS: Field = { ...field('persons'), isCounted: true };

/** The moments at which persons, or groups of a type, came to be. */
function profiles({ groupTypeIndex }: Actor): SelectQuery {
  const created = alias(field('created_at'), 'at');
  if (groupTypeIndex === null) {
    return select({
      select: [alias(field('id'), 'actor'), created],
      from: { ...from('persons'), table: PERSONS },
    });
  }
  return select({
    select: [alias(field('key'), 'actor'), created],
    from: from('groups'),
    where: compare('==', field('index'), constant(groupTypeIndex)),
  });
}
