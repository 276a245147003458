import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  arithmetic,
  call,
  constant,
  field,
  from,
  isNotNull,
  select,
  tuple,
  tupleAccess,
  compare,
  join,
  and,
  cte,
  isNull,
  or,
  order,
  over,
} from '../../../../hogql/build.ts';
import {
  type FunnelPlan,
  ACTOR,
  dimensionsOf,
  fields,
  namesOf,
  placeName,
  timeName,
  valueName,
  AT,
  BUCKET,
  VOID,
  VOID_PASSED,
} from './plan.ts';
import { attemptsOf, type Attempts, ATTEMPT, columns, EVENT } from './attempts.ts';
import { anyStep, eventsWhere, sumOf, valueExprs, valueKeys, withMissing } from './sequence.ts';
import { OTHER_VALUE } from '../../breakdown.ts';

/**
 * The attempt that counts of every actor, or of every actor and value where values tell attempts apart (over time, of every
 * interval): the one that comes furthest; of those one that no exclusion voids, then the one that takes most steps that may be
 * left out, then that gets there first, then that began last. Whose furthest attempt is void does not count at all.
 */
export function bestAttempts({ query, names }: Attempts, plan: FunnelPlan): Attempts {
  const keys = [ACTOR, ...valueKeys(plan), ...(plan.buckets === null ? [] : [BUCKET])];
  const parts = [
    ...plan.steps.map((_, at) => timeName(at)),
    ...names.filter((name) => name === VOID || name === VOID_PASSED),
  ];
  const best = select({
    select: [...fields(keys), alias(call('argMax', tuple(...fields(parts)), rank(plan, names)), 'best')],
    from: from(query),
    groupBy: fields(keys),
  });
  const columns = parts.map((name, at) => alias(tupleAccess(field('best'), at + 1), name));
  const all = select({ select: [...fields(keys), ...columns], from: from(best) });
  return { query: names.includes(VOID) ? withoutVoid(all, parts, plan) : all, names: [...keys, ...parts] };
}

/**
 * The best attempts without those that are void. Over time, where an actor took a step after an excluded event in any interval,
 * those of the others that did not convert do not count either.
 */
function withoutVoid(all: SelectQuery, parts: readonly string[], plan: FunnelPlan): SelectQuery {
  const keys = [ACTOR, ...valueKeys(plan), ...(plan.buckets === null ? [] : [BUCKET])];
  const isValid = isNull(field(VOID));
  if (!parts.includes(VOID_PASSED)) {
    return select({ select: fields([...keys, ...parts]), from: from(all), where: isValid });
  }
  const passed = call('coalesce', field(VOID_PASSED), constant(0));
  const marked = select({
    select: [
      ...fields([...keys, ...parts]),
      alias(over(call('max', passed), { partitionBy: fields([ACTOR, ...valueKeys(plan)]) }), 'has_passed'),
    ],
    from: from(all),
  });
  const isConverted = isNotNull(field(timeName(pickedSteps(plan).to)));
  return select({
    select: fields([...keys, ...parts]),
    from: from(marked),
    where: and(isValid, or(isConverted, compare('==', field('has_passed'), constant(0)))),
  });
}

/** Which of two attempts counts: the greater. */
function rank(plan: FunnelPlan, names: readonly string[]): Expr {
  const { steps, order } = plan;
  const hasVoid = names.includes(VOID);
  // Where events are numbered, of two at one moment the first comes first.
  const when = names.includes(placeName(0)) ? placeName : timeName;
  const last = call('coalesce', ...steps.map((_, at) => field(when(at))).toReversed());
  const level = taken(plan, false);
  // Without an order the first attempt that comes as far counts.
  if (order === 'unordered') return tuple(level, arithmetic('-', constant(0), field(timeName(0))));
  return tuple(
    hasVoid ? call('coalesce', field(VOID), level) : level,
    ...(hasVoid ? [call('if', isNull(field(VOID)), constant(1), constant(0))] : []),
    ...(steps.some(({ isOptional }) => isOptional) ? [taken(plan, true)] : []),
    arithmetic('-', constant(0), last),
    field(when(0)),
  );
}

/** How many steps an attempt takes: those that may be left out, or the others. */
export function taken({ steps }: FunnelPlan, optional: boolean): Expr {
  return sumOf(
    steps.flatMap(({ isOptional }, at) =>
      isOptional === optional ? [call('if', isNotNull(field(timeName(at))), constant(1), constant(0))] : [],
    ),
  );
}

export function bestName(name: string): string {
  return `best_${name}`;
}

/**
 * Adds the values of the breakdown to attempts without them: those of their actor's first, or last, event of the funnel that
 * has any. Attempts that carry values of their own events keep them.
 */
export function attributed({ query, names }: Attempts, plan: FunnelPlan): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName);
  if (values.every((name) => names.includes(name))) return query;
  return select({
    select: [
      ...columns(ATTEMPT, names),
      ...values.map((name) => alias(withMissing(field(EVENT, name)), name)),
    ],
    from: join(
      from(query, ATTEMPT),
      'LEFT JOIN',
      from(touches(values, plan), EVENT),
      compare('==', field(ATTEMPT, ACTOR), field(EVENT, ACTOR)),
    ),
  });
}

/**
 * All values of each actor's first, or last, event that has any; of several at one moment, the least or the greatest. In strict
 * order every event is one of the funnel.
 */
function touches(names: readonly string[], plan: FunnelPlan): SelectQuery {
  const isFirst = plan.attribution.kind === 'first_touch';
  const excluded = plan.exclusions.map(({ condition }) => condition ?? constant(true));
  const isOfFunnel = anyStep(plan);
  const where = plan.order === 'strict' || isOfFunnel.length === 0 ? [] : [or(...isOfFunnel, ...excluded)];
  const values = valueExprs(plan);
  const events = select({
    select: [
      alias(plan.actor.id, ACTOR),
      alias(field('timestamp'), AT),
      ...values.map((value, at) => alias(call('coalesce', value, constant('')), names[at]!)),
    ],
    ...eventsWhere(plan, where),
  });
  const hasAny = or(...names.map((name) => compare('!=', field(name), constant(''))));
  const all = tuple(...fields(names));
  const touch = call(isFirst ? 'argMinIf' : 'argMaxIf', all, tuple(field(AT), ...fields(names)), hasAny);
  const touched = select({
    select: [field(ACTOR), alias(touch, 'touch')],
    from: from(events),
    groupBy: [field(ACTOR)],
    having: compare('>', call('countIf', hasAny), constant(0)),
  });
  return select({
    select: [
      field(ACTOR),
      ...names.map((name, at) =>
        alias(call('nullIf', tupleAccess(field('touch'), at + 1), constant('')), name),
      ),
    ],
    from: from(touched),
  });
}

/** The name of the query that holds the rows of all values of a breakdown. */
const ALL_VALUES = 'all_values';

/**
 * Rows whose values are those with which most actors took the last step, then the step before it and so on; the others are
 * brought together as one value, or left out. Over time they are those with which most actors entered, and the others are left
 * out. `names` are further columns of the rows, `more` columns of the result. The statement uses the rows twice.
 */
export function withShownValues(
  rows: SelectQuery,
  names: readonly string[],
  plan: FunnelPlan,
  more: readonly Expr[] = [],
): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName);
  const { breakdown } = plan;
  if (breakdown?.kind !== 'values') return rows;
  const isOverTime = plan.buckets !== null;
  const took = plan.steps.map((_, at) => call('uniqIf', field(ACTOR), isNotNull(field(timeName(at)))));
  const entered = isOverTime ? [isNotNull(field(timeName(pickedSteps(plan).from)))] : [];
  const ranks = isOverTime
    ? entered.map((isEntered) => call('uniqIf', tuple(field(ACTOR), field(BUCKET)), isEntered))
    : took.toReversed();
  const top = select({
    select: values.map((name, at) => alias(field(name), `top_${at + 1}`)),
    from: from(ALL_VALUES),
    groupBy: fields(values),
    orderBy: [
      ...ranks.map((number) => order(number, 'DESC')),
      ...values.map((name) => order(field(name), isOverTime ? 'DESC' : 'ASC')),
    ],
    limit: breakdown.limit,
  });
  const isHidden = isNull(field('top', 'top_1'));
  const shown = (name: string): Expr => call('if', isHidden, constant(OTHER_VALUE), field('one', name));
  const same = values.map((name, at) => compare('==', field('one', name), field('top', `top_${at + 1}`)));
  return select({
    ctes: [cte(ALL_VALUES, rows), cte('top_values', top)],
    select: [
      ...names.map((name) => alias(field('one', name), name)),
      ...values.map((name) => alias(shown(name), name)),
      ...more,
    ],
    from: join(
      from(ALL_VALUES, 'one'),
      breakdown.hidesOther || isOverTime ? 'INNER JOIN' : 'LEFT JOIN',
      from('top_values', 'top'),
      and(...same),
    ),
  });
}

/** `to - from` in seconds, of times in microseconds. */
function seconds(from: Expr, to: Expr): Expr {
  return arithmetic('/', arithmetic('-', to, from), constant(1_000_000));
}

/** The median of the seconds from the first step to the last, of those who took it. */
function totalMedian(plan: FunnelPlan): Expr {
  const last = field(timeName(plan.steps.length - 1));
  return call('medianIf', seconds(field(timeName(0)), last), isNotNull(last));
}

const TOTAL = 'total';

/** The same of all groups together; the statement uses their rows once more. */
export function totalTime(best: SelectQuery, plan: FunnelPlan): SelectQuery {
  return select({ select: [alias(totalMedian(plan), TOTAL)], from: from(best) });
}

/**
 * Counts the attempts that count: a row for each value of the breakdown, or one. The last column is the median of the time from
 * the first step to the last, of all values together. `entered` counts those who took the first
 * step where the attempts are only those that went further.
 */
export function stepCounts(
  best: SelectQuery,
  plan: FunnelPlan,
  entered: SelectQuery | null = null,
): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName);
  const times = plan.steps.map((_, at) => timeName(at));
  const numbers = plan.steps.flatMap((_, at) => {
    const gap = gapBefore(at, plan);
    const taken = call('countIf', isNotNull(field(timeName(at))));
    const counted = at === 0 && entered !== null ? entered : taken;
    return [
      alias(counted, `count_${at}`),
      ...(gap === null
        ? []
        : [
            // Steps at one moment took no time.
            alias(call('avgIf', gap, compare('>', gap, constant(0))), `average_${at}`),
            alias(call('medianIf', gap, compare('>', gap, constant(0))), `median_${at}`),
          ]),
    ];
  });
  const isGrouped = values.length > 0;
  const ofAll = select({ select: [alias(totalMedian(plan), TOTAL)], from: from(ALL_VALUES) });
  const rows = withShownValues(best, [ACTOR, ...times], plan, [alias(ofAll, TOTAL)]);
  const total = isGrouped ? call('any', field(TOTAL)) : totalMedian(plan);
  return select({
    select: [...values.map((name) => field(name)), ...numbers, alias(total, 'total_median')],
    from: from(rows),
    ...(isGrouped && {
      groupBy: values.map((name) => field(name)),
      orderBy: [
        ...plan.steps.map((_, at) => order(field(`count_${at}`), 'DESC')).toReversed(),
        ...values.map((name) => order(field(name))),
      ],
    }),
  });
}

/** Seconds from the last step before that was taken; null for the first step. */
function gapBefore(step: number, plan: FunnelPlan): Expr | null {
  return step === 0 ? null : seconds(lastTime(step - 1, plan), field(timeName(step)));
}

/** When the last step up to this one was taken: optional ones may have been left out. */
export function lastTime(step: number, { steps }: FunnelPlan): Expr {
  const times: Expr[] = [];
  for (let at = step; at >= 0; at -= 1) {
    times.push(field(timeName(at)));
    if (steps[at]!.isOptional !== true) break;
  }
  return times.length === 1 ? times[0]! : call('coalesce', ...times);
}

/** A funnel shown over time: without the steps after the one to which conversion is measured. */
export function upToPicked(plan: FunnelPlan): FunnelPlan {
  const { attribution } = plan;
  const { to } = pickedSteps(plan);
  const last = attribution.kind === 'step' ? Math.max(to, attribution.step) : to;
  // Without an order any of the steps may be among those that were taken by then.
  const steps = plan.order === 'unordered' ? plan.steps : plan.steps.slice(0, last + 1);
  const exclusions = plan.exclusions
    .filter(({ from }) => from < steps.length - 1)
    .map((one) => ({ ...one, to: Math.min(one.to, steps.length - 1) }));
  return { ...plan, steps, exclusions };
}

/** What each actor reached in each interval, by the attempts that begin in it. */
export function intervalRows(plan: FunnelPlan): Attempts {
  const attempts = attemptsOf(plan);
  // Any attempt of an interval may convert: which of them counts matters only where exclusions void some.
  return plan.exclusions.length === 0 ? attempts : bestAttempts(attempts, plan);
}

/**
 * Counts, for each interval, who began an attempt in it, and who came with one of these to the end: a row for each value of
 * the breakdown, or one, with three arrays of the same length.
 */
export function intervalCounts(whole: FunnelPlan): SelectQuery {
  const { from: first, to } = pickedSteps(whole);
  const plan = upToPicked(whole);
  const times = plan.steps.map((_, at) => timeName(at));
  const rows = attributed(intervalRows(plan), plan);
  const values = fields(namesOf(dimensionsOf(plan), valueName));
  const counted = (step: number) => call('uniqIf', field(ACTOR), isNotNull(field(timeName(step))));
  const byInterval = select({
    select: [...values, field(BUCKET), alias(counted(first), 'entered'), alias(counted(to), 'converted')],
    from: from(withShownValues(rows, [ACTOR, BUCKET, ...times], plan)),
    groupBy: [...values, field(BUCKET)],
  });
  return select({
    select: [
      ...values,
      ...[BUCKET, 'entered', 'converted'].map((name) =>
        alias(call('groupArray', field(name)), `${name}_list`),
      ),
    ],
    from: from(byInterval),
    groupBy: values,
    ...(values.length > 0 && { orderBy: values.map((value) => order(value)) }),
  });
}

const MAX_AUTO_BINS = 60;
const MAX_BINS = 90;
/** Seconds of a bin when all took equally long. */
const MIN_WIDTH = 60;

/** The steps between which time or rate is measured, counted from 0; by default the first and the last. */
export function pickedSteps({ query, steps }: FunnelPlan): { from: number; to: number } {
  const { funnelFromStep, funnelToStep } = query.funnelsFilter ?? {};
  return { from: funnelFromStep ?? 0, to: funnelToStep ?? steps.length - 1 };
}

/** The number of bins that a query requests; null: as many as suit the number of conversions. */
export function requestedBins({ query }: Pick<FunnelPlan, 'query'>): number | null {
  const requested = query.funnelsFilter?.binCount ?? 'auto';
  return requested === 'auto' ? null : Math.min(Math.max(requested, 1), MAX_BINS);
}

/** As requested, or the cube root of the number of conversions. */
function binCount(plan: FunnelPlan): Expr {
  const requested = requestedBins(plan);
  if (requested !== null) return constant(requested);
  const root = call('ceil', call('round', call('cbrt', field('people')), constant(9)));
  return call('least', constant(MAX_AUTO_BINS), call('greatest', constant(1), root));
}

/** Bins of equal width in whole seconds. */
export interface Bins {
  /** Where the first one begins. */
  readonly least: number;
  readonly width: number;
  readonly count: number;
}

/** The conversion times of a period: the least and the greatest, and how many there are. */
export interface TimeRange {
  readonly least: number;
  readonly most: number;
  readonly people: number;
}

/** The bins that several periods share; null: no one converted in any of them. */
export function sharedBins(ranges: readonly TimeRange[], requested: number | null): Bins | null {
  const found = ranges.filter(({ people }) => people > 0);
  if (found.length === 0) return null;
  const least = Math.min(...found.map((one) => one.least));
  const most = Math.max(...found.map((one) => one.most));
  const people = found.reduce((sum, one) => sum + one.people, 0);
  // Cube roots of cubes are not always whole.
  const root = Math.ceil(Math.round(Math.cbrt(people) * 1e9) / 1e9);
  const number = requested ?? Math.min(Math.max(root, 1), MAX_AUTO_BINS);
  const width = Math.ceil((most - least) / number);
  return { least, width: width > 0 ? width : MIN_WIDTH, count: number };
}

const TIMES = 'times';

/** The seconds that actors took between the picked steps. */
function timesTaken(best: SelectQuery, plan: FunnelPlan): SelectQuery {
  const picked = pickedSteps(plan);
  const [start, end] = [field(timeName(picked.from)), field(timeName(picked.to))];
  return select({
    select: [alias(seconds(start, end), 'took')],
    from: from(best),
    where: and(isNotNull(start), isNotNull(end)),
  });
}

const RANGE = [
  alias(call('floor', call('min', field('took'))), 'least'),
  alias(call('ceil', call('max', field('took'))), 'most'),
  alias(call('count'), 'people'),
];

/** One row: the least and the greatest conversion time, and how many there are. */
export function timeRange(best: SelectQuery, plan: FunnelPlan): SelectQuery {
  return select({ select: RANGE, from: from(timesTaken(best, plan)) });
}

/**
 * Conversion times between two steps, in bins of whole seconds: `shared` ones, or those that suit them. One row per non-empty
 * bin: its index and size, and in each row the start of the first bin, bin width, bin count, mean and median.
 */
export function conversionTimes(
  best: SelectQuery,
  plan: FunnelPlan,
  shared: Bins | null = null,
): SelectQuery {
  const statistics = ['mean', 'median'];
  const measures = select({
    select: [
      ...RANGE,
      alias(call('avg', field('took')), 'mean'),
      alias(call('median', field('took')), 'median'),
    ],
    from: from(TIMES),
  });
  const sized = select({
    select: [...fields(['least', 'most', ...statistics]), alias(binCount(plan), 'bins')],
    from: from(measures),
  });
  const span = arithmetic('-', field('most'), field('least'));
  const width = call('ceil', arithmetic('/', span, field('bins')));
  const bins =
    shared === null
      ? select({
          select: [
            ...fields(['least', 'bins', ...statistics]),
            alias(call('if', compare('>', span, constant(0)), width, constant(MIN_WIDTH)), 'width'),
          ],
          from: from(sized),
        })
      : select({
          select: [
            alias(constant(shared.least), 'least'),
            alias(constant(shared.count), 'bins'),
            alias(constant(shared.width), 'width'),
            ...fields(statistics),
          ],
          from: from(measures),
        });
  const since = arithmetic('-', field(TIMES, 'took'), field('sizes', 'least'));
  return select({
    ctes: [cte(TIMES, timesTaken(best, plan)), cte('sizes', bins)],
    select: [
      alias(call('floor', arithmetic('/', since, field('sizes', 'width'))), 'bin'),
      alias(call('count'), 'people'),
      ...['least', 'width', 'bins', ...statistics].map((name) =>
        alias(call('any', field('sizes', name)), name),
      ),
    ],
    from: join(from(TIMES), 'CROSS JOIN', from('sizes')),
    groupBy: [field('bin')],
    orderBy: [order(field('bin'))],
  });
}
