export type { DashboardAccess, FindOptions } from './dashboard-access.ts';
export { dashboard, type DashboardJson } from './dashboards.contract.ts';
export { dashboardRoutes } from './dashboards.routes.ts';
export { createInsightPlacements } from './insight-placements.ts';
export { createDashboards, type Dashboards } from './dashboards.service.ts';
export { dashboardResource } from './dashboards.resource.ts';
