import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/persons/:personId',
  name: 'person',
  component: () => import('./PersonScreen.vue'),
  meta: { title: 'Person', parent: 'persons', isOneThing: true },
};
