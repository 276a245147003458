import { FileDown } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/exports',
    name: 'exports',
    component: () => import('./ExportScreen.vue'),
    meta: {
      title: 'Export',
      parent: 'data',
      navigation: { icon: FileDown, key: 'y', place: 'off', order: 67 },
    },
  },
];
