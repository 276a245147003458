import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
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
import { bucketIndex } from '../../dates/buckets.ts';
import type { DateSpan } from '../../dates/date-span.ts';
import { eventsFrom } from '../../series/query-scope.ts';
import type { RetentionQuery } from '../insight-kinds.contract.ts';
import type { Occurrence, RetentionPlan } from './retention-plan.ts';

const TIMESTAMP = field('timestamp');
const ACTOR = field('actor');
const ONE = constant(1);

/** The breakdown value as text; null: no breakdown. */
type Value = Expr | null;

/** The condition of an occurrence's events; null: any event. */
function conditionOf({ entity, filters }: Occurrence): Expr | null {
  const conditions = [...(entity === null ? [] : [entity]), ...filters];
  return conditions.length === 0 ? null : and(...conditions);
}

function listed(condition: Expr | null): Expr[] {
  return condition === null ? [] : [condition];
}

function within({ from: start, to }: DateSpan): Expr {
  return and(compare('>=', TIMESTAMP, dateTime(start)), compare('<', TIMESTAMP, dateTime(to)));
}

/** Whether those who begin can be read from those who are seen, so that events are read once. */
export function beginsWhereSeen({ beginning, dates }: RetentionPlan, value: Value): boolean {
  return beginning === 'each' && value === null && dates.windowMs === null;
}

/** Which events are start events and which are return events; null: all. */
export interface Roles {
  readonly begins: Expr | null;
  readonly returns: Expr | null;
}

/** Says which events of `seenQuery` are which. */
export function rolesOf({ dates, target, returning, isSame }: RetentionPlan): Roles {
  const { begun, buckets, rows, windowMs } = dates;
  const end = buckets.starts[rows] ?? buckets.end;
  // The first and the last interval may contain events that are no start events.
  const begins = [
    ...(isSame ? [] : listed(conditionOf(target))),
    ...(begun.from > (buckets.starts[0] ?? begun.from)
      ? [compare('>=', TIMESTAMP, dateTime(begun.from))]
      : []),
    ...(windowMs === null && begun.to < end && begun.to < dates.seen.to
      ? [compare('<', TIMESTAMP, dateTime(begun.to))]
      : []),
  ];
  return {
    begins: begins.length === 0 ? null : and(...begins),
    returns: isSame ? null : conditionOf(returning),
  };
}

/** The FROM and WHERE of all start and return events. */
export function seenEvents(
  query: RetentionQuery,
  plan: RetentionPlan,
): Required<Pick<SelectQuery, 'from' | 'where'>> {
  const { actor, dates, scope, isSame } = plan;
  const [target, returning] = [conditionOf(plan.target), conditionOf(plan.returning)];
  const any = isSame ? listed(target) : target === null || returning === null ? [] : [or(target, returning)];
  return { from: eventsFrom(query), where: and(within(dates.seen), ...scope, ...any, ...actor.isKnown) };
}

/** The interval of an event, as `bucket`. */
export function bucketOf({ dates }: RetentionPlan): Expr {
  return alias(bucketIndex(TIMESTAMP, dates.buckets), 'bucket');
}

/**
 * Who was seen: a row for each actor and interval with `begins` and `returns`, how many events count in and back; or, for
 * windows of their own, a row for each event with its moment, `at`. With the sums and counts of the property beside them.
 */
export function seenQuery(query: RetentionQuery, plan: RetentionPlan): SelectQuery {
  const { actor, dates, minimum } = plan;
  const { begins, returns } = rolesOf(plan);
  const isEach = dates.windowMs !== null;
  const counted = (condition: Expr | null): Expr => {
    if (isEach) return condition === null ? ONE : call('if', condition, ONE, constant(0));
    return condition === null ? call('count') : call('countIf', condition);
  };
  return select({
    select: [
      alias(actor.id, 'actor'),
      isEach ? alias(TIMESTAMP, 'at') : bucketOf(plan),
      ...(begins === null ? [] : [alias(counted(begins), 'begins')]),
      ...(returns === null && minimum === 1 ? [] : [alias(counted(returns), 'returns')]),
      ...amountsOf(plan, begins, returns),
    ],
    ...seenEvents(query, plan),
    ...(!isEach && { groupBy: [ACTOR, field('bucket')] }),
  });
}

/** Sums and counts of the property over events of either role. */
function amountsOf({ aggregated, dates }: RetentionPlan, begins: Expr | null, returns: Expr | null): Expr[] {
  if (aggregated === null) return [];
  const { number } = aggregated;
  if (dates.windowMs !== null) return [alias(number, 'amount')];
  const of = (name: string, condition: Expr | null): Expr =>
    condition === null ? call(name, number) : call(`${name}If`, number, condition);
  return [
    alias(of('sum', begins), 'begun_sum'),
    alias(of('count', begins), 'begun_count'),
    alias(of('sum', returns), 'back_sum'),
    alias(of('count', returns), 'back_count'),
  ];
}

/** Who began: actor, `start` (the interval), `began_at`, and the value that goes with it. */
export function startsQuery(query: RetentionQuery, plan: RetentionPlan, value: Value): SelectQuery {
  if (beginsWhereSeen(plan, value)) {
    const { begins } = rolesOf(plan);
    const { rows, buckets } = plan.dates;
    const conditions = [
      ...(begins === null ? [] : [compare('>', field('begins'), constant(0))]),
      ...(rows === buckets.starts.length ? [] : [compare('<', field('bucket'), constant(rows))]),
    ];
    return select({
      select: [ACTOR, alias(field('bucket'), 'start')],
      from: from('seen'),
      ...(conditions.length > 0 && { where: and(...conditions) }),
    });
  }
  return plan.beginning === 'each' ? startsInEach(query, plan, value) : firstStarts(query, plan, value);
}

/** The first event of an interval is the start, with its value. */
function startsInEach(query: RetentionQuery, plan: RetentionPlan, value: Value): SelectQuery {
  const { actor, dates, scope, target } = plan;
  const first = select({
    select: [
      alias(actor.id, 'actor'),
      alias(bucketIndex(TIMESTAMP, dates.buckets), 'start'),
      alias(firstOf([], value), 'first'),
    ],
    from: eventsFrom(query),
    where: and(within(dates.begun), ...scope, ...listed(conditionOf(target)), ...actor.isKnown),
    groupBy: [ACTOR, field('start')],
  });
  return select({
    select: [ACTOR, field('start'), ...partsOf([], value)],
    from: from(first),
  });
}

/** The first event of all: of those that fit, or of the event or action alone, when it fits too. */
function firstStarts(query: RetentionQuery, plan: RetentionPlan, value: Value): SelectQuery {
  const { actor, dates, scope, target } = plan;
  const demands = [...scope, ...target.filters];
  const isOfAll = plan.beginning === 'first of all' && demands.length > 0;
  const unfit = isOfAll ? [call('if', and(...demands), constant(0), ONE)] : [];
  const first = select({
    select: [alias(actor.id, 'actor'), alias(firstOf(unfit, value), 'first')],
    from: eventsFrom(query),
    where: and(
      compare('<', TIMESTAMP, dateTime(dates.begun.to)),
      ...(isOfAll ? [] : demands),
      ...listed(target.entity),
      ...actor.isKnown,
    ),
    groupBy: [ACTOR],
  });
  const parts = select({ select: [ACTOR, ...partsOf(unfit, value)], from: from(first) });
  const began = field('began_at');
  return select({
    select: [
      ACTOR,
      alias(bucketIndex(began, dates.buckets), 'start'),
      began,
      ...(value === null ? [] : [field('value')]),
    ],
    from: from(parts),
    where: and(
      compare('>=', began, dateTime(dates.begun.from)),
      ...(isOfAll ? [compare('==', field('unfit'), constant(0))] : []),
    ),
  });
}

/** The least moment with what stands beside it: of several at one moment those that fit, and then the least value. */
function firstOf(unfit: readonly Expr[], value: Value): Expr {
  const parts = [...unfit, ...(value === null ? [] : [value])];
  return call('min', parts.length === 0 ? TIMESTAMP : tuple(TIMESTAMP, ...parts));
}

function partsOf(unfit: readonly Expr[], value: Value): Expr[] {
  const first = field('first');
  const names = [...unfit.map(() => 'unfit'), ...(value === null ? [] : ['value'])];
  if (names.length === 0) return [alias(first, 'began_at')];
  return ['began_at', ...names].map((name, at) => alias(tupleAccess(first, at + 1), name));
}
