import { House } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/home',
    name: 'home',
    component: () => import('./HomeScreen.vue'),
    meta: { title: 'Home', navigation: { icon: House, key: 'h', place: 'top', order: 0 } },
  },
];
