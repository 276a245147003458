import { withDashboardFilters } from './dashboard-filters.ts';
import type { Fields } from './legacy-filters.ts';
import { kindNamed } from './query-kinds.ts';
import { sourceOf, type StoredQuery } from './read-query.ts';

/** Filters and variables of a dashboard, or of one request, that override those of a query. */
export interface QueryOverrides {
  readonly filters?: Fields | null | undefined;
  /** By the id of the variable. */
  readonly variables?: Fields | null | undefined;
}

/** The query with the overrides that its kind accepts (management contract 3.4, 9.6). Without any, the same object. */
export function overrideQuery(query: StoredQuery, { filters, variables }: QueryOverrides): StoredQuery {
  const source = sourceOf(query);
  const { override = withDashboardFilters } = kindNamed(source.kind) ?? {};
  const changes = override(source, filters ?? {}, variables ?? {});
  if (Object.keys(changes).length === 0) return query;
  const changed = { ...source, ...changes };
  return source === query ? changed : { ...query, source: changed };
}
