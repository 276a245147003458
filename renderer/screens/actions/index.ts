import { MousePointerClick } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/actions',
  name: 'actions',
  component: () => import('./ActionsScreen.vue'),
  meta: {
    title: 'Actions',
    parent: 'data',
    navigation: { icon: MousePointerClick, key: 'b', place: 'off', order: 62 },
  },
};
