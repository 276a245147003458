import { NULL_VALUE } from '../../breakdowns/breakdown.ts';
import type { NamedCohort } from '../../query-kind.ts';
import type { FunnelPlan } from './funnels-plan.ts';
import type { StepCounts } from './step-counts.ts';

/** What a group of actors is called, and by which value of the breakdown it is known. */
export interface ShownGroup {
  readonly breakdown: string;
  readonly breakdown_value: readonly (string | number)[];
}

/** A group by the values of its properties. */
export function groupOfValues(values: readonly string[]): ShownGroup {
  const shown = values.map((value) => (value === NULL_VALUE ? 'none' : value));
  return { breakdown: shown.join('::'), breakdown_value: values };
}

/** A group by its cohort; null: all users. */
export function groupOfCohort(cohort: NamedCohort | null): ShownGroup {
  return cohort === null
    ? { breakdown: 'all users', breakdown_value: ['all'] }
    : { breakdown: cohort.name, breakdown_value: [cohort.id] };
}

/** The step objects of an answer (management contract 9.9). */
export function stepObjects(
  { steps: counts }: StepCounts,
  plan: FunnelPlan,
  group: ShownGroup | null,
): object[] {
  const share = plan.query.samplingFactor ?? 1;
  return plan.steps.map(({ node, name }, order) => {
    const { count, average, median } = counts[order]!;
    const isAction = node.kind === 'ActionsNode';
    const isNamed = plan.order !== 'unordered';
    return {
      // Without an order a step is how many of them were taken.
      action_id: isNamed ? (isAction ? node.id : (node.event ?? null)) : null,
      name: isNamed ? name : `Completed ${order + 1} step${order === 0 ? '' : 's'}`,
      custom_name: isNamed ? (node.custom_name ?? null) : null,
      order,
      people: [],
      count: Math.round(count / share),
      type: isAction ? 'actions' : 'events',
      average_conversion_time: average,
      median_conversion_time: median,
      ...group,
    };
  });
}
