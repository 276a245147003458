import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import { alias, call, field, from, isNotNull, order, select } from '../../../../hogql/build.ts';
import type { Value } from '../../../../db/db.ts';
import { ACTOR, dimensionsOf, namesOf, timeName, valueName } from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { seconds, withShownValues } from './shown-values.ts';

/** Actors per step, and the seconds since the previous step; null without actors. */
export interface StepCounts {
  /** Values of the breakdown; none without. */
  readonly values: readonly string[];
  readonly steps: readonly { count: number; average: number | null; median: number | null }[];
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
export function gapBefore(step: number, { steps }: FunnelPlan): Expr | null {
  if (step === 0) return null;
  const before: Expr[] = [];
  for (let at = step - 1; at >= 0; at -= 1) {
    before.push(field(timeName(at)));
    if (steps[at]!.isOptional !== true) break;
  }
  const since = before.length === 1 ? before[0]! : call('coalesce', ...before);
  return seconds(since, field(timeName(step)));
}

/** Reads the rows of `stepCounts`. */
export function readCounts(rows: readonly (readonly Value[])[], plan: FunnelPlan): StepCounts[] {
  const dimensions = dimensionsOf(plan);
  return rows.map((row) => {
    const numbers = row.slice(dimensions);
    return {
      values: row.slice(0, dimensions).map(String),
      steps: plan.steps.map((_, at) => {
        const place = at === 0 ? 0 : 1 + (at - 1) * 3;
        return {
          count: Number(numbers[place] ?? 0),
          average: at === 0 ? null : numberOf(numbers[place + 1]),
          median: at === 0 ? null : numberOf(numbers[place + 2]),
        };
      }),
    };
  });
}

function numberOf(value: Value | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
