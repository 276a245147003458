import { History } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/activity',
    name: 'activity',
    component: () => import('./ActivityScreen.vue'),
    meta: {
      title: 'Activity log',
      parent: 'settings',
      navigation: { icon: History, key: 'a', place: 'off', order: 96 },
    },
  },
];
