import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/cohorts/:cohortId(\\d+|new)',
  name: 'cohort',
  component: () => import('./CohortScreen.vue'),
  meta: { title: 'Cohort', parent: 'cohorts', isOneThing: true },
};
