import { Database } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/data/:kind(events|properties|person-properties|group-properties)?',
    name: 'data',
    component: () => import('./DataScreen.vue'),
    meta: { title: 'Data', navigation: { icon: Database, key: 'e', place: 'top', order: 60 } },
  },
];
