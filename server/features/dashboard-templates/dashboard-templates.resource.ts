import { defineResource } from '../../http/define-resource.ts';

export const dashboardTemplateResource = defineResource({
  noun: 'dashboard_template',
  activity: 'DashboardTemplate',
});
