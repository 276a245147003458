import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Feature } from '../../http/define-route.ts';
import type { StoppedQueries } from '../../lib/stopped-queries.ts';
import type { Projects } from '../projects/index.ts';
import { queryExportRoutes, queryRoutes } from './query.routes.ts';
import { createQueries, type Queries, type QueryParts } from './query.service.ts';

export { resultTable } from './export-query.ts';
export { failedStatus } from './async-queries.ts';
export { queryOfFilters, readFilters } from './filters-to-query.ts';
export type { Refresh } from './query.contract.ts';
export { overrideQuery, type QueryOverrides } from './override-query.ts';
export type { QueryAnswerJson } from './query.contract.ts';
export { QUERY_FAILURES } from './query.routes.ts';
export {
  type CohortQuestion,
  type QueryWarehouse,
  type EventExpressions,
  type Answering,
  type HogqlStatement,
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
export { canHaveAlerts, formulasOf, isTotalDisplay } from './kinds/trends/trends-filter.contract.ts';

export function queryFeature(
  needs: Omit<QueryParts, 'config' | 'exportDir' | 'settingsOf' | 'stopped'> & {
    config: { ephemeral: boolean; dataDir: string; fast: boolean };
    projects: Pick<Projects, 'find'>;
    stoppedQueries: Pick<StoppedQueries, 'isRefused'>;
  },
): Feature & { queries: Queries } {
  const { config, projects, newId } = needs;
  const queries = createQueries({
    ...needs,
    exportDir: config.ephemeral
      ? join(tmpdir(), `burrow-exports-${newId()}`)
      : join(config.dataDir, 'exports'),
    settingsOf: (projectId) => projects.find(projectId)?.settings ?? {},
    stopped: needs.stoppedQueries,
  });
  const routes = [...queryRoutes({ queries }), ...queryExportRoutes({ queries })];
  return { name: 'query', queries, routes, close: queries.close };
}
