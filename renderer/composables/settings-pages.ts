import {
  Archive,
  HardDrive,
  History,
  KeyRound,
  Layers,
  MapPin,
  Palette,
  Share2,
  UsersRound,
} from '@lucide/vue';
import type { Component } from 'vue';
import type { RouteLocationRaw } from 'vue-router';

export type SettingsPage =
  'retention' | 'keys' | 'appearance' | 'projects' | 'members' | 'storage' | 'sharing' | 'geoip';

/** A page of the settings, and whose it is. */
export interface SettingsEntry {
  id: string;
  label: string;
  of: 'project' | 'you' | 'organization' | 'server';
  icon: Component;
  to: RouteLocationRaw;
}

const PAGES: readonly (Omit<SettingsEntry, 'to'> & { id: SettingsPage })[] = [
  { id: 'retention', label: 'What is kept', of: 'project', icon: Archive },
  { id: 'keys', label: 'Keys', of: 'you', icon: KeyRound },
  { id: 'appearance', label: 'Appearance', of: 'you', icon: Palette },
  { id: 'projects', label: 'Projects', of: 'organization', icon: Layers },
  { id: 'members', label: 'Members', of: 'organization', icon: UsersRound },
  { id: 'storage', label: 'Storage', of: 'server', icon: HardDrive },
  { id: 'sharing', label: 'Sharing', of: 'server', icon: Share2 },
  { id: 'geoip', label: 'GeoIP', of: 'server', icon: MapPin },
];

/** All pages of the settings in the order of their list; the activity log is a screen of its own among them. */
export function settingsPages(projectId: number): SettingsEntry[] {
  const log: SettingsEntry = {
    id: 'activity',
    label: 'Activity log',
    of: 'organization',
    icon: History,
    to: { name: 'activity', params: { projectId } },
  };
  const pages: SettingsEntry[] = PAGES.map((page) => ({
    ...page,
    to: { name: 'settings', params: { projectId, page: page.id } },
  }));
  const afterOrganization = pages.findLastIndex(({ of }) => of === 'organization') + 1;
  return pages.toSpliced(afterOrganization, 0, log);
}
