import type { SelectQuery } from '../../../../hogql/ast.ts';
import { alias, call, field, from, isNotNull, order, select } from '../../../../hogql/build.ts';
import type { Value } from '../../../../db/db.ts';
import { attributed } from './attribution-values.ts';
import { pickedSteps } from './conversion-times.ts';
import { ACTOR, BUCKET, dimensionsOf, namesOf, timeName, valueName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { withShownValues } from './shown-values.ts';
import type { ShownGroup } from './step-results.ts';
import type { Attempts } from './take-step.ts';

/** How many began in each interval, and how many of those came to the end. */
export interface IntervalCounts {
  readonly values: readonly string[];
  readonly entered: readonly number[];
  readonly converted: readonly number[];
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

/** Reads the rows of `intervalCounts`. */
export function readIntervals(rows: readonly (readonly Value[])[], plan: FunnelPlan): IntervalCounts[] {
  const dimensions = dimensionsOf(plan);
  const length = plan.buckets?.starts.length ?? 0;
  return rows.map((row) => {
    const [places, entered, converted] = row.slice(dimensions) as readonly (readonly Value[])[];
    const filled = (list: readonly Value[] | undefined): number[] => {
      const numbers = Array.from({ length }, () => 0);
      for (const [at, place] of (places ?? []).entries()) numbers[Number(place)] = Number(list?.[at] ?? 0);
      return numbers;
    };
    return {
      values: row.slice(0, dimensions).map(String),
      entered: filled(entered),
      converted: filled(converted),
    };
  });
}

/**
 * A line of the visualisation trends: `data` are the percentages, by the interval in which people began, to two places; how many
 * people they are of stands beside.
 */
export function intervalObject(
  { entered, converted }: IntervalCounts,
  { buckets, query }: FunnelPlan,
  group: ShownGroup | null,
): object {
  const share = query.samplingFactor ?? 1;
  const scaled = (numbers: readonly number[]): number[] =>
    numbers.map((number) => Math.round(number / share));
  return {
    count: entered.length,
    data: entered.map((number, at) =>
      number === 0 ? 0 : Math.round((converted[at]! / number) * 10_000) / 100,
    ),
    days: buckets?.days ?? [],
    labels: buckets?.labels ?? [],
    reached_from_step_count: scaled(entered),
    reached_to_step_count: scaled(converted),
    ...group,
  };
}
