import type { Value } from '../../../../db/db.ts';
import type { SelectQuery } from '../../../../hogql/ast.ts';
import { OTHER_VALUE } from '../../breakdown.ts';
import { resolvedRange } from '../../dates.ts';
import { defineKind, type KindAnswer, type KindContext } from '../../query-kind.ts';
import { funnelsPoint, funnelsQuery, funnelsSource } from './schema.ts';
import { attemptsOf, type Attempts } from './attempts.ts';
import { bestAttempts, attributed, stepCounts, intervalCounts, conversionTimes } from './to-hogql.ts';
import { funnelsActors } from './actors.ts';
import { groupsOf, planFunnel, type FunnelPlan } from './plan.ts';
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
  as(group: ShownGroup | null): object;
}

/** A visualization of a funnel: its query, and the conversion of its rows. */
interface Visualization {
  query(plan: FunnelPlan): SelectQuery;
  show(rows: Rows, plan: FunnelPlan): ShownRow[];
  /** A single group is not wrapped in a list. */
  readonly isBare: boolean;
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
    const shown = await answerGroups(plan, viz === 'trends' ? OVER_TIME : STEPS, context);
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
      as: (group) => stepObjects(one, plan, group),
    })),
  isBare: true,
};

const OVER_TIME: Visualization = {
  query: intervalCounts,
  show: (rows, plan) =>
    readIntervals(rows, plan).map((one) => ({
      values: one.values,
      rank: [],
      as: (group) => intervalObject(one, plan, group),
    })),
  isBare: false,
};

function byRank({ rank: a }: Pick<ShownRow, 'rank'>, { rank: b }: Pick<ShownRow, 'rank'>): number {
  const place = a.findIndex((count, at) => count !== b[at]);
  return place < 0 ? 0 : b[place]! - a[place]!;
}

async function answerTimes(plan: FunnelPlan, context: KindContext): Promise<KindAnswer> {
  const plain = { ...plan, breakdown: null };
  const times = ({ query }: Attempts): SelectQuery => conversionTimes(query, plain);
  const { rows } = await context.runQuery(
    canUseSingleSort(plain)
      ? withStepEvents(times(bestQuickAttempts(singleSortAttempts(plain), plain)), plain)
      : times(bestAttempts(attemptsOf(plain), plain)),
  );
  return { results: binsOf(rows, plain) };
}

async function answerGroups(plan: FunnelPlan, viz: Visualization, context: KindContext): Promise<KindAnswer> {
  if (plan.breakdown?.kind === 'cohorts') {
    const results = await Promise.all(
      groupsOf(plan).map(async ({ cohort, plan: own }) => {
        const { rows } = await context.runQuery(viz.query(own));
        return viz.show(rows, own).map((one) => ({ rank: one.rank, shown: one.as(groupOfCohort(cohort)) }));
      }),
    );
    return {
      results: results
        .flat()
        .toSorted(byRank)
        .map(({ shown }) => shown),
    };
  }
  const { rows } = await context.runQuery(viz.query(plan));
  const shown = viz.show(rows, plan);
  if (plan.breakdown === null) {
    const alone = shown.map(({ as }) => as(null));
    return { results: viz.isBare ? alone[0] : alone };
  }
  return {
    results: shown.map(({ values, as }) => as(groupOfValues(values, plan))),
    hasMore: shown.some(({ values }) => values[0] === OTHER_VALUE),
  };
}
