import { LayoutDashboard } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/dashboards',
    name: 'dashboards',
    component: () => import('./DashboardsScreen.vue'),
    meta: { title: 'Dashboards', navigation: { icon: LayoutDashboard, key: 'd', place: 'top', order: 20 } },
  },
  {
    path: '/project/:projectId(\\d+)/dashboards/:dashboardId(\\d+)',
    name: 'dashboard',
    component: () => import('./DashboardScreen.vue'),
    meta: { title: 'Dashboard', parent: 'dashboards', isOneThing: true, hasKiosk: true },
  },
];
