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
import { bucketIndex } from '../../dates/buckets.ts';
import type { Actor } from '../actor.ts';
import { seenByInterval, type Sight } from '../seen-by-interval.ts';
import type { LifecyclePlan, LifecycleQuery } from './lifecycle-plan.ts';

const ACTOR = field('actor');
const BUCKET = field('bucket');
const STATUS = field('status');
const ONE = constant(1);

/**
 * How many actors have which status in which interval: a row for each status with two arrays of the same length, the
 * numbers of intervals from 1, and the actors.
 */
export function lifecycleStatement(query: LifecycleQuery, plan: LifecyclePlan): SelectQuery {
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
    ctes: ctesOf(query, plan),
  };
}

/** Who has a status in an interval; null: any. */
export function lifecycleActors(
  query: LifecycleQuery,
  plan: LifecyclePlan,
  point: { status: string | null; bucket: number | null },
): SelectQuery {
  const conditions = [
    ...(point.status === null ? [] : [compare('==', STATUS, constant(point.status))]),
    ...(point.bucket === null ? [] : [compare('==', BUCKET, constant(point.bucket))]),
  ];
  return {
    ...select({
      select: [alias(ACTOR, 'actor_id'), alias(call('count'), 'interval_count')],
      from: from('statuses'),
      ...(conditions.length > 0 && { where: and(...conditions) }),
      groupBy: [ACTOR],
    }),
    ctes: ctesOf(query, plan),
  };
}

function ctesOf(query: LifecycleQuery, { sight }: LifecyclePlan) {
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
      compare('>=', at, dateTime(span.from)),
      compare('<', at, dateTime(buckets.end)),
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
