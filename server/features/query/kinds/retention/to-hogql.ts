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
  lambda,
  not,
  or,
  order,
  over,
  select,
  dateTime,
  tuple,
  tupleAccess,
  isNull,
  unionAll,
} from '../../../../hogql/build.ts';
import { NULL_VALUE, OTHER_VALUE, type BreakdownDimension } from '../../breakdown.ts';
import { isByValue, type RetentionPlan, type Place, type Occurrence } from './plan.ts';
import { bucketIndex } from '../../buckets.ts';
import { between, eventsFrom } from '../../series.ts';

/** The breakdown of actors: a text, and the number of values with rows of their own. */
interface Values {
  readonly text: Expr;
  readonly limit: number;
}

const ACTOR = field('actor');
const START = field('start');
const VALUE = field('value');
/** The value of the breakdown itself, where `value` is that of a row of the answer. */
const OWN = field('own_value');
const GAP = field('gap');
const PLACE = field('place');
const ZERO = constant(0);

/**
 * The cells of a retention: a row per value and start interval with arrays: the non-empty columns, their number of
 * actors, and if requested the sum of the property.
 */
export function retentionStatement(plan: RetentionPlan, values: Values | null): SelectQuery {
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
    ctes: ctesOf(plan, values),
  };
}

/** Who is in a row of the answer, or in one of its places; in `appearances`, all places in which they were seen. */
export function rowActors(
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
        ...placeColumns(plan),
      ],
      from: from(placed(plan, values)),
      where: and(
        compare('==', START, constant(row)),
        ...(value === null ? [] : [compare('==', VALUE, constant(value))]),
      ),
      groupBy: [ACTOR],
      ...(place !== null && { having: isThere }),
    }),
    ctes: ctesOf(plan, values),
  };
}

/** A column for each place, `day_0` and so on, as PostHog's lists of actors have: whether they were seen in it. */
function placeColumns({ dates: { period, places } }: RetentionPlan): Expr[] {
  return places.map((_, at) => {
    const isSeen = compare('>', call('countIf', compare('==', PLACE, constant(at))), ZERO);
    return alias(isSeen, `${period.toLowerCase()}_${at}`);
  });
}

function ctesOf(plan: RetentionPlan, values: Values | null) {
  const text = values?.text ?? null;
  const seen = cte('seen', seenQuery(plan, isByValue(plan) ? text : null));
  if (values === null) return [seen, cte('starts', startsQuery(plan, null))];
  const isOfWindows = plan.dates.windowMs !== null;
  return [
    seen,
    ...(isOfWindows
      ? [cte('begun', startsQuery(plan, null)), cte('valued', seenValues())]
      : [cte('valued', startsQuery(plan, text))]),
    cte('ranked', rankedValues(values.limit)),
    cte('starts', shownStarts()),
  ];
}

/** With windows of their own: everyone who starts, with each value that they are seen with from then on. */
function seenValues(): SelectQuery {
  const began = field('begun', 'began_at');
  const columns = [field('begun', 'actor'), field('begun', 'start'), began, field('seen', 'own_value')];
  const sameActor = compare('==', field('begun', 'actor'), field('seen', 'actor'));
  return select({
    select: ['actor', 'start', 'began_at', 'value'].map((name, at) => alias(columns[at]!, name)),
    from: join(from('begun'), 'INNER JOIN', from('seen'), sameActor),
    where: compare('>=', field('seen', 'at'), began),
    groupBy: columns,
  });
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
      alias(value, 'own_value'),
    ],
    from: join(from('valued'), 'LEFT JOIN', from('ranked'), compare('==', value, field('ranked', 'top'))),
  });
}

/** A row for each actor, interval of beginning and interval since: the place in which it counts. */
function placed(plan: RetentionPlan, values: Values | null): SelectQuery {
  const { dates, isCumulative } = plan;
  const pairs = dates.windowMs === null ? calendarPairs(plan, values) : windowPairs(plan, values);
  const last = over(call('max', GAP), { partitionBy: [ACTOR, START, ...ownValue(plan)] });
  return select({
    select: [
      ACTOR,
      START,
      ...(values === null ? [] : [VALUE]),
      ...ownValue(plan),
      alias(placeOf(dates.places), 'place'),
      ...(isCumulative ? [alias(compare('==', GAP, last), 'is_last')] : []),
      ...amountColumns(plan).map((name) => field(name)),
    ],
    from: from(pairs),
  });
}

function ownValue(plan: RetentionPlan): Expr[] {
  return isByValue(plan) ? [OWN] : [];
}

/** Persons; of several values that are brought together, each person with each of them. */
function countOf(plan: RetentionPlan): Expr {
  const { isCumulative, dates } = plan;
  if (isCumulative) return call('countIf', field('is_last'));
  const isEach = dates.places.every(({ from: first, to }) => to - first === 1);
  if (isEach) return call('count');
  return call('uniq', isByValue(plan) ? tuple(ACTOR, OWN) : ACTOR);
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
  const amounts = [alias(either('sum'), 'amount')];
  return select({
    select: [...startColumns(plan, values), alias(gap, 'gap'), ...(plan.aggregated === null ? [] : amounts)],
    from: startsAndSeen(plan),
    where: and(...counts(gap, field('seen', 'returns'), plan)),
  });
}

/**
 * Windows of equal length follow each person's own beginning, so what is seen in each is counted for each of them. They are
 * counted by whole hours of the clock, or for weeks and months by its days. With a value of the breakdown, everyone is in the
 * first window, also those whose start event has another one.
 */
function windowPairs(plan: RetentionPlan, values: Values | null): SelectQuery {
  const began = field('starts', 'began_at');
  const gap = windowsBetween(plan, began, field('seen', 'at'));
  const number = field('seen', 'amount');
  const keys = [ACTOR, START, ...(values === null ? [] : [VALUE]), ...ownValue(plan), GAP];
  const amounts = [alias(call('sum', number), 'amount')];
  const intervals = plan.dates.buckets.starts.length;
  const seen = select({
    select: [
      ...startColumns(plan, values),
      alias(gap, 'gap'),
      alias(call('count'), 'returns'),
      ...(plan.aggregated === null ? [] : amounts),
    ],
    from: startsAndSeen(plan),
    where: and(
      compare('>=', field('seen', 'at'), began),
      // A row has as many places as its intervals have begun.
      compare('<', arithmetic('+', field('starts', 'start'), gap), constant(intervals)),
      ...hasRole(plan, gap),
    ),
    groupBy: keys,
  });
  const amountNames = amountColumns(plan);
  const counted = select({
    select: [...keys, ...amountNames.map((name) => field(name))],
    from: from(seen),
    where: and(...counts(GAP, field('returns'), plan)),
  });
  if (values === null) return counted;
  const begun = select({
    select: [
      ...startColumns(plan, values),
      alias(ZERO, 'gap'),
      ...amountNames.map((name) => alias(ZERO, name)),
    ],
    from: from('starts'),
  });
  return select({
    select: [...keys, ...amountNames.map((name) => alias(call('sum', field(name)), name))],
    from: from(unionAll([counted, begun])),
    groupBy: keys,
  });
}

const CLOCK_UNITS = {
  Hour: { unit: 'hour', count: 1 },
  Day: { unit: 'hour', count: 24 },
  Week: { unit: 'day', count: 7 },
  Month: { unit: 'day', count: 30 },
} as const;

function windowsBetween({ dates }: RetentionPlan, begin: Expr, end: Expr): Expr {
  const { unit, count } = CLOCK_UNITS[dates.period];
  return call('intDiv', call('dateDiff', constant(unit), begin, end), constant(count));
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
  return aggregated === null ? [] : ['amount'];
}

function startColumns(plan: RetentionPlan, values: Values | null): Expr[] {
  const names = [
    'actor',
    'start',
    ...(values === null ? [] : ['value']),
    ...(isByValue(plan) ? ['own_value'] : []),
  ];
  return names.map((name) => alias(field('starts', name), name));
}

function startsAndSeen(plan: RetentionPlan) {
  const keys = ['actor', ...(isByValue(plan) ? ['own_value'] : [])];
  const same = keys.map((name) => compare('==', field('starts', name), field('seen', name)));
  return join(from('starts'), 'INNER JOIN', from('seen'), and(...same));
}

const TIMESTAMP = field('timestamp');
const ONE = constant(1);

/** The breakdown value as text; null: no breakdown. */
type ValueText = Expr | null;

/** The condition of an occurrence's events; null: any event. */
function conditionOf({ entity, filters }: Occurrence): Expr | null {
  const conditions = [...(entity === null ? [] : [entity]), ...filters];
  return conditions.length === 0 ? null : and(...conditions);
}

function listed(condition: Expr | null): Expr[] {
  return condition === null ? [] : [condition];
}

/** Whether those who begin can be read from those who are seen, so that events are read once. */
function beginsWhereSeen({ beginning, dates }: RetentionPlan, value: ValueText): boolean {
  return beginning === 'each' && value === null && dates.windowMs === null;
}

/** Which events are start events and which are return events; null: all. */
interface Roles {
  readonly begins: Expr | null;
  readonly returns: Expr | null;
}

/** Says which events of `seenQuery` are which. */
export function rolesOf({ target, returning, isSame }: RetentionPlan): Roles {
  return isSame
    ? { begins: null, returns: null }
    : { begins: conditionOf(target), returns: conditionOf(returning) };
}

/** The FROM and WHERE of all start and return events. */
export function seenEvents(plan: RetentionPlan): Required<Pick<SelectQuery, 'from' | 'where'>> {
  const { actor, dates, scope, isSame } = plan;
  const [target, returning] = [conditionOf(plan.target), conditionOf(plan.returning)];
  const any = isSame ? listed(target) : target === null || returning === null ? [] : [or(target, returning)];
  return {
    from: eventsFrom(plan.query),
    where: and(between(TIMESTAMP, dates.seen), ...scope, ...any, ...actor.isKnown),
  };
}

/** The interval of an event, as `bucket`. */
export function bucketOf({ dates }: RetentionPlan): Expr {
  return alias(bucketIndex(TIMESTAMP, dates.buckets), 'bucket');
}

/**
 * Who was seen: a row for each actor and interval with `begins` and `returns`, how many events count in and back; or, for
 * windows of their own, a row for each event with its moment, `at`. With the sums of the property beside them.
 */
function seenQuery(plan: RetentionPlan, value: ValueText): SelectQuery {
  const { actor, dates, minimum } = plan;
  const { begins, returns } = rolesOf(plan);
  const isEach = dates.windowMs !== null;
  const counted = (condition: Expr | null): Expr => {
    if (isEach) return condition === null ? ONE : call('if', condition, ONE, constant(0));
    return condition === null ? call('count') : call('countIf', condition);
  };
  const keys = [ACTOR, field('bucket'), ...(value === null ? [] : [OWN])];
  return select({
    select: [
      alias(actor.id, 'actor'),
      isEach ? alias(TIMESTAMP, 'at') : bucketOf(plan),
      ...(value === null ? [] : [alias(value, 'own_value')]),
      ...(begins === null ? [] : [alias(counted(begins), 'begins')]),
      ...(returns === null && minimum === 1 ? [] : [alias(counted(returns), 'returns')]),
      ...amountsOf(plan, begins, returns),
    ],
    ...seenEvents(plan),
    ...(!isEach && { groupBy: keys }),
  });
}

/** Sums of the property over events of either role. */
function amountsOf({ aggregated, dates }: RetentionPlan, begins: Expr | null, returns: Expr | null): Expr[] {
  if (aggregated === null) return [];
  const { number, withReturns } = aggregated;
  if (dates.windowMs !== null) return [alias(number, 'amount')];
  const of = (condition: Expr | null): Expr =>
    call('ifNull', condition === null ? call('sum', number) : call('sumIf', number, condition), ZERO);
  const begun = of(begins);
  return [
    alias(withReturns ? arithmetic('+', begun, laterSum(number, begins, returns)) : begun, 'begun_sum'),
    alias(of(returns), 'back_sum'),
  ];
}

/** The sum over those return events of an interval that come after its first start event. */
function laterSum(number: Expr, begins: Expr | null, returns: Expr | null): Expr {
  const micros = call('toUnixTimestamp64Micro', TIMESTAMP);
  const first = begins === null ? call('min', micros) : call('minIf', micros, begins);
  const pair = tuple(micros, call('ifNull', number, ZERO));
  const all = returns === null ? call('groupArray', pair) : call('groupArrayIf', pair, returns);
  const later = call('if', compare('>', tupleAccess(field('x'), 1), first), tupleAccess(field('x'), 2), ZERO);
  return call('arraySum', call('arrayMap', lambda(['x'], later), all));
}

/** Who began: actor, `start` (the interval), `began_at`, and the value that goes with it. */
function startsQuery(plan: RetentionPlan, value: ValueText): SelectQuery {
  if (beginsWhereSeen(plan, value)) {
    const { begins } = rolesOf(plan);
    return select({
      select: [ACTOR, alias(field('bucket'), 'start')],
      from: from('seen'),
      ...(begins !== null && { where: compare('>', field('begins'), constant(0)) }),
    });
  }
  return plan.beginning === 'each' ? startsInEach(plan, value) : firstStarts(plan, value);
}

/**
 * The first event of an interval is the start, of each value where values are followed by themselves; with windows of their own
 * actors begin once.
 */
function startsInEach(plan: RetentionPlan, value: ValueText): SelectQuery {
  const { actor, dates, scope, target } = plan;
  const isEach = dates.windowMs === null;
  const groupedBy = isByValue(plan) ? value : null;
  const picked = groupedBy === null ? value : null;
  const first = select({
    select: [
      alias(actor.id, 'actor'),
      ...(isEach ? [alias(bucketIndex(TIMESTAMP, dates.buckets), 'start')] : []),
      ...(groupedBy === null ? [] : [alias(groupedBy, 'value')]),
      alias(firstOf([], picked), 'first'),
    ],
    from: eventsFrom(plan.query),
    where: and(between(TIMESTAMP, dates.begun), ...scope, ...listed(conditionOf(target)), ...actor.isKnown),
    groupBy: [ACTOR, ...(isEach ? [START] : []), ...(groupedBy === null ? [] : [VALUE])],
  });
  const parts = select({
    select: [
      ACTOR,
      ...(isEach ? [START] : []),
      ...(groupedBy === null ? [] : [VALUE]),
      ...partsOf([], picked),
    ],
    from: from(first),
  });
  if (isEach) return parts;
  return select({
    select: [
      ACTOR,
      alias(windowsBetween(plan, dateTime(dates.begun.from), field('began_at')), 'start'),
      field('began_at'),
      ...(value === null ? [] : [VALUE]),
    ],
    from: from(parts),
  });
}

/** The first event of all: of those that fit, or of the event or action alone, when it fits too. */
function firstStarts(plan: RetentionPlan, value: ValueText): SelectQuery {
  const { actor, dates, scope, target } = plan;
  const demands = [...scope, ...target.filters];
  const isOfAll = plan.beginning === 'first of all' && demands.length > 0;
  const unfit = isOfAll ? [call('if', and(...demands), constant(0), ONE)] : [];
  const groupedBy = isByValue(plan) ? value : null;
  const picked = groupedBy === null ? value : null;
  const first = select({
    select: [
      alias(actor.id, 'actor'),
      ...(groupedBy === null ? [] : [alias(groupedBy, 'value')]),
      alias(firstOf(unfit, picked), 'first'),
    ],
    from: eventsFrom(plan.query),
    where: and(
      compare('<', TIMESTAMP, dateTime(dates.begun.to)),
      ...(isOfAll ? [] : demands),
      ...listed(target.entity),
      ...actor.isKnown,
    ),
    groupBy: [ACTOR, ...(groupedBy === null ? [] : [VALUE])],
  });
  const parts = select({
    select: [ACTOR, ...(groupedBy === null ? [] : [VALUE]), ...partsOf(unfit, picked)],
    from: from(first),
  });
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

/**
 * Takes the earliest moment with its parts: of several at one moment matching ones first, and then the smallest
 * value.
 */
function firstOf(unfit: readonly Expr[], value: ValueText): Expr {
  const parts = [...unfit, ...(value === null ? [] : [value])];
  return call('min', parts.length === 0 ? TIMESTAMP : tuple(TIMESTAMP, ...parts));
}

function partsOf(unfit: readonly Expr[], value: ValueText): Expr[] {
  const first = field('first');
  const names = [...unfit.map(() => 'unfit'), ...(value === null ? [] : ['value'])];
  if (names.length === 0) return [alias(first, 'began_at')];
  return ['began_at', ...names].map((name, at) => alias(tupleAccess(first, at + 1), name));
}

/** The breakdown of actors; null: none. */
export function valuesOf({ breakdown }: RetentionPlan): Values | null {
  if (breakdown?.kind !== 'values') return null;
  const texts = breakdown.dimensions.map(textOf);
  const text =
    texts.length === 1 ? texts[0]! : call('arrayStringConcat', call('array', ...texts), constant('::'));
  return { text, limit: breakdown.limit };
}

function textOf({ text }: BreakdownDimension): Expr {
  const isMissing = or(isNull(text), compare('==', text, constant('')));
  return call('coalesce', call('if', isMissing, constant(NULL_VALUE), text), constant(NULL_VALUE));
}
