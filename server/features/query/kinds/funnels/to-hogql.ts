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
  order,
} from '../../../../hogql/build.ts';
import {
  type FunnelPlan,
  ACTOR,
  dimensionsOf,
  fields,
  namesOf,
  timeName,
  valueName,
  AT,
  BUCKET,
} from './plan.ts';
import {
  lastTime,
  type Attempts,
  isByValue,
  ATTEMPT,
  columns,
  EVENT,
  anyStep,
  eventsWhere,
  valueExprs,
  withMissing,
} from './attempts.ts';
import { OTHER_VALUE } from '../../breakdown.ts';
import { fail } from '../../../../errors.ts';

/**
 * The attempt that counts of every actor, or of every actor and value where attempts go by value: the one that comes
 * furthest; of those the one that takes most steps that may be left out, then that gets there first, then that began last.
 */
export function bestAttempts({ query, names }: Attempts, plan: FunnelPlan): Attempts {
  const values = namesOf(dimensionsOf(plan), valueName).filter((name) => names.includes(name));
  const keys = [ACTOR, ...(isByValue(plan) ? values : [])];
  const parts = [...plan.steps.map((_, at) => timeName(at)), ...(isByValue(plan) ? [] : values)];
  const best = select({
    select: [...fields(keys), alias(call('argMax', tuple(...fields(parts)), rank(plan)), 'best')],
    from: from(query),
    groupBy: fields(keys),
  });
  const columns = parts.map((name, at) => alias(tupleAccess(field('best'), at + 1), name));
  return {
    query: select({ select: [...fields(keys), ...columns], from: from(best) }),
    names: [...keys, ...parts],
  };
}

/** Which of two attempts counts: the greater. */
function rank(plan: FunnelPlan): Expr {
  const { steps } = plan;
  const last = lastTime(steps.map((_, at) => at));
  return tuple(
    taken(plan, false),
    ...(steps.some(({ isOptional }) => isOptional) ? [taken(plan, true)] : []),
    arithmetic('-', constant(0), last),
    field(timeName(0)),
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

function sumOf(terms: readonly Expr[]): Expr {
  return terms.reduce((left, right) => arithmetic('+', left, right));
}

/**
 * Adds the values of the breakdown to attempts without them: those of their actor's first, or last, event of any step
 * that has one. Attempts that carry values of their own events keep them.
 */
export function attributed({ query, names }: Attempts, plan: FunnelPlan): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName);
  const own = values.filter((name) => names.includes(name));
  if (values.length === 0) return query;
  const others = names.filter((name) => !own.includes(name));
  if (own.length > 0) {
    return select({
      select: [
        ...others.map((name) => field(name)),
        ...own.map((name) => alias(withMissing(field(name)), name)),
      ],
      from: from(query),
    });
  }
  return select({
    select: [
      ...columns(ATTEMPT, others),
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

/** The first, or last, value of each actor that is not missing; of several at one moment, the least or the greatest. */
function touches(names: readonly string[], plan: FunnelPlan): SelectQuery {
  const pick = plan.attribution.kind === 'first_touch' ? 'argMinIf' : 'argMaxIf';
  const events = select({
    select: [
      alias(plan.actor.id, ACTOR),
      alias(field('timestamp'), AT),
      ...valueExprs(plan).map((value, at) => alias(value, names[at]!)),
    ],
    ...eventsWhere(plan, anyStep(plan)),
  });
  const touch = (name: string): Expr => {
    const value = field(name);
    return call(pick, value, tuple(field(AT), value), isNotNull(value));
  };
  return select({
    select: [field(ACTOR), ...names.map((name) => alias(touch(name), name))],
    from: from(events),
    groupBy: [field(ACTOR)],
  });
}

/** How many of a funnel's actors have a value, in the column `rank`. */
const RANK = 'rank';

/**
 * Rows whose values are those that most actors have; the others are brought together as one value, or left out.
 * `names` are their further columns. The statement uses the rows twice, under a name.
 */
export function withShownValues(rows: SelectQuery, names: readonly string[], plan: FunnelPlan): SelectQuery {
  const values = namesOf(dimensionsOf(plan), valueName);
  const { breakdown } = plan;
  if (breakdown?.kind !== 'values') return rows;
  const top = select({
    select: [...values.map((name) => field(name)), alias(call('uniq', field('actor')), RANK)],
    from: from('all_values'),
    groupBy: values.map((name) => field(name)),
    orderBy: [order(field(RANK), 'DESC'), ...values.map((name) => order(field(name)))],
    limit: breakdown.limit,
  });
  const isHidden = isNull(field('top', RANK));
  const shown = (name: string): Expr => call('if', isHidden, constant(OTHER_VALUE), field('one', name));
  const same = values.map((name) => compare('==', field('one', name), field('top', name)));
  return select({
    ctes: [cte('all_values', rows), cte('top_values', top)],
    select: [
      ...names.map((name) => alias(field('one', name), name)),
      ...values.map((name) => alias(shown(name), name)),
      alias(call('coalesce', field('top', RANK), constant(0)), RANK),
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
        : [alias(call('avg', gap), `average_${at}`), alias(call('median', gap), `median_${at}`)]),
    ];
  });
  return select({
    select: [...values.map((name) => field(name)), ...numbers],
    from: from(withShownValues(best, [ACTOR, ...times], plan)),
    ...(values.length > 0 && {
      groupBy: values.map((name) => field(name)),
      orderBy: [order(call('max', field('rank')), 'DESC'), ...values.map((name) => order(field(name)))],
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

/**
 * Counts, for each interval, who began an attempt in it, and who came with one of these to the end: a row for each value of
 * the breakdown, or one, with three arrays of the same length.
 */
export function intervalCounts(attempts: Attempts, plan: FunnelPlan): SelectQuery {
  const picked = pickedSteps(plan);
  const times = plan.steps.map((_, at) => timeName(at));
  const rows = attributed(attempts, plan);
  const values = namesOf(dimensionsOf(plan), valueName).map((name) => field(name));
  const counted = (step: number) => call('uniqIf', field(ACTOR), isNotNull(field(timeName(step))));
  const hasRank = values.length > 0;
  const byInterval = select({
    select: [
      ...values,
      field(BUCKET),
      ...(hasRank ? [alias(call('max', field('rank')), 'rank')] : []),
      alias(counted(picked.from), 'entered'),
      alias(counted(picked.to), 'converted'),
    ],
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
    ...(hasRank && {
      orderBy: [order(call('max', field('rank')), 'DESC'), ...values.map((value) => order(value))],
    }),
  });
}

const MAX_BINS = 60;
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
    return call('least', constant(MAX_BINS), call('greatest', constant(1), root));
  }
  if (requested >= 1 && requested <= MAX_BINS) return constant(requested);
  throw fail('invalid_input', { detail: `binCount must be 1 to ${MAX_BINS}, or auto.` });
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
