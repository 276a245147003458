import { Terminal } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/sql',
  name: 'sql',
  component: () => import('./SqlScreen.vue'),
  meta: { title: 'SQL', navigation: { icon: Terminal, key: 'q', place: 'top', order: 40 } },
};
