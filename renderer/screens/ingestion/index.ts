import { Gauge } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/ingestion',
    name: 'ingestion',
    component: () => import('./IngestionScreen.vue'),
    meta: { title: 'Ingestion', navigation: { icon: Gauge, key: 'i', place: 'off', order: 95 } },
  },
];
