import { fail } from '../../../../errors.ts';
import type { SelectQuery } from '../../../../hogql/ast.ts';
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
  order,
  select,
} from '../../../../hogql/build.ts';
import type { Value } from '../../../../db/db.ts';
import { timeName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { seconds } from './shown-values.ts';

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

/** The answer of the visualisation time_to_convert: `bins` of `[seconds, how many]`, the empty ones too. */
export function binsOf(rows: readonly (readonly Value[])[], { query }: FunnelPlan): object {
  const [first] = rows;
  if (first === undefined) return { bins: [], average_conversion_time: null };
  const [least, width, bins, mean] = first.slice(2).map(Number) as [number, number, number, number];
  const counts = new Map(rows.map(([bin, people]) => [Number(bin), Number(people)]));
  const share = query.samplingFactor ?? 1;
  return {
    // The longest time may be where the last bin ends: it has one of its own.
    bins: Array.from({ length: bins + 1 }, (_, at) => [
      least + at * width,
      Math.round((counts.get(at) ?? 0) / share),
    ]),
    average_conversion_time: Math.round(mean * 100) / 100,
  };
}
