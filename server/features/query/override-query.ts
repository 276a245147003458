import { withDashboardFilters } from './dashboard-filters.ts';
import { isFields, type Fields } from './legacy-filters.ts';
import { isPoint, kindNamed } from './query-kinds.ts';
import { sourceOf, type StoredQuery } from './read-query.ts';

/** Filters and variables of a dashboard, or of one request, that override those of a query. */
export interface QueryOverrides {
  readonly filters?: Fields | null | undefined;
  /** By the id of the variable. */
  readonly variables?: Fields | null | undefined;
}

/** Kinds of the insight in their `source`: its actors, its other points, or what goes with its conversion. */
const OF_INSIGHTS = ['ActorsQuery', 'PersonsQuery', 'InsightActorsQueryOptions', 'FunnelCorrelationQuery'];

/** The insight that a query is about; null: it is about none. */
function insightOf(query: StoredQuery): StoredQuery | null {
  if (!OF_INSIGHTS.includes(query.kind) && !isPoint(query.kind)) return null;
  const { source } = query as { source?: unknown };
  return isFields(source) && typeof source['kind'] === 'string' ? (source as StoredQuery) : null;
}

/**
 * The query with the overrides that its kind accepts (management contract 3.4, 9.6); one about an insight, such as the list
 * of its actors, with those of the insight. Without any, the same object.
 */
export function overrideQuery(query: StoredQuery, overrides: QueryOverrides): StoredQuery {
  const { filters, variables } = overrides;
  const source = sourceOf(query);
  const insight = insightOf(source);
  if (insight !== null) {
    const changed = overrideQuery(insight, overrides);
    if (changed === insight) return query;
    const list = { ...source, source: changed };
    return source === query ? list : { ...query, source: list };
  }
  const { override = withDashboardFilters } = kindNamed(source.kind) ?? {};
  const changes = override(source, filters ?? {}, variables ?? {});
  if (Object.keys(changes).length === 0) return query;
  const changed = { ...source, ...changes };
  return source === query ? changed : { ...query, source: changed };
}
