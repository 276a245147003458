import type { RouteRecordRaw } from 'vue-router';

/** Whatever no other screen has as its address. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/:rest(.*)*',
    name: 'not-found',
    component: () => import('./NotFoundScreen.vue'),
    meta: { title: 'Not found', isOneThing: true },
  },
];
