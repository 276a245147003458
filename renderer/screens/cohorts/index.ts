import { CircleDashed } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/cohorts',
    name: 'cohorts',
    component: () => import('./CohortsScreen.vue'),
    meta: { title: 'Cohorts', navigation: { icon: CircleDashed, key: 'r', place: 'top', order: 58 } },
  },
  {
    path: '/project/:projectId(\\d+)/cohorts/:cohortId(\\d+|new)',
    name: 'cohort',
    component: () => import('./CohortScreen.vue'),
    meta: { title: 'Cohort', parent: 'cohorts', isOneThing: true },
  },
];
