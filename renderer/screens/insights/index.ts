import { ChartLine } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/insights',
    name: 'insights',
    component: () => import('./InsightsScreen.vue'),
    meta: { title: 'Insights', navigation: { icon: ChartLine, key: 'n', place: 'top', order: 30 } },
  },
  {
    path: '/project/:projectId(\\d+)/insights/:insightId([A-Za-z0-9_-]+)',
    name: 'insight',
    component: () => import('./InsightScreen.vue'),
    meta: { title: 'Insight', parent: 'insights', isOneThing: true },
  },
];
