import type { Access } from '../access/index.ts';
import type { Feature } from '../../http/define-route.ts';
import { dashboardTemplateResource } from './dashboard-templates.resource.ts';
import { dashboardTemplateRoutes } from './dashboard-templates.routes.ts';
import { createDashboardTemplates, type DashboardTemplates } from './dashboard-templates.service.ts';

export { type DashboardTemplates } from './dashboard-templates.service.ts';
export { readTemplate, type Template, type TemplateTile } from './read-template.ts';
export { insightTileAt } from './template-grid.ts';

export function dashboardTemplatesFeature(
  needs: Parameters<typeof createDashboardTemplates>[0] & { access: Access },
): Feature & { templates: DashboardTemplates } {
  const templates = createDashboardTemplates(needs);
  const routes = dashboardTemplateRoutes({ ...needs, templates });
  return { name: 'dashboard-templates', templates, resources: [dashboardTemplateResource], routes };
}
