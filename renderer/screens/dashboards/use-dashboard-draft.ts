import { computed, ref, shallowRef } from 'vue';
import { api } from '../../api/client.ts';
import type { DashboardJson as Dashboard } from '../../../server/features/dashboards/dashboards.contract.ts';
import { useChange } from '../../composables/use-change.ts';
import { changeOf, looksOf, NO_EDITS, shownOf, type DashboardEdits } from './dashboard-draft.ts';
import { isQuery, withLook, type TileLook } from './tile-look.ts';

/** A step that can be taken back: how the edits were before it, and what it was. */
interface Step {
  before: DashboardEdits;
  label: string;
  /** Steps of the same name that follow each other are one: a tile moved by five presses of a key. */
  merge: string | null;
}

const MOST_UNDONE = 100;

/**
 * A dashboard that is edited: what is stored (`saved`, the server's word) and what was changed (`edits`); `shown` is
 * both. One PATCH stores it, and its answer takes the place of what was stored.
 */
export function useDashboardDraft(projectId: number, id: number) {
  const saved = shallowRef<Dashboard | null>(null);
  const edits = shallowRef<DashboardEdits>(NO_EDITS);
  const failure = shallowRef<unknown>(null);
  const past = shallowRef<readonly Step[]>([]);
  const future = shallowRef<readonly Step[]>([]);
  const added = ref(0);
  const { isBusy, problem, run, reset } = useChange('The dashboard could not be saved');

  const shown = computed(() => saved.value && shownOf(saved.value, edits.value));
  const change = computed(() => saved.value && changeOf(saved.value, edits.value));
  /** Other looks of insights, by the id of the insight. */
  const looks = computed<ReadonlyMap<number, TileLook>>(() =>
    saved.value ? looksOf(saved.value, edits.value) : new Map(),
  );
  /** Positions that only the page has settled do not count as a change. */
  const isChanged = computed(() => past.value.length > 0 && (change.value !== null || looks.value.size > 0));

  /** Loads the dashboard, with cached results. */
  async function load(): Promise<void> {
    try {
      saved.value = await api.get('P/dashboards/:id/', { projectId, id, query: { refresh: 'force_cache' } });
      failure.value = null;
    } catch (error) {
      failure.value = error;
    }
  }

  /** Changes the edits; `label` says what was done: `move Signups`. */
  function edit(label: string, next: Partial<DashboardEdits>, merge: string | null = null): void {
    const before = edits.value;
    edits.value = { ...before, ...next };
    future.value = [];
    reset();
    const last = past.value.at(-1);
    if (merge !== null && last?.merge === merge) return;
    past.value = [...past.value, { before, label, merge }].slice(-MOST_UNDONE);
  }

  /** Takes the last step back; what it was, or null when there was none. */
  function undo(): string | null {
    const step = past.value.at(-1);
    if (!step) return null;
    past.value = past.value.slice(0, -1);
    future.value = [...future.value, { ...step, before: edits.value }];
    edits.value = step.before;
    return step.label;
  }

  /** Does again what was taken back last. */
  function redo(): string | null {
    const step = future.value.at(-1);
    if (!step) return null;
    future.value = future.value.slice(0, -1);
    past.value = [...past.value, { ...step, before: edits.value, merge: null }];
    edits.value = step.before;
    return step.label;
  }

  function discard(): void {
    edits.value = NO_EDITS;
    past.value = [];
    future.value = [];
    reset();
  }

  /** Stores the edits; false when the server refused, which `problem` explains. */
  async function save(): Promise<boolean> {
    const body = change.value;
    if (!body && looks.value.size === 0) {
      discard();
      return true;
    }
    let isDone = false;
    await run(async () => {
      await saveLooks();
      take(
        body
          ? await api.patch('P/dashboards/:id/', { projectId, id, body })
          : await api.get('P/dashboards/:id/', { projectId, id, query: { refresh: 'force_cache' } }),
      );
      discard();
      isDone = true;
    });
    return isDone;
  }

  /** The look is stored on the stored query, without the dashboard's filters. */
  async function saveLooks(): Promise<void> {
    for (const [insightId, look] of looks.value) {
      const { query } = await api.get('P/insights/:id/', {
        projectId,
        id: insightId,
        query: { basic: true },
      });
      if (isQuery(query))
        await api.patch('P/insights/:id/', {
          projectId,
          id: insightId,
          body: { query: withLook(query, look) },
        });
    }
  }

  /** Takes over what the server says; the edits stay. */
  function take(dashboard: Dashboard): void {
    saved.value = dashboard;
  }

  /** A name for a tile that is not stored yet. */
  function newKey(): string {
    added.value += 1;
    return `new-${added.value}`;
  }

  return {
    saved,
    edits,
    shown,
    change,
    looks,
    failure,
    past,
    future,
    isChanged,
    isBusy,
    problem,
    load,
    edit,
    undo,
    redo,
    discard,
    save,
    take,
    newKey,
  };
}
