export { listAllVariables } from './insight-variables.reads.ts';
export { insightVariableRoutes } from './insight-variables.routes.ts';
export type { InsightVariable } from './variable-row.ts';
export { createInsightVariables } from './insight-variables.service.ts';
export { insightVariableResource } from './insight-variables.resource.ts';
