import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/groups/:typeIndex(\\d)/:groupKey',
  name: 'group',
  component: () => import('./GroupScreen.vue'),
  meta: { title: 'Group', parent: 'persons', isOneThing: true },
};
