import type { Value } from '../../../../db/db.ts';
import type { SelectQuery } from '../../../../hogql/ast.ts';
import { OTHER_VALUE } from '../../breakdown.ts';
import { resolvedRange } from '../../dates.ts';
import { defineKind, type KindAnswer, type KindContext } from '../../query-kind.ts';
import { funnelsPoint, funnelsQuery, funnelsSource } from './schema.ts';
import { attemptsOf } from './attempts.ts';
import {
  bestAttempts,
  attributed,
  stepCounts,
  intervalCounts,
  conversionTimes,
  requestedBins,
  sharedBins,
  timeRange,
  totalTime,
} from './to-hogql.ts';
import { funnelsActors } from './actors.ts';
import { groupsOf, ofAnyGroup, planFunnel, type CohortGroup, type FunnelPlan } from './plan.ts';
import {
  enteredCount,
  canUseSingleSort,
  singleSortAttempts,
  withStepEvents,
  bestQuickAttempts,
} from './single-sort.ts';
import {
  groupOfCohort,
  groupOfValues,
  emptySteps,
  stepObjects,
  type ShownGroup,
  readCounts,
  intervalObject,
  readIntervals,
  binsOf,
} from './shape.ts';

type Rows = readonly (readonly Value[])[];

interface ShownRow {
  readonly values: readonly string[];
  /** Groups are in the order of these numbers, the greatest first: who took the last step, then the step before it. */
  readonly rank: readonly number[];
  /** The median of the seconds from the first step to the last, of all rows together; null where it is not known. */
  readonly total: number | null;
  as(group: ShownGroup | null): object;
}

/** A visualization of a funnel: its query, and the conversion of its rows. */
interface Visualization {
  query(plan: FunnelPlan): SelectQuery;
  show(rows: Rows, plan: FunnelPlan): ShownRow[];
  /** A group of a breakdown by cohorts. */
  groupOf(group: CohortGroup): ShownGroup;
  /** A group is a list of steps: without a breakdown the list itself is the result, and each period has every group. */
  readonly isOfSteps: boolean;
}

/** Conversion through a series of steps, and its duration (management contract 9.9, 9.9.1). */
export const funnelsKind = defineKind({
  kind: 'FunnelsQuery',
  role: 'insight',
  schema: funnelsQuery,
  legacy: { name: 'FUNNELS', path: 'funnel', source: funnelsSource },
  point: funnelsPoint,
  pointKind: 'FunnelsActorsQuery',
  plan: planFunnel,
  async answer(plan, context) {
    const common = { resolved_date_range: resolvedRange(plan.span), isUdf: false };
    const viz = plan.query.funnelsFilter?.funnelVizType ?? 'steps';
    // Conversion times have no breakdown.
    if (viz === 'time_to_convert') return { ...(await answerTimes(plan, context)), ...common };
    const shown = await answerPeriods(plan, viz === 'trends' ? OVER_TIME : STEPS, context);
    return { ...shown, ...common };
  },
  actors: funnelsActors,
});

const STEPS: Visualization = {
  query: (plan) =>
    canUseSingleSort(plan)
      ? withStepEvents(
          stepCounts(bestQuickAttempts(singleSortAttempts(plan), plan).query, plan, enteredCount()),
          plan,
        )
      : stepCounts(attributed(bestAttempts(attemptsOf(plan), plan), plan), plan),
  show: (rows, plan) =>
    readCounts(rows, plan).map((one) => ({
      values: one.values,
      rank: one.steps.map(({ count }) => count).toReversed(),
      total: one.total,
      as: (group) => stepObjects(one, plan, group),
    })),
  groupOf: groupOfCohort,
  isOfSteps: true,
};

const OVER_TIME: Visualization = {
  query: intervalCounts,
  show: (rows, plan) =>
    readIntervals(rows, plan).map((one) => ({
      values: one.values,
      rank: [],
      total: null,
      as: (group) => intervalObject(one, plan, group),
    })),
  // Over time a cohort is known by its name alone.
  groupOf: (group) => {
    const { breakdown } = groupOfCohort(group);
    return { breakdown, breakdown_value: breakdown };
  },
  isOfSteps: false,
};

function byRank({ rank: a }: Pick<ShownRow, 'rank'>, { rank: b }: Pick<ShownRow, 'rank'>): number {
  const place = a.findIndex((count, at) => count !== b[at]);
  return place < 0 ? 0 : b[place]! - a[place]!;
}

/** A group of a period as it is shown, and by what it is found in the other period. */
interface ShownPeriodGroup {
  readonly group: ShownGroup | null;
  readonly shown: object;
}

interface PeriodAnswer {
  readonly groups: readonly ShownPeriodGroup[];
  /** Values beyond the limit are brought together. */
  readonly hasOther: boolean;
  readonly total: number | null;
}

async function answerPeriods(
  plan: FunnelPlan,
  viz: Visualization,
  context: KindContext,
): Promise<KindAnswer> {
  const { previous, breakdown } = plan;
  const periods = previous === null ? [plan] : [plan, previous];
  const answers = await Promise.all(periods.map((one) => answerPeriod(one, viz, context)));
  const [current] = answers as [PeriodAnswer];
  const hasMore = breakdown?.kind === 'values' && { hasMore: answers.some(({ hasOther }) => hasOther) };
  if (previous !== null) return { results: compared(answers, plan, viz), ...hasMore };
  const shown = current.groups.map((one) => one.shown);
  return {
    results: viz.isOfSteps && breakdown === null ? shown[0] : shown,
    ...hasMore,
    ...(viz.isOfSteps && { total_median_conversion_time: current.total }),
  };
}

const LABELS = ['current', 'previous'] as const;

/**
 * The groups of all periods, one period after the other. Steps have every group in both, zero where it is empty. In a period
 * that shows as many values as its limit another one is among the others, or left out, and its number is not known.
 */
function compared(answers: readonly PeriodAnswer[], plan: FunnelPlan, viz: Visualization): object[] {
  const keyOf = ({ group }: ShownPeriodGroup): string => JSON.stringify(group?.breakdown_value ?? null);
  const all = new Map(answers.flatMap(({ groups }) => groups.map((one) => [keyOf(one), one.group] as const)));
  return answers.flatMap(({ groups }, at): object[] => {
    const label = { compare_label: LABELS[at] };
    if (!viz.isOfSteps) return groups.map(({ shown }) => ({ ...shown, ...label }));
    const own = new Map(groups.map((one) => [keyOf(one), one.shown]));
    const isCut = plan.breakdown?.kind === 'values' && groups.length >= plan.breakdown.limit;
    const lists = [...all]
      .filter(([key]) => own.has(key) || !isCut)
      .map(([key, group]) =>
        ((own.get(key) ?? emptySteps(plan, group)) as object[]).map((step) => ({ ...step, ...label })),
      );
    return plan.breakdown === null ? lists.flat() : lists;
  });
}

async function answerPeriod(
  plan: FunnelPlan,
  viz: Visualization,
  context: KindContext,
): Promise<PeriodAnswer> {
  if (plan.breakdown?.kind === 'cohorts') return await answerCohorts(plan, viz, context);
  const { rows } = await context.runQuery(viz.query(plan));
  const shown = viz.show(rows, plan);
  const groupOf = ({ values }: ShownRow) => (plan.breakdown === null ? null : groupOfValues(values, plan));
  return {
    groups: shown.map((one) => ({ group: groupOf(one), shown: one.as(groupOf(one)) })),
    hasOther: shown.some(({ values }) => values[0] === OTHER_VALUE),
    total: shown[0]?.total ?? null,
  };
}

async function answerCohorts(
  plan: FunnelPlan,
  viz: Visualization,
  context: KindContext,
): Promise<PeriodAnswer> {
  const groups = groupsOf(plan).map(async ({ plan: own, ...one }) => {
    const { rows } = await context.runQuery(viz.query(own));
    const group = viz.groupOf(one);
    return viz.show(rows, own).map((row) => ({ rank: row.rank, group, shown: row.as(group) }));
  });
  const [found, total] = await Promise.all([
    Promise.all(groups),
    viz.isOfSteps ? medianOfAll(plan, context) : null,
  ]);
  return { groups: found.flat().toSorted(byRank), hasOther: false, total };
}

async function medianOfAll(plan: FunnelPlan, context: KindContext): Promise<number | null> {
  const all = ofAnyGroup(plan);
  const { rows } = await context.runQuery(totalTime(bestAttempts(attemptsOf(all), all).query, all));
  const [total = null] = rows[0] ?? [];
  return total === null ? null : Number(total);
}

async function answerTimes(all: FunnelPlan, context: KindContext): Promise<KindAnswer> {
  const plan = { ...all, breakdown: null };
  if (all.previous === null) {
    const { rows } = await context.runQuery(timesQuery(plan, (best) => conversionTimes(best, plan)));
    return { results: binsOf(rows, plan) };
  }
  const periods = [plan, { ...all.previous, breakdown: null }];
  const ranges = await Promise.all(
    periods.map(async (one) => {
      const { rows } = await context.runQuery(timesQuery(one, (best) => timeRange(best, one)));
      const [least = 0, most = 0, people = 0] = (rows[0] ?? []).map(Number);
      return { least, most, people };
    }),
  );
  const bins = sharedBins(ranges, requestedBins(plan));
  const results = periods.map(async (one, at) => {
    const { rows } =
      bins === null
        ? { rows: [] }
        : await context.runQuery(timesQuery(one, (best) => conversionTimes(best, one, bins)));
    return { ...binsOf(rows, one, bins), compare_label: LABELS[at] };
  });
  return { results: await Promise.all(results) };
}

function timesQuery(plan: FunnelPlan, of: (best: SelectQuery) => SelectQuery): SelectQuery {
  return canUseSingleSort(plan)
    ? withStepEvents(of(bestQuickAttempts(singleSortAttempts(plan), plan).query), plan)
    : of(bestAttempts(attemptsOf(plan), plan).query);
}
