import { STATUSES } from './schema.ts';
import type { Value } from '../../../../db/db.ts';
import type { SeriesNode } from '../../node-schema.ts';
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
    action: actionOf(node, name),
    data,
    labels: buckets.labels,
    days: buckets.days,
    count: data.reduce((sum, count) => sum + count, 0),
  };
}

/** The series as PostHog names it here: an action by its id as a text, and always its total. */
function actionOf(node: SeriesNode, name: string): object {
  const { custom_name: customName } = node;
  const named = { name, order: 0, math: 'total', ...(isNamed(customName) && { custom_name: customName }) };
  if (node.kind === 'ActionsNode') return { id: String(node.id), type: 'actions', ...named };
  if (node.kind === 'GroupNode') return { id: name, type: 'groups', ...named };
  return { id: node.event ?? null, type: 'events', ...named };
}

function isNamed(name: string | null | undefined): boolean {
  return name !== null && name !== undefined;
}
