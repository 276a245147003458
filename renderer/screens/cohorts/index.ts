import { CircleDashed } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/cohorts',
  name: 'cohorts',
  component: () => import('./CohortsScreen.vue'),
  meta: { title: 'Cohorts', navigation: { icon: CircleDashed, key: 'r', place: 'top', order: 58 } },
};
