import type { Feature } from '../../http/define-route.ts';
import { insightVariableResource } from './insight-variables.resource.ts';
import { insightVariableRoutes, type InsightVariableRouteParts } from './insight-variables.routes.ts';
import { createInsightVariables } from './insight-variables.service.ts';

export { listAllVariables } from './insight-variables.reads.ts';
export type { InsightVariable } from './variable-row.ts';

export function insightVariablesFeature(
  needs: Parameters<typeof createInsightVariables>[0] & Omit<InsightVariableRouteParts, 'variables'>,
): Feature {
  const variables = createInsightVariables(needs);
  const routes = insightVariableRoutes({ ...needs, variables });
  return { name: 'insight-variables', resources: [insightVariableResource], routes };
}
