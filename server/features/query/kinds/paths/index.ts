import { defineKind } from '../../query-kind.ts';
import { pathsActors } from './actors.ts';
import { pathsPoint, pathsQuery, pathsSource } from './schema.ts';
import { pathsAnswer } from './shape.ts';
import { edgeCounts, planPaths } from './to-hogql.ts';

/** What persons do one after the other (management contract 9.9.2). */
export const pathsKind = defineKind({
  kind: 'PathsQuery',
  role: 'insight',
  schema: pathsQuery,
  legacy: { name: 'PATHS', path: 'path', source: pathsSource },
  point: pathsPoint,
  plan: planPaths,
  async answer(plan, { runQuery }) {
    const { rows } = await runQuery(edgeCounts(plan));
    return pathsAnswer(rows, plan);
  },
  actors: pathsActors,
});
