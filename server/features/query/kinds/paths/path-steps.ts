import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  call,
  compare,
  constant,
  field,
  from,
  isNotNull,
  or,
  order,
  over,
  select,
} from '../../../../hogql/build.ts';
import { eventsFrom, inSpan } from '../../series/query-scope.ts';
import { notExcluded } from './path-item.ts';
import type { PathsPlan } from './paths-plan.ts';

/** Microseconds without an event after which a path ends: half an hour, as PostHog has it. */
const PAUSE = 30 * 60 * 1_000_000;
const MORE = '...';

const [ACTOR, AT, NAME, SESSION, PLACE] = ['actor', 'at', 'name', 'session', 'place'].map((name) =>
  field(name),
) as [Expr, Expr, Expr, Expr, Expr];

/** Events at the same moment stand in the order of their names. */
const IN_TIME = [order(AT), order(NAME)];
const PATH = [ACTOR, SESSION];

/**
 * The items of all paths: columns `actor`, `session`, `place` (from 1), `name` and `at` (Unix microseconds). A path is what an actor did
 * without a pause of half an hour; what follows itself is one item. It begins at the first start point and ends at
 * the first end point after that, where the query names them; what lacks one of them is no path. Of long paths the first items
 * are shown, with an end point alone the last, with both the first and the last, with an ellipsis between them.
 */
export function pathSteps(plan: PathsPlan): SelectQuery {
  return limited(between(compacted(sessions(named(plan))), plan), plan);
}

function named({ query, actor, item, scope, span, filters, filter }: PathsPlan): SelectQuery {
  const events = select({
    select: [
      alias(actor.id, 'actor'),
      alias(call('toUnixTimestamp64Micro', field('timestamp')), 'at'),
      alias(call('coalesce', item.name, constant('')), 'name'),
    ],
    from: eventsFrom(query),
    where: and(inSpan(span, filters), ...scope, ...item.where),
  });
  return select({
    select: [ACTOR, AT, NAME],
    from: from(events),
    where: and(compare('!=', NAME, constant('')), ...notExcluded(NAME, filter)),
  });
}

/** With the number of the session among those of its actor. */
function sessions(items: SelectQuery): SelectQuery {
  const window = { partitionBy: [ACTOR], orderBy: IN_TIME };
  const since = arithmetic('-', AT, over(call('lag', AT), window));
  const begun = select({
    select: [
      ACTOR,
      AT,
      NAME,
      alias(call('if', compare('>=', since, constant(PAUSE)), constant(1), constant(0)), 'begins'),
    ],
    from: from(items),
  });
  return select({
    select: [ACTOR, AT, NAME, alias(over(call('sum', field('begins')), window), 'session')],
    from: from(begun),
  });
}

/** Without items that follow themselves; with the places of those that are left. */
function compacted(items: SelectQuery): SelectQuery {
  const window = { partitionBy: PATH, orderBy: IN_TIME };
  const withBefore = select({
    select: [ACTOR, SESSION, AT, NAME, alias(over(call('lag', NAME), window), 'before')],
    from: from(items),
  });
  return select({
    select: [ACTOR, SESSION, AT, NAME, alias(over(call('row_number'), window), 'place')],
    from: from(withBefore),
    where: compare('!=', NAME, field('before')),
  });
}

/** From the start point to the end point; with the number of items, in `size`. */
function between(items: SelectQuery, { start, end }: PathsPlan): SelectQuery {
  const first = start === null ? items : fromStart(items, start);
  const last = end === null ? first : toEnd(first, end, start === null ? 1 : 2);
  return select({
    select: [ACTOR, SESSION, AT, NAME, PLACE, alias(over(call('count'), { partitionBy: PATH }), 'size')],
    from: from(last),
  });
}

/** Where an item is first on its path, at a place or later; NULL where it is not. */
function firstPlace(name: string, least: number): Expr {
  const here = and(compare('==', NAME, constant(name)), compare('>=', PLACE, constant(least)));
  return over(call('min', call('if', here, PLACE, constant(null))), { partitionBy: PATH });
}

function fromStart(items: SelectQuery, start: string): SelectQuery {
  const found = select({
    select: [ACTOR, SESSION, AT, NAME, PLACE, alias(firstPlace(start, 1), 'start')],
    from: from(items),
  });
  const since = arithmetic('+', arithmetic('-', PLACE, field('start')), constant(1));
  const moved = select({
    select: [ACTOR, SESSION, AT, NAME, alias(since, 'place')],
    from: from(found),
  });
  return select({
    select: [ACTOR, SESSION, AT, NAME, PLACE],
    from: from(moved),
    where: compare('>=', PLACE, constant(1)),
  });
}

function toEnd(items: SelectQuery, end: string, least: number): SelectQuery {
  const found = select({
    select: [ACTOR, SESSION, AT, NAME, PLACE, alias(firstPlace(end, least), 'end')],
    from: from(items),
  });
  return select({
    select: [ACTOR, SESSION, AT, NAME, PLACE],
    from: from(found),
    where: and(isNotNull(field('end')), compare('<=', PLACE, field('end'))),
  });
}

function limited(items: SelectQuery, { start, end, stepLimit }: PathsPlan): SelectQuery {
  const [size, limit] = [field('size'), constant(stepLimit)];
  const columns = (place: Expr, name: Expr): Expr[] => [
    ACTOR,
    SESSION,
    AT,
    alias(name, 'name'),
    alias(place, 'place'),
  ];
  if (end === null) {
    return select({
      select: columns(PLACE, NAME),
      from: from(items),
      where: compare('<=', PLACE, limit),
    });
  }
  const left = call('greatest', arithmetic('-', size, limit), constant(0));
  if (start === null) {
    const moved = select({
      select: columns(arithmetic('-', PLACE, left), NAME),
      from: from(items),
    });
    return select({
      select: [ACTOR, SESSION, AT, NAME, PLACE],
      from: from(moved),
      where: compare('>=', PLACE, constant(1)),
    });
  }
  // As many items at the beginning as at the end, and one that stands for those between.
  const half = constant(Math.floor(stepLimit / 2));
  const isLong = compare('>', size, limit);
  const isFirst = compare('<=', PLACE, half);
  const gap = arithmetic('+', half, constant(1));
  const isGap = and(isLong, compare('==', PLACE, gap));
  const fromEnd = arithmetic('-', size, PLACE);
  const isLast = compare('<', fromEnd, half);
  const last = arithmetic('-', arithmetic('+', gap, half), fromEnd);
  // A name in WHERE means what SELECT calls so: new names first.
  const shown = select({
    select: [
      ACTOR,
      SESSION,
      AT,
      alias(call('if', isGap, constant(MORE), NAME), 'shown_name'),
      alias(call('multiIf', or(compare('<=', size, limit), isFirst), PLACE, isGap, gap, last), 'shown_place'),
    ],
    from: from(items),
    where: or(compare('<=', size, limit), isFirst, isLast, isGap),
  });
  return select({ select: columns(field('shown_place'), field('shown_name')), from: from(shown) });
}
