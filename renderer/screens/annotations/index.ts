import { StickyNote } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/annotations',
    name: 'annotations',
    component: () => import('./AnnotationsScreen.vue'),
    meta: {
      title: 'Annotations',
      parent: 'data',
      navigation: { icon: StickyNote, key: 'm', place: 'off', order: 64 },
    },
  },
];
