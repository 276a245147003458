import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/actions/:actionId(\\d+|new)',
  name: 'action',
  component: () => import('./ActionScreen.vue'),
  meta: { title: 'Action', parent: 'data', isOneThing: true },
};
