import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/sign-in',
  name: 'sign-in',
  component: () => import('./SignInScreen.vue'),
  meta: { title: 'Sign in', isPublic: true },
};
