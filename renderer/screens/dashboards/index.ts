import { LayoutDashboard } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/dashboards',
  name: 'dashboards',
  component: () => import('./DashboardsScreen.vue'),
  meta: { title: 'Dashboards', navigation: { icon: LayoutDashboard, key: 'd', place: 'top', order: 20 } },
};
