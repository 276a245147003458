export { listVariables } from './insight-variables.reads.ts';
export { insightVariableRoutes } from './insight-variables.routes.ts';
export { createInsightVariables } from './insight-variables.service.ts';
