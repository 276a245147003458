import { Building2 } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/groups/:typeIndex(\\d)?',
    name: 'groups',
    component: () => import('./GroupsScreen.vue'),
    meta: {
      title: 'Groups',
      parent: 'persons',
      navigation: { icon: Building2, key: 'o', place: 'off', order: 51 },
    },
  },
  {
    path: '/project/:projectId(\\d+)/groups/:typeIndex(\\d)/:groupKey',
    name: 'group',
    component: () => import('./GroupScreen.vue'),
    meta: { title: 'Group', parent: 'persons', isOneThing: true },
  },
];
