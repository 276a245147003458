export { resultTable } from './export-query.ts';
export { failedStatus } from './async-queries.ts';
export { queryOfFilters, readFilters } from './filters-to-query.ts';
export type { Refresh } from './query.contract.ts';
export { overrideQuery, type QueryOverrides } from './override-query.ts';
export type { QueryAnswerJson } from './query.contract.ts';
export { queryExportRoutes } from './query.routes.ts';
export { QUERY_FAILURES, queryRoutes } from './query.routes.ts';
export {
  createQueries,
  type EventExpressions,
  type Answering,
  type Queries,
  type QueriedProject,
} from './query.service.ts';
export {
  checkDashboardFilters,
  checkPropertyFilters,
  checkQuerySettings,
  checkVariables,
  checkVariableValue,
} from './readable-fields.ts';
export { warningsOf } from './unsupported-fields.ts';
export { isQuery, readQuery, sourceOf, type StoredQuery } from './read-query.ts';
export { refreshMode, type RefreshMode } from './query.routes.ts';
export { LEGACY_KINDS } from './query-kinds.ts';
