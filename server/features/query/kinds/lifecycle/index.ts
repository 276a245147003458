import { defineKind } from '../../query-kind.ts';
import { lifecycleActors } from './actors.ts';
import { lifecyclePoint, lifecycleQuery, lifecycleSource } from './schema.ts';
import { seriesObjects } from './shape.ts';
import { lifecycleStatement, planLifecycle } from './to-hogql.ts';

/** Counts new, returning, resurrecting and dormant actors (management contract 9.9.2). */
export const lifecycleKind = defineKind({
  kind: 'LifecycleQuery',
  role: 'insight',
  schema: lifecycleQuery,
  legacy: { name: 'LIFECYCLE', path: 'trend', source: lifecycleSource },
  point: lifecyclePoint,
  plan: planLifecycle,
  async answer(plan, { runQuery }) {
    const { rows } = await runQuery(lifecycleStatement(plan));
    return { results: seriesObjects(rows, plan) };
  },
  actors: lifecycleActors,
});
