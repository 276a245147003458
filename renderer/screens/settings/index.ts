import { Settings } from '@lucide/vue';
import type { RouteRecordRaw } from 'vue-router';

export const routes: RouteRecordRaw[] = [
  {
    path: '/project/:projectId(\\d+)/settings/:page(retention|general|test-accounts|capture|profile|keys|appearance|projects|members|storage|sharing|geoip)?',
    name: 'settings',
    component: () => import('./SettingsScreen.vue'),
    meta: { title: 'Settings', navigation: { icon: Settings, key: 's', place: 'bottom', order: 95 } },
  },
  {
    path: '/project/:projectId(\\d+)/settings/app',
    name: 'app-settings',
    component: () => import('./AppPage.vue'),
    meta: { title: 'Settings', parent: 'settings' },
  },
  {
    path: '/project/:projectId(\\d+)/settings/forwarding',
    name: 'forwarding-settings',
    component: () => import('./ForwardingPage.vue'),
    meta: { title: 'Settings', parent: 'settings' },
  },
  {
    path: '/project/:projectId(\\d+)/settings/privacy',
    name: 'privacy-settings',
    component: () => import('./PrivacyPage.vue'),
    meta: { title: 'Settings', parent: 'settings' },
  },
  {
    path: '/project/:projectId(\\d+)/settings/copy',
    name: 'copy-settings',
    component: () => import('./CopyPage.vue'),
    meta: { title: 'Settings', parent: 'settings' },
  },
];
