import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/insights/:insightId([A-Za-z0-9_-]+)',
  name: 'insight',
  component: () => import('./InsightScreen.vue'),
  meta: { title: 'Insight', parent: 'insights', isOneThing: true },
};
