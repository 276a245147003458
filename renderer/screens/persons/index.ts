import { Users } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/persons',
    name: 'persons',
    component: () => import('./PersonsScreen.vue'),
    meta: { title: 'Persons', navigation: { icon: Users, key: 'p', place: 'top', order: 50 } },
  },
  {
    path: '/project/:projectId(\\d+)/persons/:personId',
    name: 'person',
    component: () => import('./PersonScreen.vue'),
    meta: { title: 'Person', parent: 'persons', isOneThing: true },
  },
];
