import type { Expr } from '../../../hogql/ast.ts';
import { and, compare, constant, field } from '../../../hogql/build.ts';
import type { FilterContext } from '../filters/filter-context.ts';
import { actionExpr, filterExpr } from '../filters/property-filter.ts';
import type { SeriesNode } from '../kinds/series.contract.ts';

type Series = Pick<SeriesNode, 'kind' | 'properties' | 'fixedProperties'> &
  ({ kind: 'EventsNode'; event?: string | null | undefined } | { kind: 'ActionsNode'; id: number });

/**
 * The conditions of a series' events, all of which must hold; none for a series of all events. An action that is not there
 * means no event. Throws invalid_input, HogqlError.
 */
export async function seriesConditions(node: Series, context: FilterContext): Promise<Expr[]> {
  const conditions = await Promise.all([
    entityCondition(node, context),
    filterExpr(node.properties, context),
    filterExpr(node.fixedProperties, context),
  ]);
  return conditions.filter((condition) => condition !== null);
}

/** The same as one condition; null for a series of all events. */
export async function seriesCondition(node: Series, context: FilterContext): Promise<Expr | null> {
  const conditions = await seriesConditions(node, context);
  return conditions.length === 0 ? null : and(...conditions);
}

/** The condition of the event or action alone, without the filters of the series; null for all events. */
export async function entityCondition(node: Series, context: FilterContext): Promise<Expr | null> {
  if (node.kind === 'ActionsNode') return await actionExpr(await context.action(node.id), context);
  const { event } = node;
  if (event === null || event === undefined) return null;
  return compare('==', field(...context.path('event')), constant(event));
}
