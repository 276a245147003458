import { changeDashboard, type DashboardChange, type DashboardItem } from '../../api/dashboards.api.ts';
import { showFailure } from '../../composables/show-failure.ts';
import { offerUndo } from '../../composables/offer-undo.ts';
import { formatCountOf } from '../../ui/format.ts';
import { nameOfDashboard } from './dashboard-words.ts';

interface List {
  put(dashboard: DashboardItem): void;
  ask(): Promise<void>;
}

/** Changes of dashboards out of their list; what is deleted can be brought back. */
export function useDashboardChanges(projectId: number, list: List) {
  async function pin(dashboards: readonly DashboardItem[], pinned: boolean): Promise<void> {
    await changeAll(dashboards, () => ({ pinned }));
    await list.ask();
  }

  /** Adds a tag where it lacks. */
  async function tag(dashboards: readonly DashboardItem[], name: string): Promise<void> {
    await changeAll(dashboards, ({ tags }) => ({ tags: [...new Set([...tags, name])] }));
  }

  async function remove(dashboards: readonly DashboardItem[]): Promise<void> {
    const done = await changeAll(dashboards, () => ({ deleted: true }));
    await list.ask();
    if (done.length === 0) return;
    const what = done.length === 1 ? nameOfDashboard(done[0]!) : formatCountOf(done.length, 'dashboard');
    offerUndo(`${what} deleted`, done.length === 1 ? 'The dashboard' : 'A dashboard', async () => {
      for (const { id } of done) await changeDashboard(projectId, id, { deleted: false });
      await list.ask();
    });
  }

  /** One after the other; returns those that were changed. The first refusal is explained and ends it. */
  async function changeAll(
    dashboards: readonly DashboardItem[],
    changeOf: (dashboard: DashboardItem) => DashboardChange,
  ): Promise<DashboardItem[]> {
    const done: DashboardItem[] = [];
    try {
      for (const dashboard of dashboards) {
        const changed = await changeDashboard(projectId, dashboard.id, changeOf(dashboard));
        done.push(dashboard);
        if (!changed.deleted) list.put(changed);
      }
    } catch (error) {
      showFailure(error, `${nameOfDashboard(dashboards[done.length]!)} was not changed`);
    }
    return done;
  }

  return { pin, tag, remove };
}
