import type { RouteRecordRaw } from 'vue-router';

/** Where links of the system lead, `burrow://dashboard/7` for one: they name no project. */
export const routes: RouteRecordRaw[] = [
  {
    path: '/link/:name([a-z]+)/:id?',
    name: 'link',
    component: () => import('./LinkScreen.vue'),
    meta: { title: 'Link', isOneThing: true },
  },
];
