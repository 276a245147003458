import {
  AppWindow,
  Archive,
  CircleUserRound,
  CopyPlus,
  FlaskConical,
  HardDrive,
  History,
  KeyRound,
  Layers,
  MapPin,
  Palette,
  Radio,
  Send,
  Share2,
  ShieldCheck,
  SlidersHorizontal,
  UsersRound,
} from '@lucide/vue';
import type { Component } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import { isDesktop } from '../api/desktop.api.ts';

export type SettingsPage =
  | 'app'
  | 'general'
  | 'test-accounts'
  | 'capture'
  | 'forwarding'
  | 'profile'
  | 'retention'
  | 'keys'
  | 'appearance'
  | 'projects'
  | 'members'
  | 'storage'
  | 'sharing'
  | 'geoip'
  | 'privacy'
  | 'copy';

/** A page of the settings, and whose it is. */
export interface SettingsEntry {
  id: string;
  label: string;
  of: 'app' | 'project' | 'you' | 'organization' | 'server';
  icon: Component;
  to: RouteLocationRaw;
}

/** In the order of their list; the activity log is a screen of its own among them. */
const PAGES: readonly (Omit<SettingsEntry, 'to'> & { id: SettingsPage | 'activity' })[] = [
  { id: 'app', label: 'App', of: 'app', icon: AppWindow },
  { id: 'retention', label: 'Data retention', of: 'project', icon: Archive },
  { id: 'general', label: 'General', of: 'project', icon: SlidersHorizontal },
  { id: 'test-accounts', label: 'Test users', of: 'project', icon: FlaskConical },
  { id: 'capture', label: 'Capture', of: 'project', icon: Radio },
  { id: 'forwarding', label: 'Forwarding', of: 'project', icon: Send },
  { id: 'copy', label: 'Copy project', of: 'project', icon: CopyPlus },
  { id: 'profile', label: 'Profile', of: 'you', icon: CircleUserRound },
  { id: 'keys', label: 'API keys', of: 'you', icon: KeyRound },
  { id: 'appearance', label: 'Appearance', of: 'you', icon: Palette },
  { id: 'projects', label: 'Projects', of: 'organization', icon: Layers },
  { id: 'members', label: 'Members', of: 'organization', icon: UsersRound },
  { id: 'activity', label: 'Activity log', of: 'organization', icon: History },
  { id: 'storage', label: 'Storage', of: 'server', icon: HardDrive },
  { id: 'sharing', label: 'Sharing', of: 'server', icon: Share2 },
  { id: 'geoip', label: 'GeoIP', of: 'server', icon: MapPin },
  { id: 'privacy', label: 'Privacy', of: 'server', icon: ShieldCheck },
];

/** All pages of the settings, and the way to each; those of the app only in its windows. */
export function settingsPages(projectId: number): SettingsEntry[] {
  const pages = isDesktop() ? PAGES : PAGES.filter((page) => page.of !== 'app');
  return pages.map((page) => ({ ...page, to: routeOf(page.id, projectId) }));
}

function routeOf(id: SettingsPage | 'activity', projectId: number): RouteLocationRaw {
  if (id === 'activity') return { name: 'activity', params: { projectId } };
  if (id === 'app') return { name: 'app-settings', params: { projectId } };
  if (id === 'forwarding') return { name: 'forwarding-settings', params: { projectId } };
  if (id === 'privacy') return { name: 'privacy-settings', params: { projectId } };
  if (id === 'copy') return { name: 'copy-settings', params: { projectId } };
  return { name: 'settings', params: { projectId, page: id } };
}
