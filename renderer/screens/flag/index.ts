import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/flags/:flagId(\\d+|new)',
  name: 'flag',
  component: () => import('./FlagScreen.vue'),
  meta: { title: 'Flag', parent: 'flags', isOneThing: true },
};
