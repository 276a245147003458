export { templateBody } from './dashboard-templates.contract.ts';
export { dashboardTemplateRoutes } from './dashboard-templates.routes.ts';
export { createDashboardTemplates, type DashboardTemplates } from './dashboard-templates.service.ts';
export { readTemplate, type Template, type TemplateInsight, type TemplateTile } from './read-template.ts';
export { insightTileAt } from './template-grid.ts';
export { dashboardTemplateResource } from './dashboard-templates.resource.ts';
