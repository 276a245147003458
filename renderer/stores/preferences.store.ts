import { defineStore } from 'pinia';
import { reactive, toRefs, watch } from 'vue';
import { showThemeOnDesktop } from '../api/desktop.api.ts';
import type { Theme } from '../composables/themes.ts';

/** Something that was opened from the palette, as it is listed there again. */
export interface OpenedEntry {
  id: string;
  label: string;
  hint?: string | undefined;
  isCode?: boolean | undefined;
  /** Its address; a command has none, which is known by its id. */
  path?: string | undefined;
}

/** Also read by public/theme.js before the first paint. */
const STORAGE_KEY = 'burrow.preferences';

interface Preferences {
  theme: Theme;
  isSidebarNarrow: boolean;
  /** The project shown last, for the next start. */
  projectId: number | null;
  /** The snippet chosen last under Connect. */
  snippetId: string | null;
  /** Properties shown as columns of persons, by project. */
  personColumns: Record<number, readonly string[]>;
  /** The same in the panel behind a number, by project and kind of actors. */
  actorColumns: Record<string, readonly string[]>;
  /** What was opened from the palette, latest first, by user and project. */
  opened: Record<string, readonly OpenedEntry[]>;
  /** When dashboards were viewed last (Unix milliseconds), by user and project, then by dashboard. */
  viewedDashboards: Record<string, Readonly<Record<number, number>>>;
}

const DEFAULTS: Preferences = {
  theme: 'system',
  isSidebarNarrow: false,
  projectId: null,
  snippetId: null,
  personColumns: {},
  actorColumns: {},
  opened: {},
  viewedDashboards: {},
};

/** What this browser remembers about its user's taste; nothing here is worth a server. */
export const usePreferencesStore = defineStore('preferences', () => {
  const preferences = reactive(readPreferences());

  watch(preferences, writePreferences);
  watch(() => preferences.theme, applyTheme);
  watch(() => preferences.theme, showThemeOnDesktop, { immediate: true });

  return toRefs(preferences);
});

/** The defaults where the browser keeps nothing. */
function readPreferences(): Preferences {
  try {
    return {
      ...DEFAULTS,
      ...(JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}') as Partial<Preferences>),
    };
  } catch {
    return { ...DEFAULTS };
  }
}

function writePreferences(preferences: Preferences): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}

function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}
