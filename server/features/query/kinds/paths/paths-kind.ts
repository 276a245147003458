import type { Expr } from '../../../../hogql/ast.ts';
import { alias, and, compare, constant, field, from, or, select } from '../../../../hogql/build.ts';
import { defineKind } from '../../query-kind.ts';
import type { ActorsPoint } from '../actors-point.contract.ts';
import { pathsQuery, type PathsQuery } from '../insight-kinds.contract.ts';
import { edgeCounts, pathEdges } from './path-edges.ts';
import { planPaths } from './paths-plan.ts';

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

/**
 * The condition of the steps that the keys pick (`pathStartKey` and `pathEndKey`, such as `1_/a`; `pathDropoffKey`, where
 * paths end), which stand in `pathsFilter` or beside the point.
 */
function pickedSteps(filter: NonNullable<PathsQuery['pathsFilter']>, point: ActorsPoint): Expr[] {
  const start = point.pathStartKey ?? filter.pathStartKey;
  const end = point.pathEndKey ?? filter.pathEndKey;
  const dropoff = point.pathDropoffKey ?? filter.pathDropoffKey;
  const is = (name: string, key: string): Expr => compare('==', field(name), constant(key));
  return [
    ...(start ? [end ? is('source', start) : or(is('source', start), is('target', start))] : []),
    ...(end ? [is('target', end)] : []),
    ...(dropoff ? [is('target', dropoff), compare('==', field('next'), constant(''))] : []),
  ];
}
