import { Monitor, Moon, Sun } from '@lucide/vue';
import type { Component } from 'vue';

export type Theme = 'system' | 'light' | 'dark';

/** The themes that can be chosen, in the order in which they are offered. */
export const THEMES: readonly { id: Theme; label: string; command: string; icon: Component }[] = [
  { id: 'system', label: 'System', command: 'System theme', icon: Monitor },
  { id: 'light', label: 'Light', command: 'Light theme', icon: Sun },
  { id: 'dark', label: 'Dark', command: 'Dark theme', icon: Moon },
];
