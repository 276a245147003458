import { alias, and, field, from, select } from '../../../../hogql/build.ts';
import { defineKind } from '../../query-kind.ts';
import { pathsQuery } from '../insight-kinds.contract.ts';
import { planPaths, edgeCounts, pathEdges } from './to-hogql.ts';
import { pickedSteps } from './actors.ts';

/** What people do one after the other (management contract 9.9.2). */
export const pathsKind = defineKind({
  kind: 'PathsQuery',
  schema: pathsQuery,
  async answer(query, context) {
    const plan = await planPaths(query, context);
    const { rows } = await context.runQuery(edgeCounts(plan));
    const share = query.samplingFactor ?? 1;
    return {
      results: rows.map(([source, target, value, average]) => ({
        source,
        target,
        value: Math.round(Number(value) / share),
        average_conversion_time: Number(average),
      })),
      resolved_date_range: {
        date_from: new Date(plan.span.from).toISOString(),
        date_to: new Date(plan.span.to - 1).toISOString(),
      },
    };
  },
  async actors(query, point, context) {
    const plan = await planPaths(query, context);
    return {
      select: select({
        select: [alias(field('actor'), 'actor_id')],
        from: from(pathEdges(plan)),
        where: and(...pickedSteps(query.pathsFilter ?? {}, point)),
        groupBy: [field('actor')],
      }),
      groupTypeIndex: plan.actor.groupTypeIndex,
    };
  },
});
