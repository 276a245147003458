import { ChartLine } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const route: RouteRecordRaw = {
  path: '/project/:projectId(\\d+)/insights',
  name: 'insights',
  component: () => import('./InsightsScreen.vue'),
  meta: { title: 'Insights', navigation: { icon: ChartLine, key: 'n', place: 'top', order: 30 } },
};
