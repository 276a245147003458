import { seriesAction } from '../../series.ts';
import type { LifecyclePlan, LifecycleQuery } from './to-hogql.ts';

const STATUSES = ['new', 'returning', 'resurrecting', 'dormant'] as const;
type Status = (typeof STATUSES)[number];

/** Those that are toggled on; all without a word. */
export function shownStatuses({ lifecycleFilter }: LifecycleQuery): readonly Status[] {
  const toggled = lifecycleFilter?.toggledLifecycles ?? [];
  return toggled.length === 0 ? STATUSES : STATUSES.filter((status) => toggled.includes(status));
}

/** Who is gone counts below zero. */
export function seriesObject(
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
