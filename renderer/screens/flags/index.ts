import { Flag } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/flags',
    name: 'flags',
    component: () => import('./FlagsScreen.vue'),
    meta: { title: 'Flags', navigation: { icon: Flag, key: 'f', place: 'top', order: 54 } },
  },
  {
    path: '/project/:projectId(\\d+)/flags/:flagId(\\d+|new)',
    name: 'flag',
    component: () => import('./FlagScreen.vue'),
    meta: { title: 'Flag', parent: 'flags', isOneThing: true },
  },
];
