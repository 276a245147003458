import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import { alias, compare, constant, field, from, select } from '../../../../hogql/build.ts';
import {
  ACTOR,
  AT,
  BUCKET,
  dimensionsOf,
  fields,
  heldName,
  namesOf,
  timeName,
  valueName,
} from './funnel-columns.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import { heldText, momentsOf, stepRows, type StepColumns } from './step-rows.ts';
import { ATTEMPT, EVENT, type Attempts } from './take-step.ts';

/** Whether an attempt's events all have one value of the breakdown, so that it is an attempt of an actor and a value. */
export function isByValue({ attribution, breakdown }: FunnelPlan): boolean {
  return breakdown?.kind === 'values' && attribution.kind === 'all_events';
}

/** What rows of a step carry. */
export function carriedAt(step: number, plan: FunnelPlan): Required<StepColumns> & { values: string[] } {
  const { attribution } = plan;
  const isAttributed = attribution.kind === 'step' && attribution.step === step;
  const hasValues = isByValue(plan) || (isAttributed && dimensionsOf(plan) > 0);
  const isFirst = step === 0 || plan.order === 'unordered';
  return {
    hasValues,
    hasBucket: isFirst && plan.buckets !== null,
    held: step === 0 || plan.order === 'unordered' ? plan.held.map((_, at) => at) : plan.steps[step]!.held,
    values: hasValues ? namesOf(dimensionsOf(plan), valueName) : [],
  };
}

/** Rows of a step; where a value is carried that does not tell attempts apart, one of those at the same moment. */
export function rowsAt(step: number, plan: FunnelPlan): SelectQuery {
  const carried = carriedAt(step, plan);
  const { condition, held } = plan.steps[step]!;
  const isBeginning = step === 0 && plan.order !== 'unordered';
  const known = isBeginning ? [] : held.map((place) => isThere(heldText(place, plan)));
  const rows = stepRows(plan, condition, carried, known);
  return carried.hasValues && !isByValue(plan) ? momentsOf(rows, carried, dimensionsOf(plan)) : rows;
}

/** What is held constant is a value: nothing is not the same as nothing. */
export function isThere(held: Expr): Expr {
  return compare('!=', held, constant(''));
}

/** Where attempts begin: rows of the first step. */
export function beginning(
  rows: SelectQuery,
  plan: FunnelPlan,
  values: readonly string[],
  further: readonly string[] = [],
): Attempts {
  const kept = [
    ACTOR,
    ...values,
    ...plan.held.map((_, at) => heldName(at)),
    ...(plan.buckets === null ? [] : [BUCKET]),
    ...further,
  ];
  return {
    query: select({
      select: [...fields(kept), alias(field(AT), timeName(0))],
      from: from(rows),
    }),
    names: [...kept, timeName(0)],
  };
}

/** What the event of a step has in common with its attempt. */
export function sameAs(step: number, plan: FunnelPlan): Expr[] {
  const values = isByValue(plan) ? namesOf(dimensionsOf(plan), valueName) : [];
  const names = [...values, ...plan.steps[step]!.held.map(heldName)];
  return names.map((name) => compare('==', field(ATTEMPT, name), field(EVENT, name)));
}

/** Values that attempts take over from the event of a step. */
export function takenOver(step: number, plan: FunnelPlan): string[] {
  return isByValue(plan) ? [] : carriedAt(step, plan).values;
}
