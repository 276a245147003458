import { defineStore } from 'pinia';
import { computed } from 'vue';
import { usePreferencesStore } from './preferences.store.ts';
import { useProjectStore } from './project.store.ts';
import { useSessionStore } from './session.store.ts';

/** Views of more dashboards are forgotten, oldest first. */
const MOST = 200;

/** When this user viewed the dashboards of the current project last; stored in the browser. */
export const useDashboardViewsStore = defineStore('dashboardViews', () => {
  const preferences = usePreferencesStore();
  const projects = useProjectStore();
  const sessions = useSessionStore();

  const key = computed(() => `${sessions.session?.user.uuid} ${projects.current?.id}`);
  const views = computed(() => preferences.viewedDashboards[key.value] ?? {});

  /** ISO 8601; `null` for a dashboard that was not viewed. */
  function viewedAt(id: number): string | null {
    const at = views.value[id];
    return at === undefined ? null : new Date(at).toISOString();
  }

  function recordView(id: number): void {
    const { [id]: _, ...others } = views.value;
    const newest = Object.entries(others).toSorted(([, a], [, b]) => b - a);
    const kept = Object.fromEntries([...newest.slice(0, MOST - 1), [id, Date.now()]]);
    preferences.viewedDashboards = { ...preferences.viewedDashboards, [key.value]: kept };
  }

  return { viewedAt, recordView };
});
