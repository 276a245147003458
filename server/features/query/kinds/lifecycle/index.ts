import type { Value } from '../../../../db/db.ts';
import { defineKind } from '../../query-kind.ts';
import { lifecycleQuery } from '../insight-kinds.contract.ts';
import { planLifecycle, lifecycleStatement } from './to-hogql.ts';
import { shownStatuses, seriesObject } from './shape.ts';
import { lifecycleActors } from './actors.ts';

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
  actors: lifecycleActors,
});
