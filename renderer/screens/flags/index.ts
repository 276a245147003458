import { Flag } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/flags',
  name: 'flags',
  component: () => import('./FlagsScreen.vue'),
  meta: { title: 'Flags', navigation: { icon: Flag, key: 'f', place: 'top', order: 54 } },
};
