import type { Resource } from '../../http/define-resource.ts';
import type { Feature } from '../../http/define-route.ts';
import { newShortId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { Projects } from '../projects/index.ts';
import type { Queries } from '../query/index.ts';
import { createInsightAnswers, type InsightAnswers } from './insight-answers.ts';
import { createInsightFailures } from './insight-failures.ts';
import { insightResource } from './insights.resource.ts';
import { insightRoutes } from './insights.routes.ts';
import { createInsights, type InsightParts, type Insights } from './insights.service.ts';

export { type AnswerOptions, type InsightAnswers } from './insight-answers.ts';
export type { InsightPlacements, Placement } from './insight-placements.ts';
export { type InsightJson } from './insights.contract.ts';
export { type Insights } from './insights.service.ts';
export { insightResource } from './insights.resource.ts';

export function insightsFeature(
  needs: Omit<InsightParts, 'checkQuery' | 'newShortId'> & { projects: Projects; queries: Queries; log: Log },
): Feature & { insights: Insights; answers: InsightAnswers } {
  const { projects, queries, clock, log, access } = needs;
  const failures = createInsightFailures({ clock });
  const answers = createInsightAnswers({ queries, findProject: projects.find, failures, log });
  const checkQuery: Insights['checkQuery'] = async (projectId, query) => {
    const project = projects.find(projectId);
    if (project !== null) await queries.check(project, query);
  };
  const insights = createInsights({ ...needs, newShortId, checkQuery });
  const resource: Resource = {
    ...insightResource,
    access: { find: (actor, project, id) => insights.find(actor, project.id, id) },
  };
  const routes = insightRoutes({ insights, answers, access, failures, queries, clock });
  return { name: 'insights', insights, answers, resources: [resource], routes };
}
