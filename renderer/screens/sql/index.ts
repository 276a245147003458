import { Terminal } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/sql/:insightId([A-Za-z0-9_-]+)?',
    name: 'sql',
    component: () => import('./SqlScreen.vue'),
    meta: {
      title: 'SQL',
      isOneThing: true,
      navigation: { icon: Terminal, key: 'q', place: 'top', order: 40 },
    },
  },
];
