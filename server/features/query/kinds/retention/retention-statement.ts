import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  call,
  compare,
  constant,
  cte,
  field,
  from,
  isNotNull,
  join,
  not,
  or,
  order,
  over,
  select,
} from '../../../../hogql/build.ts';
import { NULL_VALUE, OTHER_VALUE } from '../../breakdowns/breakdown.ts';
import type { RetentionQuery } from '../insight-kinds.contract.ts';
import { rolesOf, seenQuery, startsQuery } from './retention-events.ts';
import type { Place } from './retention-dates.ts';
import type { RetentionPlan } from './retention-plan.ts';

/** The breakdown of actors: a text, and the number of values with rows of their own. */
export interface Values {
  readonly text: Expr;
  readonly limit: number;
}

const ACTOR = field('actor');
const START = field('start');
const VALUE = field('value');
const GAP = field('gap');
const PLACE = field('place');
const ZERO = constant(0);

/**
 * The cells of a retention: a row per value and start interval with arrays: the non-empty columns, their number of
 * actors, and if requested the sum and count of the property.
 */
export function retentionStatement(
  query: RetentionQuery,
  plan: RetentionPlan,
  values: Values | null,
): SelectQuery {
  const shown = values === null ? [] : [VALUE];
  const cells = select({
    select: [
      ...shown,
      START,
      PLACE,
      alias(countOf(plan), 'persons'),
      // An array leaves out what is NULL, as the sum of nothing is.
      ...amountColumns(plan).map((name) => alias(call('ifNull', call('sum', field(name)), ZERO), `${name}s`)),
    ],
    from: from(placed(plan, values)),
    groupBy: [...shown, START, PLACE],
  });
  return {
    ...select({
      select: [
        ...shown,
        START,
        ...['place', 'persons', ...amountColumns(plan).map((name) => `${name}s`)].map((name) =>
          call('groupArray', field(name)),
        ),
      ],
      from: from(cells),
      groupBy: [...shown, START],
    }),
    ctes: ctesOf(query, plan, values),
  };
}

/** Who is in a row of the answer, or in one of its places; in `appearances`, all places in which they were seen. */
export function rowActors(
  query: RetentionQuery,
  plan: RetentionPlan,
  values: Values | null,
  { row, value, place }: { row: number; value: string | null; place: number | null },
): SelectQuery {
  const there = constant(place);
  const isThere = plan.isCumulative
    ? compare('>=', call('max', PLACE), there)
    : compare('>', call('countIf', compare('==', PLACE, there)), ZERO);
  return {
    ...select({
      select: [
        alias(ACTOR, 'actor_id'),
        alias(call('arraySort', call('groupUniqArray', PLACE)), 'appearances'),
      ],
      from: from(placed(plan, values)),
      where: and(
        compare('==', START, constant(row)),
        ...(value === null ? [] : [compare('==', VALUE, constant(value))]),
      ),
      groupBy: [ACTOR],
      ...(place !== null && { having: isThere }),
    }),
    ctes: ctesOf(query, plan, values),
  };
}

function ctesOf(query: RetentionQuery, plan: RetentionPlan, values: Values | null) {
  const starts = startsQuery(query, plan, values?.text ?? null);
  const seen = cte('seen', seenQuery(query, plan));
  if (values === null) return [seen, cte('starts', starts)];
  return [
    seen,
    cte('valued', starts),
    cte('ranked', rankedValues(values.limit)),
    cte('starts', shownStarts()),
  ];
}

/** The values with which most begin. What has no value is shown beside them. */
function rankedValues(limit: number): SelectQuery {
  return select({
    select: [alias(VALUE, 'top'), alias(call('count'), 'rank')],
    from: from('valued'),
    where: compare('!=', VALUE, constant(NULL_VALUE)),
    groupBy: [VALUE],
    orderBy: [order(field('rank'), 'DESC'), order(field('top'))],
    limit,
  });
}

function shownStarts(): SelectQuery {
  const value = field('valued', 'value');
  const isShown = or(compare('==', value, constant(NULL_VALUE)), isNotNull(field('ranked', 'top')));
  return select({
    select: [
      ACTOR,
      START,
      field('began_at'),
      alias(call('if', isShown, value, constant(OTHER_VALUE)), 'value'),
    ],
    from: join(from('valued'), 'LEFT JOIN', from('ranked'), compare('==', value, field('ranked', 'top'))),
  });
}

/** A row for each actor, interval of beginning and interval since: the place in which it counts. */
function placed(plan: RetentionPlan, values: Values | null): SelectQuery {
  const { dates, isCumulative } = plan;
  const pairs =
    dates.windowMs === null ? calendarPairs(plan, values) : windowPairs(plan, values, dates.windowMs);
  const last = over(call('max', GAP), { partitionBy: [ACTOR, START] });
  return select({
    select: [
      ACTOR,
      START,
      ...(values === null ? [] : [VALUE]),
      alias(placeOf(dates.places), 'place'),
      ...(isCumulative ? [alias(compare('==', GAP, last), 'is_last')] : []),
      ...amountColumns(plan).map((name) => field(name)),
    ],
    from: from(pairs),
  });
}

function countOf({ isCumulative, dates: { places } }: RetentionPlan): Expr {
  if (isCumulative) return call('countIf', field('is_last'));
  const isEach = places.every(({ from: first, to }) => to - first === 1);
  return isEach ? call('count') : call('uniq', ACTOR);
}

function placeOf(places: readonly Place[]): Expr {
  if (places.every(({ from: first, to }) => to - first === 1)) return GAP;
  const branches = places
    .slice(0, -1)
    .flatMap(({ to }, at) => [compare('<', GAP, constant(to)), constant(at)]);
  return call('multiIf', ...branches, constant(places.length - 1));
}

/** The first interval counts actors that start, later ones actors that return often enough. */
function counts(gap: Expr, returns: Expr, plan: RetentionPlan): Expr[] {
  const { minimum, dates } = plan;
  const isEvery = rolesOf(plan).returns === null && minimum === 1;
  return [
    compare('>=', gap, ZERO),
    compare('<', gap, constant(dates.places.at(-1)!.to)),
    ...(isEvery ? [] : [or(compare('==', gap, ZERO), compare('>=', returns, constant(minimum)))]),
  ];
}

function calendarPairs(plan: RetentionPlan, values: Values | null): SelectQuery {
  const gap = arithmetic('-', field('seen', 'bucket'), field('starts', 'start'));
  const isFirst = compare('==', gap, ZERO);
  const either = (name: string): Expr =>
    call('if', isFirst, field('seen', `begun_${name}`), field('seen', `back_${name}`));
  const amounts = [alias(either('sum'), 'amount'), alias(either('count'), 'amount_count')];
  return select({
    select: [...startColumns(values), alias(gap, 'gap'), ...(plan.aggregated === null ? [] : amounts)],
    from: startsAndSeen(),
    where: and(...counts(gap, field('seen', 'returns'), plan)),
  });
}

/** Windows of equal length follow each person's own beginning, so what is seen in each is counted for each of them. */
function windowPairs(plan: RetentionPlan, values: Values | null, windowMs: number): SelectQuery {
  const micros = (moment: Expr): Expr => call('toUnixTimestamp64Micro', moment);
  const began = field('starts', 'began_at');
  const since = arithmetic('-', micros(field('seen', 'at')), micros(began));
  const gap = call('intDiv', since, constant(windowMs * 1_000));
  const number = field('seen', 'amount');
  const keys = [ACTOR, START, ...(values === null ? [] : [VALUE]), GAP];
  const amounts = [alias(call('sum', number), 'amount'), alias(call('count', number), 'amount_count')];
  const intervals = plan.dates.buckets.starts.length;
  const seen = select({
    select: [
      ...startColumns(values),
      alias(gap, 'gap'),
      alias(call('count'), 'returns'),
      ...(plan.aggregated === null ? [] : amounts),
    ],
    from: startsAndSeen(),
    where: and(
      compare('>=', field('seen', 'at'), began),
      // A row has as many places as its intervals have begun.
      compare('<', arithmetic('+', field('starts', 'start'), gap), constant(intervals)),
      ...hasRole(plan, gap),
    ),
    groupBy: keys,
  });
  return select({
    select: [...keys, ...amountColumns(plan).map((name) => field(name))],
    from: from(seen),
    where: and(...counts(GAP, field('returns'), plan)),
  });
}

/** Start events count in the first window, return events in later ones. */
function hasRole(plan: RetentionPlan, gap: Expr): Expr[] {
  const { begins, returns } = rolesOf(plan);
  const is = (role: Expr | null, name: string): Expr =>
    role === null ? constant(true) : compare('>', field('seen', name), ZERO);
  if (begins === null && returns === null) return [];
  const isFirst = compare('==', gap, ZERO);
  return [or(and(isFirst, is(begins, 'begins')), and(not(isFirst), is(returns, 'returns')))];
}

function amountColumns({ aggregated }: RetentionPlan): string[] {
  return aggregated === null ? [] : ['amount', 'amount_count'];
}

function startColumns(values: Values | null): Expr[] {
  const names = ['actor', 'start', ...(values === null ? [] : ['value'])];
  return names.map((name) => alias(field('starts', name), name));
}

function startsAndSeen() {
  const isSame = compare('==', field('starts', 'actor'), field('seen', 'actor'));
  return join(from('starts'), 'INNER JOIN', from('seen'), isSame);
}
