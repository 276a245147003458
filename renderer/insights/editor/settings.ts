import type { Component } from 'vue';
import type { InsightKind } from '../insight-kind.ts';

const FOUND = import.meta.glob<{ default: Component }>('../*/KindSettings.vue', { eager: true });

/** The panel that edits what a kind alone has; `null` where it has nothing of its own. */
export function settingsOf({ name }: InsightKind): Component | null {
  return FOUND[`../${name}/KindSettings.vue`]?.default ?? null;
}
