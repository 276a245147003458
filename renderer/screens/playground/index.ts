import { FlaskConical } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/playground',
    name: 'playground',
    component: () => import('./PlaygroundScreen.vue'),
    meta: { title: 'Playground', navigation: { icon: FlaskConical, key: 't', place: 'top', order: 56 } },
  },
];
