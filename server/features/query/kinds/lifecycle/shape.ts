import { STATUSES } from './schema.ts';
import type { Value } from '../../../../db/db.ts';
import { seriesAction } from '../../series.ts';
import type { LifecyclePlan } from './to-hogql.ts';
import type { LifecycleQuery } from './schema.ts';

type Status = (typeof STATUSES)[number];

/** The results of all statuses that are shown, of the rows of `lifecycleStatement`. */
export function seriesObjects(rows: readonly (readonly Value[])[], plan: LifecyclePlan): object[] {
  const ratio = plan.query.samplingFactor ?? 1;
  const counts = new Map(
    rows.flatMap(([status, buckets, actors]) =>
      (buckets as readonly Value[]).map((bucket, at): [string, number] => [
        `${String(status)} ${Number(bucket)}`,
        Math.round(Number((actors as readonly Value[])[at]) / ratio),
      ]),
    ),
  );
  return shownStatuses(plan.query).map((status) => seriesObject(status, plan, counts));
}

/** Those that are toggled on; all without a word. */
function shownStatuses({ lifecycleFilter }: LifecycleQuery): readonly Status[] {
  const toggled = lifecycleFilter?.toggledLifecycles ?? [];
  return toggled.length === 0 ? STATUSES : STATUSES.filter((status) => toggled.includes(status));
}

/** Dormant actors count below zero. */
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
