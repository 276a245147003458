export { createInsightAnswers, type AnswerOptions, type InsightAnswers } from './insight-answers.ts';
export { createInsightFailures } from './insight-failures.ts';
export type { NewInsight } from './insight-copies.ts';
export type { DashboardView, InsightPlacements, Placement } from './insight-placements.ts';
export { basicInsight, insight, type BasicInsightJson, type InsightJson } from './insights.contract.ts';
export { insightRoutes } from './insights.routes.ts';
export { createInsights, type Insights } from './insights.service.ts';
export type { InsightRow } from './insight-row.ts';
export { insightResource } from './insights.resource.ts';
