import { NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import type { NamedCohort } from '../../query-kind.ts';
import { type FunnelPlan, dimensionsOf } from './plan.ts';
import type { Value } from '../../../../db/db.ts';

/**
 * What a group of actors is called, and by which value of the breakdown it is known: a list for properties, but for those of
 * groups; for cohorts their name and ID.
 */
export interface ShownGroup {
  readonly breakdown: string | readonly string[];
  readonly breakdown_value: string | number | readonly string[];
}

/** The value of all users in a breakdown by cohorts. */
export const ALL_USERS = 0;

/** What funnels call the values beyond the limit, and a missing value (amendment A-5). */
const OTHER = 'Other';
const MISSING = '';

/** A group by the values of its properties. */
export function groupOfValues(values: readonly string[], { query }: FunnelPlan): ShownGroup {
  const all =
    values[0] === OTHER_VALUE ? [OTHER] : values.map((value) => (value === NULL_VALUE ? MISSING : value));
  const shown = query.breakdownFilter?.breakdown_type === 'group' && all.length === 1 ? all[0]! : all;
  return { breakdown: shown, breakdown_value: shown };
}

/** The values that a group was shown by. */
export function valuesOfGroup(shown: readonly string[]): string[] {
  return shown.map((value) => (value === MISSING ? NULL_VALUE : value === OTHER ? OTHER_VALUE : value));
}

/** A group by its cohort; null: all users. */
export function groupOfCohort(cohort: NamedCohort | null): ShownGroup {
  return cohort === null
    ? { breakdown: 'all users', breakdown_value: ALL_USERS }
    : { breakdown: cohort.name, breakdown_value: cohort.id };
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
      name: isNamed
        ? isAnyEvent(node)
          ? null
          : name
        : `Completed ${order + 1} step${order === 0 ? '' : 's'}`,
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

function isAnyEvent(node: FunnelPlan['steps'][number]['node']): boolean {
  return node.kind === 'EventsNode' && (node.event ?? null) === null;
}

/** Actors per step, and the seconds since the previous step; null without actors. */
interface StepCounts {
  /** Values of the breakdown; none without. */
  readonly values: readonly string[];
  readonly steps: readonly { count: number; average: number | null; median: number | null }[];
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

/** How many began in each interval, and how many of those came to the end. */
interface IntervalCounts {
  readonly values: readonly string[];
  readonly entered: readonly number[];
  readonly converted: readonly number[];
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
 * Returns a series of the visualisation trends: `data` has the conversion rates in percent by start interval, rounded
 * to two decimals; `reached_from_step_count` and `reached_to_step_count` have the counts.
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
