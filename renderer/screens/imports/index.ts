import { FileUp } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/imports',
    name: 'imports',
    component: () => import('./ImportsScreen.vue'),
    meta: {
      title: 'Import',
      parent: 'data',
      navigation: { icon: FileUp, key: 'u', place: 'off', order: 66 },
    },
  },
  {
    path: '/project/:projectId(\\d+)/imports/:importId([0-9a-f-]{36})',
    name: 'import',
    component: () => import('./ImportScreen.vue'),
    meta: { title: 'Import', parent: 'data', isOneThing: true },
  },
];
