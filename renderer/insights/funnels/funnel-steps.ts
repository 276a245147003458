import type { PickedPoint } from '../answer.ts';
import { colorSlots } from '../../ui/charts/series-colors.ts';
import type { InsightQuery } from '../insight-query.ts';
import { ownLooks, type ResultKeys } from '../own-colors.ts';

/** A step as the server answers it (management contract 9.9). */
interface StepAnswer {
  /** Null for any event. */
  name: string | null;
  order: number;
  count: number;
  median_conversion_time?: number | null;
  breakdown?: Breakdown;
  breakdown_value?: unknown;
  /** Of which period it is, of a funnel that is compared to another. */
  compare_label?: ComparedPeriod;
}

export type ComparedPeriod = 'current' | 'previous';

/** What a group is called: the values of its properties, or the name of a cohort. */
export type Breakdown = string | readonly string[];

/** A step of a funnel, and how many of those before came to it. */
export interface FunnelStep {
  name: string;
  order: number;
  count: number;
  /** Of the first step, and of the one before, from 0 to 1. */
  share: number;
  shareOfBefore: number;
  lost: number;
  /** Seconds from the step before, of half of them. */
  medianSeconds: number | null;
}

export interface FunnelGroup {
  /** Its breakdown value, and its period where there are two. */
  name: string;
  breakdownName: string;
  breakdown: unknown;
  compare?: ComparedPeriod | undefined;
  steps: FunnelStep[];
}

/** The groups of a funnel: without a breakdown, one for each period. */
export function funnelGroups(results: unknown): FunnelGroup[] {
  const list = Array.isArray(results) ? (results as (StepAnswer | StepAnswer[])[]) : [];
  const groups = Array.isArray(list[0]) ? (list as StepAnswer[][]) : periodsOf(list as StepAnswer[]);
  return groups.filter((steps) => steps.length > 0).map(groupOf);
}

function periodsOf(steps: StepAnswer[]): StepAnswer[][] {
  const labels = [...new Set(steps.map((step) => step.compare_label))];
  return labels.map((label) => steps.filter((step) => step.compare_label === label));
}

/** What a period is called; empty where there is only one. */
export function periodName(period: ComparedPeriod | undefined): string {
  if (period === undefined) return '';
  return period === 'current' ? 'Current' : 'Previous';
}

/** The title of a list of actors, with their period where it is not the current one. */
export function titleInPeriod(title: string, period: ComparedPeriod | undefined): string {
  return period === 'previous' ? `${title} (previous period)` : title;
}

/** What a group is called: a missing value is empty in the answer. */
export function groupName(breakdown: Breakdown | undefined): string {
  if (breakdown === undefined) return '';
  const values = typeof breakdown === 'string' ? [breakdown] : breakdown;
  return values.map((value) => (value === '' ? '(none)' : value)).join('::');
}

function groupOf(steps: StepAnswer[]): FunnelGroup {
  const first = steps[0]!;
  const breakdownName = groupName(first.breakdown);
  return {
    name: [periodName(first.compare_label), breakdownName].filter(Boolean).join(': '),
    breakdownName,
    breakdown: first.breakdown_value,
    compare: first.compare_label,
    steps: steps.map(({ name, order, median_conversion_time: median }, at) => ({
      name: name ?? 'Any event',
      order,
      ...sharesOf(
        steps.map(({ count }) => count),
        at,
      ),
      medianSeconds: median ?? null,
    })),
  };
}

function sharesOf(
  counts: readonly number[],
  at: number,
): Pick<FunnelStep, 'count' | 'share' | 'shareOfBefore' | 'lost'> {
  const [count, first] = [counts[at]!, counts[0]!];
  const before = counts[at - 1] ?? count;
  return {
    count,
    share: first === 0 ? 0 : count / first,
    shareOfBefore: before === 0 ? 0 : count / before,
    lost: before - count,
  };
}

/** The colors of groups: of each breakdown value the same in both periods and in every chart. */
export function groupSlots(groups: readonly FunnelGroup[], insightQuery: InsightQuery): number[] {
  const { slotOf } = ownLooks(insightQuery);
  return usualSlots(groups).map((usual, at) => slotOf(keysOf(groups[at]!, at)) ?? usual);
}

/** As PostHog names a group in the settings of an insight. */
function keysOf({ breakdown }: FunnelGroup, position: number): ResultKeys {
  const value = Array.isArray(breakdown) && breakdown.length === 1 ? (breakdown[0] as unknown) : breakdown;
  return { value: JSON.stringify({ breakdown_value: value }), position: String(position) };
}

function usualSlots(groups: readonly FunnelGroup[]): number[] {
  const names = groups.map(({ breakdownName }) => breakdownName);
  if (names.every((name) => name === '')) return names.map(() => 1);
  const own = colorSlots(names.filter((name) => name !== OTHER));
  return names.map((name) => (name === OTHER ? 0 : own.shift()!));
}

/** What the answer calls all other values. */
const OTHER = 'Other';

/** All groups of one period as one; `null` for two periods, and where there is one group already. */
export function wholeFunnel(groups: readonly FunnelGroup[]): FunnelGroup | null {
  const [first] = groups;
  if (!first || groups.length === 1 || groups.some(({ compare }) => compare !== undefined)) return null;
  const counts = first.steps.map((_, at) =>
    groups.reduce((sum, { steps }) => sum + (steps[at]?.count ?? 0), 0),
  );
  return {
    name: '',
    breakdownName: '',
    breakdown: undefined,
    steps: first.steps.map((step, at) => ({
      ...step,
      ...sharesOf(counts, at),
      // The median of all is none of the medians of groups.
      medianSeconds: null,
    })),
  };
}

/** Who came to a step of a funnel, or to the one before and not to it. */
export function pointOfStep(
  insightQuery: InsightQuery,
  group: FunnelGroup,
  order: number,
  isLost: boolean,
): PickedPoint {
  const step = group.steps[order]!;
  return {
    title: titleInPeriod(
      isLost ? `Dropped off before “${step.name}”` : `Converted to “${step.name}”`,
      group.compare,
    ),
    source: {
      kind: 'FunnelsActorsQuery',
      source: insightQuery,
      funnelStep: isLost ? -(order + 1) : order + 1,
      funnelStepBreakdown: group.breakdown,
      compare: group.compare,
    },
  };
}
