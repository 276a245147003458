export { applyDashboardFilters } from './dashboard-filters.ts';
export { queryOfFilters } from './filters-to-query.ts';
export { isQuery, readQuery, sourceOf, type StoredQuery } from './read-query.ts';
