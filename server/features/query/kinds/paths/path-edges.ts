import type { Expr, SelectQuery } from '../../../../hogql/ast.ts';
import {
  alias,
  and,
  arithmetic,
  call,
  compare,
  constant,
  field,
  from,
  order,
  over,
  select,
} from '../../../../hogql/build.ts';
import { pathSteps } from './path-steps.ts';
import type { PathsPlan } from './paths-plan.ts';

/**
 * From item to item: a row for each step on each path, with `actor`, `source` and `target` (`1_/a`, `2_/b`: the place and the
 * name), and `took`, its milliseconds. The first item has an empty source, and the last an empty `next`.
 */
export function pathEdges(plan: PathsPlan): SelectQuery {
  const key = call('concat', call('toString', field('place')), constant('_'), field('name'));
  const window = { partitionBy: [field('actor'), field('session')], orderBy: [order(field('place'))] };
  const keyed = select({
    select: [field('actor'), field('session'), field('place'), field('at'), alias(key, 'target')],
    from: from(pathSteps(plan)),
  });
  const since = arithmetic('-', field('at'), over(call('lag', field('at')), window));
  const neighbour = (name: string): Expr =>
    call('coalesce', over(call(name, field('target')), window), constant(''));
  return select({
    select: [
      field('actor'),
      field('target'),
      alias(neighbour('lag'), 'source'),
      alias(neighbour('lead'), 'next'),
      alias(arithmetic('/', since, constant(1_000)), 'took'),
    ],
    from: from(keyed),
  });
}

/** How often each step was made and how long it took in the mean, the most frequent first. */
export function edgeCounts(plan: PathsPlan): SelectQuery {
  const { minEdgeWeight: least, maxEdgeWeight: most } = plan.filter;
  const count = field('value');
  const having = [
    ...(least ? [compare('>=', count, constant(least))] : []),
    ...(most ? [compare('<=', count, constant(most))] : []),
  ];
  return select({
    select: [
      field('source'),
      field('target'),
      alias(call('count'), 'value'),
      alias(call('avg', field('took')), 'average_conversion_time'),
    ],
    from: from(pathEdges(plan)),
    where: compare('!=', field('source'), constant('')),
    groupBy: [field('source'), field('target')],
    ...(having.length > 0 && { having: and(...having) }),
    orderBy: [order(count, 'DESC'), order(field('source')), order(field('target'))],
    limit: plan.edgeLimit,
  });
}
