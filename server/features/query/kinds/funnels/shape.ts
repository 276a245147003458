import { NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';
import { type CohortGroup, type FunnelPlan, dimensionsOf } from './plan.ts';
import type { Value } from '../../../../db/db.ts';
import type { Bins } from './to-hogql.ts';

/**
 * What a group of actors is called, and by which value of the breakdown it is known: a list for properties, but for those of
 * groups; for cohorts their name and ID.
 */
export interface ShownGroup {
  readonly breakdown: string | readonly string[];
  readonly breakdown_value: string | number | readonly string[];
}

/** The value of all users in a breakdown by cohorts, and of those who are not in the only one. */
export const ALL_USERS = 0;
export const NOT_IN_COHORT = 2 ** 52;

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
export function groupOfCohort({ cohort, isOutside }: CohortGroup): ShownGroup {
  if (cohort === null) return { breakdown: 'all users', breakdown_value: ALL_USERS };
  if (isOutside) return { breakdown: `Not in ${cohort.name}`, breakdown_value: NOT_IN_COHORT };
  return { breakdown: cohort.name, breakdown_value: cohort.id };
}

/** The step objects of an answer (management contract 9.9). */
export function stepObjects(
  { steps: counts }: StepCounts,
  plan: FunnelPlan,
  group: ShownGroup | null,
): object[] {
  const share = plan.query.samplingFactor ?? 1;
  return plan.steps.map((step, order) => {
    const { count, average, median } = counts[order]!;
    return {
      // Without an order a step is how many of them were taken.
      ...(plan.order === 'unordered'
        ? {
            action_id: null,
            name: `Completed ${order + 1} step${order === 0 ? '' : 's'}`,
            custom_name: null,
          }
        : namesOfStep(step)),
      order,
      people: [],
      count: Math.round(count / share),
      type: STEP_TYPES[step.node.kind],
      average_conversion_time: average,
      median_conversion_time: median,
      ...group,
    };
  });
}

/** The step objects of a group that no one is in. */
export function emptySteps(plan: FunnelPlan, group: ShownGroup | null): object[] {
  const steps = plan.steps.map(() => ({ count: 0, average: null, median: null }));
  return stepObjects({ values: [], total: null, steps }, plan, group);
}

const STEP_TYPES = { EventsNode: 'events', ActionsNode: 'actions', GroupNode: 'group' } as const;
const ANY_EVENT = 'All events';

function namesOfStep({ node, name }: FunnelPlan['steps'][number]): object {
  if (node.kind === 'ActionsNode') return { action_id: node.id, name, custom_name: node.custom_name ?? null };
  if (node.kind === 'GroupNode') {
    return { action_id: name, name, custom_name: node.custom_name ?? node.name ?? null };
  }
  const event = node.event ?? null;
  // Clients write the event itself there, unless it was renamed.
  const renamed = node.name && node.name !== (event ?? ANY_EVENT) ? node.name : null;
  return { action_id: event, name: event, custom_name: node.custom_name ?? renamed };
}

/** Actors per step, and the seconds since the previous step; null without actors. */
interface StepCounts {
  /** Values of the breakdown; none without. */
  readonly values: readonly string[];
  /** The median of the seconds from the first step to the last, of all groups together. */
  readonly total: number | null;
  readonly steps: readonly { count: number; average: number | null; median: number | null }[];
}

/** Reads the rows of `stepCounts`. */
export function readCounts(rows: readonly (readonly Value[])[], plan: FunnelPlan): StepCounts[] {
  const dimensions = dimensionsOf(plan);
  return rows.map((row) => {
    const numbers = row.slice(dimensions);
    return {
      values: row.slice(0, dimensions).map(String),
      total: numberOf(numbers.at(-1)),
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
      for (const [at, place] of (places ?? []).entries()) {
        // Intervals that are left out come last.
        if (Number(place) < length) numbers[Number(place)] = Number(list?.[at] ?? 0);
      }
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

/**
 * The answer of the visualization time_to_convert: `bins` of `[seconds, how many]`, the empty ones too; `shared` are those of
 * several periods.
 */
export function binsOf(
  rows: readonly (readonly Value[])[],
  { query }: FunnelPlan,
  shared: Bins | null = null,
): object {
  const [first] = rows;
  const bins = shared ?? (first === undefined ? null : ownBins(first));
  const [mean, median] = (first?.slice(5) ?? []).map(numberOf);
  const counts = new Map(rows.map(([bin, people]) => [Number(bin), Number(people)]));
  const share = query.samplingFactor ?? 1;
  return {
    // The longest time may be where the last bin ends: it has one of its own.
    bins:
      bins === null
        ? []
        : Array.from({ length: bins.count + 1 }, (_, at) => [
            bins.least + at * bins.width,
            Math.round((counts.get(at) ?? 0) / share),
          ]),
    average_conversion_time: rounded(mean),
    median_conversion_time: rounded(median),
  };
}

function ownBins(row: readonly Value[]): Bins {
  const [least, width, count] = row.slice(2, 5).map(Number) as [number, number, number];
  return { least, width, count };
}

function rounded(seconds: number | null | undefined): number | null {
  return seconds === null || seconds === undefined ? null : Math.round(seconds * 100) / 100;
}
