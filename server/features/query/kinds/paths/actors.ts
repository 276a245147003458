import type { Expr } from '../../../../hogql/ast.ts';
import { alias, and, call, compare, constant, field, from, select } from '../../../../hogql/build.ts';
import type { ActorsPoint } from '../../node-schema.ts';
import type { ActorsSelect } from '../../query-kind.ts';
import type { pathsPoint } from './schema.ts';
import { pathEdges, type PathsPlan } from './to-hogql.ts';

type PathsPoint = ActorsPoint<typeof pathsPoint>;

/** Selects the actors of the path steps that a point picks, with the number of their steps. */
export async function pathsActors(plan: PathsPlan, point: PathsPoint): Promise<ActorsSelect> {
  return {
    select: select({
      select: [alias(field('actor'), 'actor_id'), alias(call('count'), 'event_count')],
      from: from(pathEdges(plan)),
      where: and(...pickedSteps(plan.filter, point)),
      groupBy: [field('actor')],
    }),
    groupTypeIndex: plan.actor.groupTypeIndex,
  };
}

/**
 * The condition of the steps that the keys pick (`pathStartKey` and `pathEndKey`, such as `1_/a`; or `pathDropoffKey`, where
 * paths end), which are fields of the point or of `pathsFilter`.
 */
function pickedSteps(filter: PathsPlan['filter'], point: PathsPoint): Expr[] {
  const start = point.pathStartKey ?? filter.pathStartKey;
  const end = point.pathEndKey ?? filter.pathEndKey;
  const dropoff = point.pathDropoffKey ?? filter.pathDropoffKey;
  const is = (name: string, key: string): Expr => compare('==', field(name), constant(key));
  if (dropoff) return [is('target', dropoff), compare('==', field('next'), constant(''))];
  return [...(start ? [is('source', start)] : []), ...(end ? [is('target', end)] : [])];
}
