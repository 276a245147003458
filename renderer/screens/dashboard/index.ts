import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/dashboards/:dashboardId(\\d+)',
  name: 'dashboard',
  component: () => import('./DashboardScreen.vue'),
  meta: { title: 'Dashboard', parent: 'dashboards', isOneThing: true, hasKiosk: true },
};
