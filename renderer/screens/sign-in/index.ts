import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/sign-in',
    name: 'sign-in',
    component: () => import('./SignInScreen.vue'),
    meta: { title: 'Sign in', isPublic: true },
  },
];
