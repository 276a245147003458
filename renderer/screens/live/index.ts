import { Radio } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/live',
    name: 'live',
    component: () => import('./LiveScreen.vue'),
    meta: { title: 'Live', navigation: { icon: Radio, key: 'l', place: 'top', order: 10 } },
  },
];
