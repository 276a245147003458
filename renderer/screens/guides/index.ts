import { BookOpenText } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/guides',
    name: 'guides',
    component: () => import('./GuidesScreen.vue'),
    meta: { title: 'Guides', navigation: { icon: BookOpenText, key: 'g', place: 'bottom', order: 92 } },
  },
  {
    path: '/project/:projectId(\\d+)/guides/:guideId([a-z-]+)',
    name: 'guide',
    component: () => import('./GuideScreen.vue'),
    meta: { title: 'Guide', parent: 'guides', isOneThing: true },
  },
];
