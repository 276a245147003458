import { Clock } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/sessions',
    name: 'sessions',
    component: () => import('./SessionsScreen.vue'),
    meta: { title: 'Sessions', navigation: { icon: Clock, key: 'v', place: 'top', order: 14 } },
  },
  {
    path: '/project/:projectId(\\d+)/sessions/:sessionId',
    name: 'session',
    component: () => import('./SessionScreen.vue'),
    meta: { title: 'Session', parent: 'sessions', isOneThing: true },
  },
];
