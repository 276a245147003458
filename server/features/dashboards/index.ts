import type { Resource } from '../../http/define-resource.ts';
import type { Feature } from '../../http/define-route.ts';
import { readPathId } from '../../http/fields.contract.ts';
import { dashboard } from './dashboards.contract.ts';
import { dashboardResource } from './dashboards.resource.ts';
import { dashboardRoutes } from './dashboards.routes.ts';
import { createDashboards, type DashboardParts, type Dashboards } from './dashboards.service.ts';

export type { DashboardAccess } from './dashboard-access.ts';
export { dashboard, type DashboardJson } from './dashboards.contract.ts';
export { createInsightPlacements } from './insight-placements.ts';
export { type Dashboards } from './dashboards.service.ts';
export { dashboardResource } from './dashboards.resource.ts';

export function dashboardsFeature(needs: DashboardParts): Feature & { dashboards: Dashboards } {
  const dashboards = createDashboards(needs);
  const resource: Resource = {
    ...dashboardResource,
    access: {
      find: (actor, project, id) => dashboards.find(actor, project.id, readPathId(id)),
      whole: {
        fields: dashboard.shape,
        read: (actor, project, id) => dashboards.json(actor, project.id, Number(id)),
      },
    },
  };
  return { name: 'dashboards', dashboards, resources: [resource], routes: dashboardRoutes(dashboards) };
}
