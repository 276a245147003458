import { Plug } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/connect',
    name: 'connect',
    component: () => import('./ConnectScreen.vue'),
    meta: { title: 'Connect', navigation: { icon: Plug, key: 'c', place: 'bottom', order: 90 } },
  },
];
