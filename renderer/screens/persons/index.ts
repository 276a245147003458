import { Users } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/persons',
  name: 'persons',
  component: () => import('./PersonsScreen.vue'),
  meta: { title: 'Persons', navigation: { icon: Users, key: 'p', place: 'top', order: 50 } },
};
