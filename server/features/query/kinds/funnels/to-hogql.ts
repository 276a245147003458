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
} from './plan.ts';
import { attemptsOf, type Attempts, ATTEMPT, columns, EVENT } from './attempts.ts';
import { anyStep, eventsWhere, sumOf, valueExprs, valueKeys, withMissing } from './sequence.ts';
import { OTHER_VALUE } from '../../breakdown.ts';
import { fail } from '../../../../errors.ts';

/**
 * The attempt that counts of every actor, or of every actor and value where values tell attempts apart (over time, of every
 * interval): the one that comes furthest; of those one that no exclusion voids, then the one that takes most steps that may be
 * left out, then that gets there first, then that began last. Whose furthest attempt is void does not count at all.
 */
export function bestAttempts({ query, names }: Attempts, plan: FunnelPlan): Attempts {
  const keys = [ACTOR, ...valueKeys(plan), ...(plan.buckets === null ? [] : [BUCKET])];
  const hasVoid = names.includes(VOID);
  const parts = [...plan.steps.map((_, at) => timeName(at)), ...(hasVoid ? [VOID] : [])];
  const best = select({
    select: [...fields(keys), alias(call('argMax', tuple(...fields(parts)), rank(plan, names)), 'best')],
    from: from(query),
    groupBy: fields(keys),
  });
  const columns = parts.map((name, at) => alias(tupleAccess(field('best'), at + 1), name));
  const all = select({ select: [...fields(keys), ...columns], from: from(best) });
  return {
    query: hasVoid
      ? select({ select: fields([...keys, ...parts]), from: from(all), where: isNull(field(VOID)) })
      : all,
    names: [...keys, ...parts],
  };
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

/**
 * Rows whose values are those with which most actors took the last step, then the step before it and so on; the others are
 * brought together as one value, or left out. `names` are their further columns. The statement uses the rows twice.
 */
export function withShownValues(rows: SelectQuery, names: readonly string[], plan: FunnelPlan): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName);
  const { breakdown } = plan;
  if (breakdown?.kind !== 'values') return rows;
  const took = plan.steps.map((_, at) => call('uniqIf', field(ACTOR), isNotNull(field(timeName(at)))));
  const top = select({
    select: values.map((name, at) => alias(field(name), `top_${at + 1}`)),
    from: from('all_values'),
    groupBy: fields(values),
    orderBy: [
      ...took.toReversed().map((number) => order(number, 'DESC')),
      ...values.map((name) => order(field(name))),
    ],
    limit: breakdown.limit,
  });
  const isHidden = isNull(field('top', 'top_1'));
  const shown = (name: string): Expr => call('if', isHidden, constant(OTHER_VALUE), field('one', name));
  const same = values.map((name, at) => compare('==', field('one', name), field('top', `top_${at + 1}`)));
  return select({
    ctes: [cte('all_values', rows), cte('top_values', top)],
    select: [
      ...names.map((name) => alias(field('one', name), name)),
      ...values.map((name) => alias(shown(name), name)),
    ],
    from: join(
      from('all_values', 'one'),
      breakdown.hidesOther ? 'INNER JOIN' : 'LEFT JOIN',
      from('top_values', 'top'),
      and(...same),
    ),
  });
}

/** `to - from` in seconds, of times in microseconds. */
function seconds(from: Expr, to: Expr): Expr {
  return arithmetic('/', arithmetic('-', to, from), constant(1_000_000));
}

/**
 * Counts the attempts that count: a row for each value of the breakdown, or one. `entered` counts those who took the first
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
  return select({
    select: [...values.map((name) => field(name)), ...numbers],
    from: from(withShownValues(best, [ACTOR, ...times], plan)),
    ...(values.length > 0 && {
      groupBy: values.map((name) => field(name)),
      orderBy: [
        ...plan.steps.map((_, at) => order(field(`count_${at}`), 'DESC')).toReversed(),
        ...values.map((name) => order(field(name))),
      ],
    }),
  });
}

/** Seconds from the last step before that was taken; null for the first step. */
function gapBefore(step: number, { steps }: FunnelPlan): Expr | null {
  if (step === 0) return null;
  const before: Expr[] = [];
  for (let at = step - 1; at >= 0; at -= 1) {
    before.push(field(timeName(at)));
    if (steps[at]!.isOptional !== true) break;
  }
  const since = before.length === 1 ? before[0]! : call('coalesce', ...before);
  return seconds(since, field(timeName(step)));
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
  const from = query.funnelsFilter?.funnelFromStep ?? 0;
  const to = query.funnelsFilter?.funnelToStep ?? steps.length - 1;
  if (from >= 0 && from < to && to < steps.length) return { from, to };
  throw fail('invalid_input', {
    detail: `funnelFromStep must be before funnelToStep; both must be steps from 0 to ${steps.length - 1}.`,
  });
}

/** The number of bins: as requested, or the cube root of the number of conversions. */
function binCount({ query }: FunnelPlan) {
  const requested = query.funnelsFilter?.binCount;
  if (requested === undefined || requested === null || requested === 'auto') {
    const root = call('ceil', call('round', call('cbrt', field('people')), constant(9)));
    return call('least', constant(MAX_AUTO_BINS), call('greatest', constant(1), root));
  }
  return constant(Math.min(Math.max(requested, 1), MAX_BINS));
}

/**
 * Conversion times between two steps, in bins of whole seconds. One row per non-empty bin: its index and size, and in
 * each row the start of the first bin, bin width, bin count and mean.
 */
export function conversionTimes(best: SelectQuery, plan: FunnelPlan): SelectQuery {
  const picked = pickedSteps(plan);
  const [start, end] = [field(timeName(picked.from)), field(timeName(picked.to))];
  const times = select({
    select: [alias(seconds(start, end), 'took')],
    from: from(best),
    where: and(isNotNull(start), isNotNull(end)),
  });
  const measures = select({
    select: [
      alias(call('floor', call('min', field('took'))), 'least'),
      alias(call('ceil', call('max', field('took'))), 'most'),
      alias(call('avg', field('took')), 'mean'),
      alias(call('count'), 'people'),
    ],
    from: from('times'),
  });
  const sized = select({
    select: [field('least'), field('most'), field('mean'), alias(binCount(plan), 'bins')],
    from: from(measures),
  });
  const span = arithmetic('-', field('most'), field('least'));
  const width = call('ceil', arithmetic('/', span, field('bins')));
  const bins = select({
    select: [
      field('least'),
      field('mean'),
      field('bins'),
      alias(call('if', compare('>', span, constant(0)), width, constant(MIN_WIDTH)), 'width'),
    ],
    from: from(sized),
  });
  const since = arithmetic('-', field('times', 'took'), field('sizes', 'least'));
  const shared = ['least', 'width', 'bins', 'mean'];
  return select({
    ctes: [cte('times', times), cte('sizes', bins)],
    select: [
      alias(call('floor', arithmetic('/', since, field('sizes', 'width'))), 'bin'),
      alias(call('count'), 'people'),
      ...shared.map((name) => alias(call('any', field('sizes', name)), name)),
    ],
    from: join(from('times'), 'CROSS JOIN', from('sizes')),
    groupBy: [field('bin')],
    orderBy: [order(field('bin'))],
  });
}
