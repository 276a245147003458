import { defineResource } from '../../http/define-resource.ts';

export const dashboardResource = defineResource({
  noun: 'dashboard',
  activity: 'Dashboard',
  table: { name: 'dashboards', isLive: 'NOT deleted' },
  history: { path: 'dashboards' },
  search: {},
  tags: true,
});
