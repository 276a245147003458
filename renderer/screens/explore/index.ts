import { ListFilter } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/explore/:viewId([A-Za-z0-9_-]+)?',
    name: 'explore',
    component: () => import('./ExploreScreen.vue'),
    meta: {
      title: 'Explore',
      isOneThing: true,
      navigation: { icon: ListFilter, key: 'x', place: 'top', order: 12 },
    },
  },
];
