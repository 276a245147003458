import type { Value } from '../../../../db/db.ts';
import { pickedInterval } from '../../dates/periods.ts';
import { defineKind, type ActorsSelect, type KindContext } from '../../query-kind.ts';
import { seriesAction } from '../../series/series-action.ts';
import type { ActorsPoint } from '../actors-point.contract.ts';
import { lifecycleQuery } from '../insight-kinds.contract.ts';
import { planLifecycle, type LifecyclePlan, type LifecycleQuery } from './lifecycle-plan.ts';
import { lifecycleActors, lifecycleStatement } from './lifecycle-statement.ts';

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const;
type Status = (typeof STATUSES)[number];

/** Who is new, came back, came back after a while, or is gone (management contract 9.9.2). */
export const lifecycleKind = defineKind({
  kind: 'LifecycleQuery',
  schema: lifecycleQuery,
  async answer(query, context) {
    const plan = await planLifecycle(query, context);
    const { rows } = await context.runQuery(lifecycleStatement(query, plan));
    const ratio = query.samplingFactor ?? 1;
    const counts = new Map(
      rows.flatMap(([status, buckets, actors]) =>
        (buckets as readonly Value[]).map((bucket, at): [string, number] => [
          `${String(status)} ${Number(bucket)}`,
          Math.round(Number((actors as readonly Value[])[at]) / ratio),
        ]),
      ),
    );
    return { results: shownStatuses(query).map((status) => seriesObject(status, plan, counts)) };
  },
  actors: actorsOfPoint,
});

/** Those that are toggled on; all without a word. */
function shownStatuses({ lifecycleFilter }: LifecycleQuery): readonly Status[] {
  const toggled = lifecycleFilter?.toggledLifecycles ?? [];
  return toggled.length === 0 ? STATUSES : STATUSES.filter((status) => toggled.includes(status));
}

/** Who is gone counts below zero. */
function seriesObject(
  status: Status,
  { node, name, buckets }: LifecyclePlan,
  counts: ReadonlyMap<string, number>,
): object {
  const data = buckets.starts.map((_, at) => {
    const count = counts.get(`${status} ${at + 1}`) ?? 0;
    return status === 'dormant' && count > 0 ? -count : count;
  });
  return {
    label: `${name} - ${status}`,
    status,
    action: seriesAction(node, 0, name, buckets.days),
    filter: {},
    data,
    labels: buckets.labels,
    days: buckets.days,
    count: data.reduce((sum, count) => sum + count, 0),
  };
}

/** Who has a status in the interval of a day; without them in any. Throws invalid_input for an interval that is not there. */
async function actorsOfPoint(
  query: LifecycleQuery,
  { day, status }: ActorsPoint,
  context: KindContext,
): Promise<ActorsSelect> {
  const plan = await planLifecycle(query, context);
  const isAny = day === null || day === undefined;
  const bucket = isAny ? null : pickedInterval(plan.buckets, day, plan.zone, context) + 1;
  return {
    select: lifecycleActors(query, plan, { status: status ?? null, bucket }),
    groupTypeIndex: plan.sight.actor.groupTypeIndex,
  };
}
