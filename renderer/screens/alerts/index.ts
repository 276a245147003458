import { Bell } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/alerts',
    name: 'alerts',
    component: () => import('./AlertsScreen.vue'),
    meta: {
      title: 'Alerts',
      parent: 'insights',
      navigation: { icon: Bell, key: 'w', place: 'off', order: 32 },
    },
  },
];
