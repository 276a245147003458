export type { DashboardView, InsightPlacements, Placement } from './insight-placements.ts';
export { basicInsight, insight, type BasicInsightJson, type InsightJson } from './insights.contract.ts';
export { createInsights, type Insights, type NewInsight } from './insights.service.ts';
export type { InsightRow } from './insights.store.ts';
