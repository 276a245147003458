import { MousePointerClick } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/actions',
    name: 'actions',
    component: () => import('./ActionsScreen.vue'),
    meta: {
      title: 'Actions',
      parent: 'data',
      navigation: { icon: MousePointerClick, key: 'b', place: 'off', order: 62 },
    },
  },
  {
    path: '/project/:projectId(\\d+)/actions/:actionId(\\d+|new)',
    name: 'action',
    component: () => import('./ActionScreen.vue'),
    meta: { title: 'Action', parent: 'data', isOneThing: true },
  },
];
